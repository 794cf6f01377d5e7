"""The generation worker: makes and changes the views of one wrapper, apart from the traffic.

It runs in one event loop, which may differ from the transport's. The transport gives it `Work`: a
function that the worker calls in its own loop and that returns a value (ARCHITECTURE 7, 8). Between
requests it makes views in advance (``generation.prefetch``). Open pages wait here for the views that are
being made for their tools (``_ui_view``).
"""

from collections.abc import Awaitable, Callable, Iterable
from functools import cached_property
from itertools import count
from math import inf
from typing import Final, Protocol, TypeAlias, TypeVar

import anyio
from anyio.lowlevel import checkpoint
from attrs import frozen

from genui_core.application.generation.present_view import PresentView
from genui_core.application.generation.single_flight import SingleFlight
from genui_core.application.views.view_editor import ViewDrafts, ViewEditor
from genui_core.application.views.view_service import Report, ViewService
from genui_core.domain.generation.outcome import FailureKind
from genui_core.domain.pages.minimal_view import view_version
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.tool import Tool
from genui_core.errors import GenUiError
from genui_core.ports.event_log import Level
from genui_core.ports.host_model import HostModel

FactsOf = Callable[[Tool], Facts]
"""Returns what a prompt may say about a tool, without the refinements."""

Made = TypeVar("Made")

MOST_WAITING: Final = 64
"""How many pages may wait at once; any other gets its answer without waiting."""
_LOOK_EVERY_S: Final = 0.05
_LOOKS_PER_STORE_READ: Final = 20


class ViewWaits:
    """Returns present views to open pages. It starts no generation."""

    def __init__(self, service: ViewService, editor: ViewEditor) -> None:
        self._service = service
        self._editor = editor
        self._waiting = 0
        self._looks = SingleFlight[None](service.tasks)

    async def next_view(self, facts: Facts, have: str, wait_s: float) -> PresentView | None:
        """Return the present view of a tool: at once if it is another, or if none is being made.

        Args:
            facts: The tool.
            have: The version of the view on the page.
            wait_s: How long the page waits at most, in seconds.
        """
        tool = facts.tool
        await self._service.recall(facts)
        await self._look_into_store(facts)
        if self._waiting < MOST_WAITING:
            self._waiting += 1
            try:
                with anyio.move_on_after(wait_s):
                    await self._wait_for_news(facts, have)
            finally:
                self._waiting -= 1
        return self._service.at_hand(tool)

    async def _wait_for_news(self, facts: Facts, have: str) -> None:
        """Look again and again: generations, changes by a person and other wrappers all bring views."""
        seen, version, looks = None, view_version(""), count(1)
        while self.is_pending(facts.tool):
            view = self._service.at_hand(facts.tool)
            if view is not seen:
                seen, version = view, view_version("" if view is None else view.source)
            if version != have:
                return
            await anyio.sleep(_LOOK_EVERY_S)
            if not next(looks) % _LOOKS_PER_STORE_READ:
                await self._look_into_store(facts)

    async def _look_into_store(self, facts: Facts) -> None:
        """Take up what another wrapper stored; all pages of one tool share a look."""
        await self._looks.join(facts.tool.name, lambda: self._service.take_up(facts), patience_s=inf)

    def is_pending(self, tool: Tool) -> bool:
        """Whether a view of this tool is being made or changed now."""
        return self._service.is_being_made(tool) or self._editor.is_changing(tool)


class ViewWarming:
    """Makes one view after the other, in the order in which they were wished for, behind all readers.

    A view that a reader's took the place of is made later. Where the model cannot be asked, the
    rest is let go: the first reader will find out whether it can be asked again.
    """

    def __init__(self, service: ViewService) -> None:
        self._service = service
        self._waiting: dict[str, tuple[Tool, FactsOf]] = {}
        self._is_busy = False

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
                await self._service.slots.spare()
                await self._make_next()
        finally:
            self._is_busy = False

    async def _make_next(self) -> None:
        name = next(iter(self._waiting), None)
        if name is None:  # the tool was dropped in the meantime
            return
        wanted = self._waiting[name]
        with self._service.slots.yielding() as scope:
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


@frozen(slots=False)
class WorkerParts:
    """The parts that make and change views, in an open generation worker. Each is made when first asked for.

    Attributes:
        service: Holds the view of each tool.
    """

    service: ViewService

    @cached_property
    def editor(self) -> ViewEditor:
        """Changes views on a person's request."""
        return ViewEditor(self.service)

    @cached_property
    def drafts(self) -> ViewDrafts:
        """Takes views that the host's own model wrote."""
        return ViewDrafts(self.service)

    @cached_property
    def warming(self) -> ViewWarming:
        """Makes views before a host reads them."""
        return ViewWarming(self.service)

    @cached_property
    def waits(self) -> ViewWaits:
        """Lets open pages wait for their next view."""
        return ViewWaits(self.service, self.editor)


Work: TypeAlias = Callable[[WorkerParts, Report], Awaitable[Made]]
"""A function that the generation worker runs; it reports its progress in words for a person."""


class GenerationWorker(Protocol):
    """The transport's interface to the generation worker. The transport's thread calls it, and it never blocks."""

    def get_ready(self) -> None:
        """Set the generation worker up if that takes time: work may follow."""

    def close(self) -> None:
        """Give up what is under way, and finish what is being written."""

    def run(
        self,
        work: Work[Made],
        then: Callable[[Made | GenUiError], None],
        report: Report,
        host_model: HostModel | None = None,
    ) -> Callable[[], None]:
        """Run work.

        Args:
            work: The function to run.
            then: Called in the transport's thread with the result, or with the error that the work raised.
            report: Called in the transport's thread with progress, in words for a person.
            host_model: The model of the host that sent the request, if it offers sampling.

        Returns:
            What gives the work up. After it was called, neither ``then`` nor ``report`` is.
        """


class NoWorker(GenerationWorker):
    """Makes no views: each request for one gets an error."""

    def get_ready(self) -> None:
        """Nothing has to be set up."""

    def close(self) -> None:
        """Nothing is under way."""

    def run(
        self,
        work: Work[Made],  # noqa: ARG002 -- no work is done
        then: Callable[[Made | GenUiError], None],
        report: Report,  # noqa: ARG002 -- no progress is made
        host_model: HostModel | None = None,  # noqa: ARG002 -- no model is asked
    ) -> Callable[[], None]:
        """Answer with an error."""
        then(GenUiError("This transport started no generation worker, so it cannot make views."))
        return lambda: None
