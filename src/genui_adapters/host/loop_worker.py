"""The interface to the generation worker for transports that run on an event loop."""

import contextlib
from collections.abc import Callable
from threading import Timer
from typing import TYPE_CHECKING

from anyio.lowlevel import EventLoopToken, current_token
from attrs import define

from genui_adapters.host.worker_thread import WorkerThread
from genui_core.application.tool_views import ToolViews
from genui_core.domain.tools.tool import Tool

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView

Step = Callable[[], None]

_AFTER_ANSWER_S = 0.05


@define(eq=False)
class _TransportLoop:
    """The event loop in which work was asked for last."""

    token: EventLoopToken | None = None

    def post(self, step: Step) -> None:
        """Call a function in that loop. Does not wait for it, since that could deadlock."""
        loop = self.token.native_token if self.token is not None else None
        post: Callable[[Step], object] | None = getattr(loop, "call_soon_threadsafe", None) or getattr(
            loop,
            "run_sync_soon",
            None,  # Trio's
        )
        if post is not None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended
                post(step)


class LoopWorker(WorkerThread):
    """A generation worker whose steps are taken in the event loop that asks for work."""

    def __init__(self, views: ToolViews) -> None:
        self._transport_loop = _TransportLoop()
        self._was_told = False

        def changed(tool: Tool, view: "PresentView") -> None:
            views.view_changed(tool, view)

        super().__init__(views, self._transport_loop.post, changed)

    def get_ready(self) -> None:
        """Load what makes views in a moment: the answer that is being made goes first."""
        if not self._was_told:
            self._was_told = True
            timer = Timer(_AFTER_ANSWER_S, super().get_ready)
            timer.daemon = True
            timer.start()

    def _note_caller(self) -> None:
        """Remember the event loop that asks for the work."""
        self._transport_loop.token = current_token()
