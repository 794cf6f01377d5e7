"""Makes views with a model: waits for a shape, runs the generation, returns the view to store (SPEC §4)."""

from collections.abc import Callable
from typing import Protocol

import anyio
from attrs import evolve, field, frozen

from genui_core.application.generation.generation_run import GenerationRun, GenerationTask
from genui_core.application.generation.present_view import PresentView, present_view, stored_outcome
from genui_core.application.generation.single_flight import GenerationSlots, SingleFlight
from genui_core.application.services import Services
from genui_core.domain.generation.outcome import Failure, Outcome
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.classification import UiType, ViewState
from genui_core.domain.views.stored_view import StoredView
from genui_core.ports.event_log import Level
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
        preparations: Runs the start of the validator's process while a model begins to write.
        slots: How many generations may be under way at once; the others wait in their order, and
            their budgets run.
    """

    services: Services
    llm: LLMProvider
    shapes: ShapeSource | None = None
    preparations: SingleFlight[None] | None = None
    slots: GenerationSlots = field()

    @slots.default
    def _(self) -> GenerationSlots:
        return GenerationSlots(self.services.settings.generation.max_concurrent)

    async def make(self, task: GenerationTask, key: str, report: Callable[[str], None]) -> PresentView:
        """Return the view that a generation makes: the minimal view if it fails."""
        services, clock = self.services, self.services.clock
        started_ms, began = clock.monotonic_ms(), clock.now()
        task = await self.with_shape(task)
        outcome = await self.generate(task, report)
        stored = stored_outcome(
            services,
            task.facts,
            outcome,
            key,
            task.request_id,
            mode=services.settings.generation.mode,
            taken_ms=clock.monotonic_ms() - started_ms,
            began=began,
            was_decided=task.ui_type is not UiType.UNDETERMINED,
        )
        if outcome.failure is None:
            return present_view(stored)
        self._log_fallback(outcome.failure, outcome, stored)
        if outcome.failure.is_of_asker:
            return PresentView(state=ViewState.FALLBACK, key=key, reason=outcome.failure.reason)
        return present_view(stored)

    def _log_fallback(self, failure: Failure, outcome: Outcome, stored: StoredView) -> None:
        self.services.event_log.record(
            Level.WARN,
            "ui_generator",
            "fallback_used",
            tool_name=stored.tool_name,
            cache_key=stored.key,
            request_id=stored.request_id,
            reason=failure.reason,
            errorType=str(failure.kind),
            errors=[each.rule for each in outcome.findings],
            fallbackType="minimal_template",
        )

    async def generate(
        self, task: GenerationTask, report: Callable[[str], None] = lambda _words: None
    ) -> Outcome:
        """Return the view, or the minimal UI and why.

        It never raises but for being cancelled, and then the model's connection ends at once.
        """
        run = GenerationRun(self.services, self.llm, task, self.preparations, report)
        started_ms = self.services.clock.monotonic_ms()
        run.log(Level.INFO, "ui_generator", "generation_started")
        try:
            outcome = await run.outcome(self.slots)
        except BaseException:
            taken = self.services.clock.monotonic_ms() - started_ms
            run.log(Level.INFO, "ui_generator", "generation_cancelled", duration_ms=taken)
            raise
        taken = self.services.clock.monotonic_ms() - started_ms
        run.log(
            Level.INFO,
            "ui_generator",
            "generation_completed",
            duration_ms=taken,
            outcome="fallback" if outcome.failure else "generated" if outcome.source else "minimal",
            ui_type=str(outcome.ui_type),
            model=outcome.model,
            input_tokens=outcome.input_tokens,
            output_tokens=outcome.output_tokens,
            repairs=list(outcome.repairs),
        )
        return outcome

    def latest(self, facts: Facts) -> Facts:
        """Return the facts with the shape of results, if one was learned since they were gathered."""
        return facts if self.shapes is None else self.shapes.latest(facts)

    async def with_shape(self, task: GenerationTask) -> GenerationTask:
        """Return the task with the shape of results. A call that is under way is waited for; the budget runs."""
        shapes, name, began_ms = self.shapes, task.facts.tool.name, self.services.clock.monotonic_ms()
        if shapes is None:
            return task
        most_ms = min(MAX_SHAPE_WAIT_MS, self.services.settings.generation.timeout_ms - task.waited_ms)
        facts, waited_ms = shapes.latest(task.facts), 0
        while facts.learned_shape is None and waited_ms < most_ms and shapes.is_under_way(name):
            await anyio.sleep(_LOOK_EVERY_S)
            facts, waited_ms = shapes.latest(facts), self.services.clock.monotonic_ms() - began_ms
        return evolve(task, facts=facts, waited_ms=task.waited_ms + waited_ms)
