"""The generation worker: makes and changes the views of one wrapper, apart from the message traffic.

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
"""Returns the facts about a tool for a prompt, without its refinements."""

Made = TypeVar("Made")

MOST_WAITING: Final = 64
"""How many pages may wait at once; any other gets its answer without waiting."""
_LOOK_EVERY_S: Final = 0.05
_LOOKS_PER_STORE_READ: Final = 20


class ViewWaits:
    """Lets open pages wait for their tools' next views. It starts no generation."""

    def __init__(self, service: ViewService, editor: ViewEditor) -> None:
        self._service = service
        self._editor = editor
        self._waiting = 0
        self._looks = SingleFlight[None](service.tasks)

    async def next_view(self, facts: Facts, have: str, wait_s: float) -> PresentView | None:
        """Return a tool's present view; while another is being made, wait until the page's view is replaced.

        Args:
            facts: The facts about the tool.
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
        return self._service.present(tool)

    async def _wait_for_news(self, facts: Facts, have: str) -> None:
        """Poll for another view: generations, changes by a person and other wrappers all bring views."""
        seen, version, looks = None, view_version(""), count(1)
        while self.is_pending(facts.tool):
            view = self._service.present(facts.tool)
            if view is not seen:
                seen, version = view, view_version("" if view is None else view.source)
            if version != have:
                return
            await anyio.sleep(_LOOK_EVERY_S)
            if not next(looks) % _LOOKS_PER_STORE_READ:
                await self._look_into_store(facts)

    async def _look_into_store(self, facts: Facts) -> None:
        """Serve a view that another wrapper stored; all pages of one tool share a read of the store."""
        await self._looks.join(facts.tool.name, lambda: self._service.adopt_stored(facts), timeout_s=inf)

    def is_pending(self, tool: Tool) -> bool:
        """Whether a view of this tool is being made or changed now."""
        return self._service.is_being_made(tool) or self._editor.is_changing(tool)


class ViewWarming:
    """Makes views in advance, one after another in the order of the requests; readers come first.

    A view that was cancelled because a reader needed the slot is made later. If the model fails, the
    remaining views are dropped: the next read asks the model again.
    """

    def __init__(self, service: ViewService) -> None:
        self._service = service
        self._waiting: dict[str, tuple[Tool, FactsOf]] = {}
        self._is_busy = False

    def warm(self, tools: Iterable[Tool], facts_of: FactsOf) -> None:
        """Make the views of these tools, too; views that exist already cost nothing."""
        self._waiting.update((tool.name, (tool, facts_of)) for tool in tools)
        if not self._is_busy:
            self._is_busy = True
            self._service.tasks.start_soon(self._work)

    def drop(self, tool_name: str) -> None:
        """Do not make the view of a tool that was removed."""
        self._waiting.pop(tool_name, None)

    async def _work(self) -> None:
        try:
            while self._waiting:
                await self._service.slots.wait_for_spare()
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
                facts_of(tool), self._service.services.identity.request_id(), timeout_s=inf
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
    """The parts of a running generation worker that make and change views; created on first use.

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
        """Returns prompts, and accepts views that the host's own model wrote."""
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
    """The transport's interface to the generation worker; for the transport's thread. It never blocks."""

    def get_ready(self) -> None:
        """Start the generation worker if that takes time, because work may follow."""

    def close(self) -> None:
        """Cancel the work under way, and finish pending writes."""

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
            A function that cancels the work; after that, neither ``then`` nor ``report`` is called.
        """


class NoWorker(GenerationWorker):
    """A generation worker that makes no views: each request for one gets an error."""

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
        """Pass an error to ``then``."""
        then(GenUiError("This transport started no generation worker, so it cannot make views."))
        return lambda: None
