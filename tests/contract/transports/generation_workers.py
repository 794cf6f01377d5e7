"""Stand-ins for the generation worker: one that works at once, one whose work the test finishes."""

from collections.abc import Callable
from typing import TypeVar

import anyio
from attrs import Factory, define

from genui_core.application.tool_views import ToolViews
from genui_core.application.views.view_service import ViewService
from genui_core.application.worker.generation_worker import GenerationWorker, Work, WorkerParts
from genui_core.errors import GenUiError
from genui_core.ports.host_model import HostModel

Made = TypeVar("Made")


@define
class WorkerAtOnce(GenerationWorker):
    """A generation worker that works at once, with a new view service per work: only the store lasts."""

    _views: ToolViews

    def run(
        self,
        work: Work[Made],
        then: Callable[[Made | GenUiError], None],
        report: Callable[[str], None],
        host_model: HostModel | None = None,  # noqa: ARG002 -- no host is asked
    ) -> Callable[[], None]:
        """Do the work before returning. Must not be called in an event loop."""

        async def do() -> Made | GenUiError:
            async with anyio.create_task_group() as tasks:
                service = ViewService(
                    self._views.services,
                    tasks,
                    lambda _tool, _view: None,
                    self._views.tools,
                    self._views.shapes,
                )
                try:
                    made: Made | GenUiError = await work(WorkerParts(service), report)
                except GenUiError as error:
                    made = error
                tasks.cancel_scope.cancel()
            return made

        then(anyio.run(do))
        return lambda: None


@define(eq=False)
class HeldWorker(GenerationWorker):
    """A generation worker whose work only the test finishes.

    Attributes:
        finish: Per work, the function that takes its result.
        given_up: How often work was given up.
    """

    finish: list[Callable[..., None]] = Factory(list)
    given_up: int = 0

    def run(
        self,
        work: Work[Made],  # noqa: ARG002 -- the test makes the result
        then: Callable[[Made | GenUiError], None],
        report: Callable[[str], None],  # noqa: ARG002 -- no progress is made
        host_model: HostModel | None = None,  # noqa: ARG002 -- no model is asked
    ) -> Callable[[], None]:
        """Record the function that takes the result of the work."""
        self.finish.append(then)
        return self._give_up

    def _give_up(self) -> None:
        self.given_up += 1
