"""Which view each tool has now, and how it comes by one (SPEC §3, §4, §9).

A read is answered from what is at hand: the view that was finished last, the store, or, within
a reader's patience, a generation that all readers of the same view share. Whoever cannot wait
is served the minimal UI and told when the view is there.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from anyio.abc import TaskGroup
from attrs import Factory, define, evolve, field

from genui_core.application.generation.flights import Flights
from genui_core.application.generation.generator import Assignment, Generator
from genui_core.application.generation.present_view import (
    PresentView,
    Version,
    ViewState,
    context_of,
    present_view,
)
from genui_core.domain.cache_key import ViewConfiguration, cache_key
from genui_core.domain.classification import UiType
from genui_core.domain.generation import Failure, Outcome
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.refinements import Refinements
from genui_core.domain.stored_view import StoredView
from genui_core.domain.tool import Tool
from genui_core.ports.clock import Clock
from genui_core.ports.journal import Journal, Level
from genui_core.ports.view_store import ViewStore

MOST_VERSIONS = 50
"""How many views of one tool are remembered for the way back."""

Report = Callable[[str], None]


def _no_report(_words: str) -> None:
    """Tell nobody."""


@define(kw_only=True)
class ViewKeeper:
    """Keeps and makes the views of one upstream's tools. Used from one event loop.

    Args:
        generator: Who makes views.
        store: Where they are kept.
        configuration: What else decides about a view, for the key.
        facts: Tells what a model may know of a tool, the wishes left out.
        clock: For the age of fallbacks.
        journal: Where hits, misses and fallbacks are noted.
        tasks: What generations run in; it outlives every request.
        changed: Called with a tool's name when its view is another than was served before.
        fallback_ttl_ms: ``cache.fallbackTtlMs``.
    """

    generator: Generator
    store: ViewStore
    configuration: ViewConfiguration
    facts: Callable[[Tool], Facts]
    clock: Clock
    journal: Journal
    tasks: TaskGroup
    changed: Callable[[str], None]
    fallback_ttl_ms: int = 300_000
    _flights: Flights[PresentView] = field(init=False)
    _present: dict[str, PresentView] = Factory(dict)
    _refinements: dict[str, Refinements] = Factory(dict)
    _kinds: dict[str, UiType] = Factory(dict)
    _versions: dict[str, list[Version]] = Factory(dict)

    @_flights.default
    def _none_under_way(self) -> Flights[PresentView]:
        return Flights(self.tasks)

    def refinements(self, tool: Tool) -> Refinements:
        """Return the wishes for a tool's view so far."""
        return self._refinements.get(
            tool.name, Refinements(most=self.generator.limits.max_refinement_history)
        )

    def key(self, tool: Tool, refinements: Refinements | None = None) -> str:
        """Return the key of the view that a tool should have, with its wishes or with others."""
        wishes = refinements or self.refinements(tool)
        return cache_key(tool, self.configuration.hash_for(tool.name), wishes.hash)

    def at_hand(self, tool: Tool) -> PresentView | None:
        """Return the tool's view if it can be served without asking anybody."""
        present = self._present.get(tool.name)
        if present is None or present.key != self.key(tool) or self._is_past(present.stored):
            return None
        return present

    async def read(self, tool: Tool, request_id: str, report: Report = _no_report) -> PresentView:
        """Return the view to serve now, within ``serveWithinMs``.

        Args:
            tool: Whose.
            request_id: Of the read.
            report: Told of progress, in words for a person.
        """
        present = self.at_hand(tool)
        if present is not None and present.state is not ViewState.PROVISIONAL:
            return present
        key = self.key(tool)
        patience_s = self.generator.settings.serve_within_ms / 1000
        found = await self._flights.join(
            key, lambda: self._from_store_or_model(tool, key, request_id, report), patience_s=patience_s
        )
        return found or self._provisional(tool, key)

    async def _from_store_or_model(
        self, tool: Tool, key: str, request_id: str, report: Report
    ) -> PresentView:
        stored = await self.store.get(key)
        if stored is not None and not self._is_past(stored):
            self._note(Level.DEBUG, "hit", tool, key, request_id)
            return self._settle(tool, present_view(stored))
        self._note(Level.DEBUG, "miss", tool, key, request_id)
        view = await self.make(self.assignment(tool, request_id), key, report)
        if view.stored is not None:
            await self.store.set(view.stored)
        return self._settle(tool, view)

    def assignment(self, tool: Tool, request_id: str) -> Assignment:
        """Return the task of making a tool's view from nothing but its wishes."""
        return Assignment(
            facts=evolve(self.facts(tool), refinements=self.refinements(tool).feedback),
            request_id=request_id,
            ui_type=self._kinds.get(tool.hash, UiType.UNDETERMINED),
        )

    async def make(self, assignment: Assignment, key: str, report: Report) -> PresentView:
        """Return what a generation comes to. It is neither kept nor the present view yet."""
        started_ms, began = self.clock.monotonic_ms(), self.clock.now()
        outcome = await self.generator.generate(assignment, report)
        stored = StoredView(
            key=key,
            tool_name=assignment.facts.tool.name,
            html=outcome.source,
            generated_at=self.clock.now().isoformat(timespec="milliseconds"),
            generation_duration_ms=self.clock.monotonic_ms() - started_ms,
            prompt_version=self.configuration.prompt_set_version,
            template_version=self.configuration.template_version,
            request_id=assignment.request_id,
            llm_model=outcome.model,
            context=context_of(outcome, self.configuration.mode),
            findings=tuple(each.as_data() for each in outcome.findings),
            expires_at=None if outcome.failure is None else self._end_of_fallback(began),
        )
        if outcome.failure is not None:
            self._note_fallback(outcome.failure, outcome, stored)
        return present_view(stored)

    async def adopt(
        self, tool: Tool, view: PresentView, occasion: str, refinements: Refinements | None = None
    ) -> None:
        """Make a finished view the present one, with the wishes it fulfils."""
        if refinements is not None:
            self._refinements[tool.name] = refinements
        if view.stored is not None:
            await self.store.set(view.stored)
        self._settle(tool, view, occasion)

    def versions(self, tool: Tool) -> tuple[Version, ...]:
        """Return every view the tool has had, as far as they are remembered, oldest first."""
        return tuple(self._versions.get(tool.name, ()))

    def decide_kind(self, tool: Tool, ui_type: UiType) -> None:
        """Remember what kind of view a tool gets: a person said so."""
        self._kinds[tool.hash] = ui_type

    def forget(self, tool_name: str) -> None:
        """Forget view and wishes of a tool that is gone (SPEC W11). The store is told elsewhere."""
        for remembered in (self._present, self._refinements, self._versions):
            remembered.pop(tool_name, None)

    def _settle(self, tool: Tool, view: PresentView, occasion: str = "first use") -> PresentView:
        """Make a finished view the present one, unless the tool should have another by now."""
        if view.key != self.key(tool):
            return view
        kind = view.stored.context.get("uiType") if view.stored else None
        if kind in tuple(UiType) and view.state is not ViewState.FALLBACK:
            self._kinds[tool.hash] = UiType(str(kind))
        before = self._present.get(tool.name)
        self._present[tool.name] = view
        self._remember(tool, view, occasion)
        if before is not None and (before.state, before.source) != (view.state, view.source):
            self.changed(tool.name)
        return view

    def _remember(self, tool: Tool, view: PresentView, occasion: str) -> None:
        versions = self._versions.setdefault(tool.name, [])
        if view.state is ViewState.FALLBACK or any(each.view.source == view.source for each in versions):
            return
        number = versions[-1].number + 1 if versions else 1
        versions.append(
            Version(number=number, view=view, refinements=self.refinements(tool), occasion=occasion)
        )
        del versions[:-MOST_VERSIONS]

    def _provisional(self, tool: Tool, key: str) -> PresentView:
        present = self._present.get(tool.name)
        if present is None or present.key != key:
            present = self._present[tool.name] = PresentView(state=ViewState.PROVISIONAL, key=key)
        return present

    def _is_past(self, stored: StoredView | None) -> bool:
        return stored is not None and stored.is_past(self.clock.now())

    def _end_of_fallback(self, began: datetime) -> str:
        return (began + timedelta(milliseconds=self.fallback_ttl_ms)).isoformat(timespec="milliseconds")

    def _note(self, level: Level, event: str, tool: Tool, key: str, request_id: str, **more: object) -> None:
        self.journal.record(
            level, "cache", event, tool_name=tool.name, cache_key=key, request_id=request_id, **more
        )

    def _note_fallback(self, failure: Failure, outcome: Outcome, stored: StoredView) -> None:
        self.journal.record(
            Level.WARN,
            "ui_generator",
            "fallback_used",
            tool_name=stored.tool_name,
            cache_key=stored.key,
            request_id=stored.request_id,
            reason=failure.reason,
            errors=[each.rule for each in outcome.findings],
            fallbackType="minimal_template",
        )
