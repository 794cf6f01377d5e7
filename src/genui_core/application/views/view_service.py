"""The view service: holds each tool's present view, makes missing views (requirements U2, G5, C3).

A read returns the view that was finished last, or one from the store, or the result of a generation
that all readers of the same view share. A reader whose time limit passes gets the minimal view, and
a notification when the view is finished.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial
from math import inf

from anyio.abc import TaskGroup
from attrs import evolve

from genui_core.application.generation.generation_run import GenerationRun, GenerationTask
from genui_core.application.generation.present_view import PresentView
from genui_core.application.generation.shape_learning import ShapeLearning
from genui_core.application.generation.single_flight import GenerationLeases, GenerationSlots, SingleFlight
from genui_core.application.services import AT_ONCE_S, Services
from genui_core.application.upstream_tools import UpstreamTools
from genui_core.application.views.tool_memory import ToolMemory, ValidatedExport, ValidatedStore
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.classification import UiType, ViewState, classify
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.stored_view import Refinements
from genui_core.errors import ToolChanged
from genui_core.ports.event_log import Level

Report = Callable[[str], None]


def _no_report(_words: str) -> None:
    """Ignore progress."""


class ViewService:
    """Holds and makes the views of one upstream's tools. Used from one event loop.

    Args:
        services: The wrapper's collaborators.
        tasks: The task group of the generations; it outlives every request.
        changed: Called with a tool and its view when it differs from the view that was served before.
        tools: The upstream's tools, which the transport's thread updates.
        shapes: The shapes of results so far, which the transport's thread learns.

    Attributes:
        memory: The refinements and the earlier views of each tool.
        slots: Limits the generations under way; others wait in order, while their time limits run.
        removals: How often each tool was removed; a later tool of the same name is a different tool.
    """

    def __init__(
        self,
        services: Services,
        tasks: TaskGroup,
        changed: Callable[[Tool, PresentView], None],
        tools: UpstreamTools,
        shapes: ShapeLearning,
    ) -> None:
        """Create the parts that hold state."""
        self.services = services
        self.tasks = tasks
        self.changed = changed
        self.tools = tools
        self._present: dict[str, PresentView] = {}
        self._kinds: dict[str, UiType] = {}
        self._adopted: Counter[str] = Counter()
        self._failed_again: set[str] = set()
        self._missed: set[str] = set()
        self.slots = GenerationSlots(services.settings.generation.max_concurrent)
        self._shapes = shapes
        self._prepare = partial(SingleFlight[None](tasks).keep, "validator")
        self.stored = ValidatedStore(services)
        self.memory = ToolMemory(services, tools)
        self.removals: Counter[str] = Counter()
        self.leases = GenerationLeases(services)
        self._frozen = None if services.frozen is None else ValidatedExport(services, services.frozen)
        self._single_flight: SingleFlight[PresentView] = SingleFlight(tasks)
        self._writes: SingleFlight[None] = SingleFlight(tasks)

    def key(self, tool: Tool, refinements: Refinements | None = None) -> str:
        """Return the key of the view that a tool should have, with its present or other refinements."""
        refinements = refinements or self.memory.refinements(tool.name)
        made_before = None if self._frozen is None or refinements.all else self._frozen.key(tool)
        return made_before or self.services.configuration.cache_key(tool, refinements.hash)

    def present(self, tool: Tool) -> PresentView | None:
        """Return the tool's present view; None if it has none, or one that expired or has another key."""
        present = self._present.get(tool.name)
        if present is None or present.key != self.key(tool) or self.stored.is_past(present.stored):
            return None
        return present

    def is_being_made(self, tool: Tool) -> bool:
        """Whether a generation of the view that the tool should have is under way."""
        present = self.present(tool)  # a written view counts as made while it is being stored
        return self._single_flight.is_under_way(self.key(tool)) and not (present and present.source)

    async def read(
        self, facts: Facts, request_id: str, report: Report = _no_report, timeout_s: float | None = None
    ) -> PresentView:
        """Return the view to serve now.

        Args:
            facts: The tool, and what a prompt may say about it, without the refinements.
            request_id: The id of the read.
            report: Receives progress, in words for a person.
            timeout_s: How long the reader waits, in seconds; ``serveWithinMs`` by default. With a very short
                time, the reader waits for the store, but not for a generation that is under way.
        """
        await self.recall(facts)
        if (present := self._settled(facts)) is not None and not present.source:
            await self.adopt_stored(facts)
        if (present := self._settled(facts)) is not None:
            self.stored.log(Level.DEBUG, "hit", facts.tool.name, present.key, request_id)
            return present
        key = self.key(facts.tool)
        timeout_s = self.services.read_timeout_s() if timeout_s is None else timeout_s
        found = await self._single_flight.join(
            key,
            lambda: self._from_store_or_model(facts, key, request_id, report),
            timeout_s=0 if timeout_s <= AT_ONCE_S and key in self._missed else timeout_s,
        )
        if found is not None:
            return self.present(facts.tool) or found  # a person may have changed the view in the meantime
        present = self._present.get(facts.tool.name)
        if present is None or present.key != key:
            present = PresentView(state=ViewState.PROVISIONAL, key=key)
            self._present[facts.tool.name] = present
        return present

    async def _from_store_or_model(
        self, facts: Facts, key: str, request_id: str, report: Report
    ) -> PresentView:
        tool, adopted = facts.tool, self._adopted[facts.tool.name]
        frozen = None if self.memory.refinements(tool.name).all else self._frozen
        if frozen is not None and (made_before := await frozen.view(facts, request_id)) is not None:
            return self._settle(tool, made_before)
        if (found := await self._find_stored(facts, key, request_id)) is not None:
            return found
        elsewhere = partial(self.stored.log, Level.INFO, "generation_elsewhere", tool.name, key, request_id)
        async with self.leases.lease(key, self.tasks, elsewhere) as waited_ms:
            if waited_ms is not None and (found := await self._find_stored(facts, key, request_id)):
                return found
            self.stored.log(Level.DEBUG, "miss", tool.name, key, request_id)
            task = evolve(self.task_for(facts, request_id), waited_ms=waited_ms or 0)
            self._missed.add(key)
            try:
                return await self._generate(task, key, report, adopted)
            finally:
                self._missed.discard(key)

    async def _find_stored(self, facts: Facts, key: str, request_id: str) -> PresentView | None:
        """Return the stored view; None if its kind must be decided again (it is served until then)."""
        found = await self.stored.find(facts, key)
        if found is None:
            return None
        stays = not self._is_open(facts, found)
        if stays:
            self.stored.log(Level.DEBUG, "hit", facts.tool.name, key, request_id)
        settled = self._settle(facts.tool, found)
        return settled if stays else None

    def _is_open(self, facts: Facts, view: PresentView | None) -> bool:
        """Whether the kind of a view must be decided again: the decision did not know the present shape."""
        if view is None or self.services.llm is None or facts.tool.hash in self._failed_again:
            return False
        return view.is_decided_by_less_than(facts)

    async def _generate(self, task: GenerationTask, key: str, report: Report, adopted: int) -> PresentView:
        tool = task.facts.tool
        view = await self._make_by_shape(task, key, report)
        if self._adopted[tool.name] != adopted:  # a person has changed the view in the meantime
            return self._present.get(tool.name, view)
        settled = self._settle(tool, view)  # before it is stored, where `adopt_stored` would find it
        await self.stored.keep(view)
        await self.memory.save(tool.name, self._present.get(tool.name))
        return settled

    async def _make_by_shape(self, task: GenerationTask, key: str, report: Report) -> PresentView:
        """Make a view; decide a minimal view's kind again if a shape is known that the decision lacked."""
        view = self.present(task.facts.tool)
        if view is None or not self._is_open(task.facts, view):
            view = await self.make(task, key, report)
        facts = self._shapes.latest(task.facts)
        if not self._is_open(facts, view):
            return view
        again = await self.make(
            evolve(task, facts=facts, ui_type=self._configured_kind(facts.tool)), key, report
        )
        if again.state is not ViewState.FALLBACK:
            return again
        self._failed_again.add(facts.tool.hash)  # only one attempt: otherwise each read would make another
        return view

    def _settled(self, facts: Facts) -> PresentView | None:
        """Return the view that the next reader gets at once, if there is one."""
        present = self.present(facts.tool)
        is_settled = present is not None and present.is_settled and not self._is_open(facts, present)
        return present if is_settled else None

    def task_for(self, facts: Facts, request_id: str) -> GenerationTask:
        """Return the task of making a tool's view from its definition and its refinements."""
        tool, kind = facts.tool, self._configured_kind(facts.tool)
        if not self._is_open(facts, self.present(tool)):
            kind = self._kinds.get(tool.hash, kind)
        facts = evolve(facts, refinements=self.memory.refinements(tool.name).feedback)
        return GenerationTask(facts=facts, request_id=request_id, ui_type=kind)

    async def make(self, task: GenerationTask, key: str, report: Report) -> PresentView:
        """Run a generation and return its view, or the minimal view without a model; do not serve it yet."""
        services, timeout_ms = self.services, self.services.settings.generation.timeout_ms
        if services.llm is None:
            return PresentView(state=ViewState.MINIMAL, key=key)
        left_ms = timeout_ms - task.waited_ms
        facts, waited_ms = await self._shapes.wait_for_shape(task.facts, services.clock, left_ms)
        begun = evolve(task, facts=facts, waited_ms=task.waited_ms + waited_ms)
        run = GenerationRun(services, services.llm, self.slots, begun, self._prepare, report)
        return run.view_of(await run.outcome(), key, began_after_ms=task.waited_ms)

    async def adopt(
        self,
        tool: Tool,
        view: PresentView,
        occasion: str,
        refinements: Refinements | None = None,
        *,
        removals: int,
    ) -> None:
        """Make a finished view the present one, with the refinements that it contains.

        Args:
            tool: The tool, as it was when work on the view began.
            view: The view.
            occasion: Why the view was made, in words for a person.
            refinements: The refinements of the view; by default the tool's present ones.
            removals: How often the tool had been removed when the generation began.

        Raises:
            ToolChanged: The tool was changed or removed in the meantime; its present view stays.
        """
        if self.removals[tool.name] != removals or self.tools.is_replaced(tool):
            raise ToolChanged(tool.name)
        self._adopted[tool.name] += 1
        if refinements is not None:
            self.memory.set_refinements(tool.name, refinements)
        self._settle(tool, view, occasion)  # before any await, so that all of it happens or nothing

        async def write() -> None:
            await self.memory.save(tool.name, self._present.get(tool.name))
            await self.stored.keep(view)

        key = f"{tool.name} {self._adopted[tool.name]}"
        self._writes.keep(key, write)  # continues even if the caller is cancelled
        await self._writes.join(key, write, timeout_s=inf)

    def kind_of(self, tool: Tool) -> UiType:
        """Return the kind of view that a tool gets; undetermined if only a model can decide it."""
        known = self._kinds.get(tool.hash, self._configured_kind(tool))
        return classify(tool) if known is UiType.UNDETERMINED else known

    def _configured_kind(self, tool: Tool) -> UiType:
        return UiType(self.services.configuration.ui_type.get(tool.name, UiType.UNDETERMINED))

    def decide_kind(self, tool: Tool, ui_type: UiType) -> None:
        """Set the kind of a tool's view to the choice of a person."""
        self._kinds[tool.hash] = ui_type

    async def forget(self, tool: Tool) -> None:
        """Forget the views and the refinements of a removed tool (requirement W11)."""
        self._present.pop(tool.name, None)
        self._adopted[tool.name] += 1
        self.removals[tool.name] += 1
        await self.memory.forget(tool)  # first, since new refinements may arrive during the store's answer
        await self.stored.forget(tool)

    async def recall(self, facts: Facts) -> None:
        """Load the view and history that a tool had before a restart, or has from other wrappers."""
        tool = facts.tool
        view = await self.memory.recall(tool.name)
        if view is not None:
            view = await self.stored.revalidate(facts, view)
        if view is None or not self._is_due(tool, view):
            return
        before = self._present.get(tool.name)
        self._present[tool.name] = view
        if before is not None and (before.state, before.source) != (view.state, view.source):
            self.changed(tool, view)

    async def adopt_stored(self, facts: Facts) -> None:
        """Serve the view that another wrapper has stored for a tool, unless the tool has had it here."""
        tool, adopted, key = facts.tool, self._adopted[facts.tool.name], self.key(facts.tool)
        is_frozen = self._frozen is not None and self._frozen.key(tool) == key
        if is_frozen or not self.services.views_outlive_process:
            return
        had = {"", *(each.view.source for each in self.memory.versions(tool.name))}
        found = await self.stored.find(facts, key, had)
        if found is not None and found.source not in had and self._adopted[tool.name] == adopted:
            self._adopted[tool.name] += 1
            self._settle(tool, found, "found in the store")
            self._single_flight.give_up(key)

    def _is_due(self, tool: Tool, view: PresentView) -> bool:
        """Whether the tool should have this view."""
        return view.key == self.key(tool) and not self.tools.is_replaced(tool)

    def _settle(self, tool: Tool, view: PresentView, occasion: str = "first use") -> PresentView:
        """Make a finished view the present one, unless the tool should already have another.

        The first view of a tool causes no notification: its readers get that view.
        """
        if not self._is_due(tool, view):
            return view
        kind = view.context.get("uiType")
        if kind in tuple(UiType) and view.state is not ViewState.FALLBACK:
            self._kinds[tool.hash] = UiType(str(kind))
        before = self._present.get(tool.name)
        self._present[tool.name] = view
        self.memory.remember(tool.name, view, occasion)
        is_first = before is None and not self._adopted[tool.name]
        if not is_first and (before is None or (before.state, before.source) != (view.state, view.source)):
            self.changed(tool, view)
        return view
