"""The way to a studio from a door that runs on an event loop."""

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from anyio import from_thread
from anyio.lowlevel import EventLoopToken, current_token
from attrs import define

from genui_adapters.host.studio_thread import StudioThread
from genui_core.application.wrapper import Wrapper
from genui_core.domain.tool import Tool
from genui_core.errors import GenUiError

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView
    from genui_core.application.generation.view_studio import Work

Made = TypeVar("Made")
Step = Callable[[], None]


@define(eq=False)
class _Loop:
    """The event loop in which work was asked for last."""

    token: EventLoopToken | None = None

    def post(self, step: Step) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended
            if self.token is not None:
                from_thread.run_sync(step, token=self.token)


class LoopStudio(StudioThread):
    """A studio whose steps are taken in the event loop that asks for work."""

    def __init__(self, wrapper: Wrapper) -> None:
        self._loop = _Loop()

        def changed(tool: Tool, view: "PresentView") -> None:
            wrapper.view_changed(tool, view)

        super().__init__(wrapper, self._loop.post, changed)

    def run(
        self, work: "Work[Made]", then: Callable[[Made | GenUiError], None], report: Callable[[str], None]
    ) -> Step:
        """Have work done in the thread. Must be called in the event loop."""
        self._loop.token = current_token()
        return super().run(work, then, report)
