"""Makes views with a model: waits for a shape, runs the generation, returns the view to store (SPEC §4)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

import anyio
from attrs import Factory, evolve, field, frozen

from genui_core.application.generation.generation_run import (
    GenerationRun,
    GenerationSlots,
    GenerationTask,
    log_step,
)
from genui_core.application.generation.present_view import PresentView, context_of, present_view
from genui_core.application.services import Services
from genui_core.domain.generation.machine import Failure, Outcome
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


def _slots(generator: "Generator") -> GenerationSlots:
    return GenerationSlots(generator.services.settings.generation.max_concurrent)


@frozen(kw_only=True)
class Generator:
    """Makes views, one call at a time or many at once.

    Attributes:
        prepare_validator: Called when a model starts to write, so that the validator can start its process.
        slots: How many generations may be under way at once; the others wait in their order, and
            their budgets run.
    """

    services: Services
    llm: LLMProvider
    shapes: ShapeSource | None = None
    prepare_validator: Callable[[], None] = lambda: None
    slots: GenerationSlots = field(default=Factory(_slots, takes_self=True))

    async def make(self, task: GenerationTask, key: str, report: Callable[[str], None]) -> PresentView:
        """Return the view that a generation makes: the minimal view if it fails."""
        clock = self.services.clock
        started_ms, began = clock.monotonic_ms(), clock.now()
        task = await self.with_shape(task)
        outcome = await self.generate(task, report)
        stored = self._stored(task, outcome, key, clock.monotonic_ms() - started_ms, began)
        if outcome.failure is None:
            return present_view(stored)
        self._log_fallback(outcome.failure, outcome, stored)
        if outcome.failure.is_of_asker:
            return PresentView(state=ViewState.FALLBACK, key=key, reason=outcome.failure.reason)
        return present_view(stored)

    def _stored(
        self, task: GenerationTask, outcome: Outcome, key: str, taken_ms: int, began: datetime
    ) -> StoredView:
        configuration = self.services.configuration
        was_decided = task.ui_type is not UiType.UNDETERMINED
        return StoredView(
            key=key,
            tool_name=task.facts.tool.name,
            html=outcome.source,
            generated_at=self.services.clock.now().isoformat(timespec="milliseconds"),
            generation_duration_ms=taken_ms,
            prompt_version=configuration.prompt_set_version,
            template_version=configuration.template_version,
            request_id=task.request_id,
            llm_model=outcome.model,
            context=context_of(outcome, configuration.mode, task.facts, was_decided=was_decided),
            findings=tuple(each.as_data() for each in outcome.findings),
            expires_at=None if outcome.failure is None else self._end_of_fallback(began),
        )

    def _end_of_fallback(self, began: datetime) -> str:
        ttl = timedelta(milliseconds=self.services.settings.cache.fallback_ttl_ms)
        return (began + ttl).isoformat(timespec="milliseconds")

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
        run = GenerationRun(self.services, self.llm, task, report)
        started_ms = self.services.clock.monotonic_ms()
        log = partial(log_step, self.services.event_log, task)
        log(Level.INFO, "ui_generator", "generation_started")
        try:
            outcome = await run.outcome(self.slots, self.prepare_validator)
        except BaseException:
            taken = self.services.clock.monotonic_ms() - started_ms
            log(Level.INFO, "ui_generator", "generation_cancelled", duration_ms=taken)
            raise
        taken = self.services.clock.monotonic_ms() - started_ms
        log(
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
        facts, waited_ms = self.latest(task.facts), 0
        while (
            shapes is not None
            and facts.learned_shape is None
            and waited_ms
            < min(MAX_SHAPE_WAIT_MS, self.services.settings.generation.timeout_ms - task.waited_ms)
            and shapes.is_under_way(name)
        ):
            await anyio.sleep(_LOOK_EVERY_S)
            facts, waited_ms = self.latest(facts), self.services.clock.monotonic_ms() - began_ms
        return evolve(task, facts=facts, waited_ms=task.waited_ms + waited_ms)
