"""Makes views with a model: waits for the shape of a result, and starts the generation (SPEC §4)."""

from collections.abc import Callable
from typing import Protocol

import anyio
from attrs import evolve, field, frozen

from genui_core.application.generation.generation_run import GenerationRun, GenerationTask, Prepare
from genui_core.application.generation.present_view import PresentView
from genui_core.application.generation.single_flight import GenerationSlots
from genui_core.application.services import Services
from genui_core.domain.prompting.prompts import Facts
from genui_core.ports.llm_provider import LLMProvider

MAX_SHAPE_WAIT_MS = 300
"""How long a generation waits for the result of a call that is under way when it starts."""
_LOOK_EVERY_S = 0.01


class ShapeSource(Protocol):
    """Knows the shapes of results. Used from the thread that makes views; never waits."""

    def latest(self, facts: Facts) -> Facts:
        """Return the facts with the shape of results, if one was learned since they were gathered."""

    def is_under_way(self, tool_name: str) -> bool:
        """Whether a call of this tool is under way, or its result is being looked at."""


@frozen(kw_only=True)
class Generator:
    """Makes views, one call at a time or many at once.

    Attributes:
        shapes: The shapes of results so far, and the calls whose results will show one.
        prepare: Called with what starts the validator's process when a model begins to write.
        slots: How many generations may be under way at once; the others wait in their order, and
            their budgets run.
    """

    services: Services
    llm: LLMProvider
    shapes: ShapeSource | None = None
    prepare: Prepare | None = None
    slots: GenerationSlots = field()

    @slots.default
    def _(self) -> GenerationSlots:
        return GenerationSlots(self.services.settings.generation.max_concurrent)

    async def make(self, task: GenerationTask, key: str, report: Callable[[str], None]) -> PresentView:
        """Return the view that a generation makes: the minimal view if it fails."""
        run = self.run(await self.with_shape(task), report)
        return run.view_of(await run.outcome(), key, began_after_ms=task.waited_ms)

    def run(self, task: GenerationTask, report: Callable[[str], None] = lambda _words: None) -> GenerationRun:
        """Return the run of a task, which is yet to begin."""
        return GenerationRun(self.services, self.llm, self.slots, task, self.prepare, report)

    def latest(self, facts: Facts) -> Facts:
        """Return the facts with the shape of results, if one was learned since they were gathered."""
        return facts if self.shapes is None else self.shapes.latest(facts)

    async def with_shape(self, task: GenerationTask) -> GenerationTask:
        """Return the task with the shape of results. A call that is under way is waited for; the budget runs."""
        shapes, facts, waited_ms = self.shapes, self.latest(task.facts), 0
        if shapes is None or not _is_awaited(facts, shapes):
            return evolve(task, facts=facts)
        clock, timeout_ms = self.services.clock, self.services.settings.generation.timeout_ms
        began_ms, most_ms = clock.monotonic_ms(), min(MAX_SHAPE_WAIT_MS, timeout_ms - task.waited_ms)
        while waited_ms < most_ms and _is_awaited(facts, shapes):
            await anyio.sleep(_LOOK_EVERY_S)
            facts, waited_ms = shapes.latest(facts), clock.monotonic_ms() - began_ms
        return evolve(task, facts=facts, waited_ms=task.waited_ms + waited_ms)


def _is_awaited(facts: Facts, shapes: ShapeSource) -> bool:
    return facts.learned_shape is None and shapes.is_under_way(facts.tool.name)
