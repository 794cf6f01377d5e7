"""Makes views before anybody asks for them (``generation.prefetch``)."""

from collections.abc import Callable, Iterable
from math import inf

from anyio.lowlevel import checkpoint
from attrs import Factory, define, field

from genui_core.application.generation.generation_run import GenerationSlots
from genui_core.application.views.view_service import ViewService
from genui_core.domain.generation.machine import FailureKind
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.tools.tool import Tool
from genui_core.ports.event_log import Level

FactsOf = Callable[[Tool], Facts]
"""Returns what a prompt may say about a tool, without the refinements."""


@define
class ViewWarming:
    """Makes one view after the other, in the order in which they were wished for, behind all readers.

    A view that a reader's took the place of is made later. Where the model cannot be asked, the
    rest is let go: the first reader will find out whether it can be asked again.

    Args:
        service: Makes the views, and knows which exist.
        slots: The slots of all generations.
    """

    _service: ViewService
    _slots: GenerationSlots
    _waiting: dict[str, tuple[Tool, FactsOf]] = Factory(dict)
    _is_busy: bool = field(default=False, init=False)

    def warm(self, tools: Iterable[Tool], facts_of: FactsOf) -> None:
        """Have the views of these tools made as well; those that are there already cost nothing."""
        self._waiting.update((tool.name, (tool, facts_of)) for tool in tools)
        if not self._is_busy:
            self._is_busy = True
            self._service.tasks.start_soon(self._work)

    def let_go(self, tool_name: str) -> None:
        """Do not make the view of a tool that is gone."""
        self._waiting.pop(tool_name, None)

    async def _work(self) -> None:
        try:
            while self._waiting:
                await self._slots.spare()
                await self._make_next()
        finally:
            self._is_busy = False

    async def _make_next(self) -> None:
        name = next(iter(self._waiting), None)
        if name is None:  # the tool was dropped in the meantime
            return
        wanted = self._waiting[name]
        with self._slots.yielding() as scope:
            await self._make(*wanted)
        if scope.cancelled_caught:
            await checkpoint()  # let the generation that it made room for run first
        elif self._waiting.get(name) is wanted:  # and not replaced by a new tool of that name
            del self._waiting[name]

    async def _make(self, tool: Tool, facts_of: FactsOf) -> None:
        try:
            view = await self._service.read(
                facts_of(tool), self._service.services.identity.request_id(), patience_s=inf
            )
        except Exception as error:  # noqa: BLE001 -- no reader waits for it; the next reader gets the error
            self._service.services.event_log.record(
                Level.WARN, "ui_generator", "prefetch_failed", tool_name=tool.name, reason=repr(error)
            )
            return
        if view.error_type == FailureKind.FAILED and self._waiting:
            self._service.services.event_log.record(
                Level.WARN, "ui_generator", "prefetch_ended", reason=view.reason, left=len(self._waiting) - 1
            )
            self._waiting.clear()
