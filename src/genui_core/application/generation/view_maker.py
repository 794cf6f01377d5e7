"""Has a view made and says what came of it: an entry for the store, and a line in the log where it failed."""

from collections.abc import Callable
from datetime import datetime, timedelta

from attrs import frozen

from genui_core.application.generation.generator import Assignment, Generator
from genui_core.application.generation.present_view import PresentView, context_of, present_view
from genui_core.application.generation.view_state import ViewState
from genui_core.domain.cache_key import ViewConfiguration
from genui_core.domain.classification import UiType
from genui_core.domain.generation import Failure, Outcome
from genui_core.domain.stored_view import StoredView
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level


@frozen(kw_only=True)
class ViewMaker:
    """Makes views that no host gets yet.

    Args:
        generator: Who makes them; None where there is no model.
        configuration: What else decides about a view.
        clock: For durations, and the age of fallbacks.
        event_log: Where fallbacks are noted.
        fallback_ttl_ms: ``cache.fallbackTtlMs``.
    """

    generator: Generator | None
    configuration: ViewConfiguration
    clock: Clock
    event_log: EventLog
    fallback_ttl_ms: int

    async def make(self, assignment: Assignment, key: str, report: Callable[[str], None]) -> PresentView:
        """Return what a generation comes to, the minimal UI without a model."""
        if self.generator is None:
            return PresentView(state=ViewState.MINIMAL, key=key)
        started_ms, began = self.clock.monotonic_ms(), self.clock.now()
        assignment = await self.generator.with_shape(assignment)
        outcome = await self.generator.generate(assignment, report)
        failure, was_decided = outcome.failure, assignment.ui_type is not UiType.UNDETERMINED
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
            context=context_of(outcome, self.configuration.mode, assignment.facts, was_decided=was_decided),
            findings=tuple(each.as_data() for each in outcome.findings),
            expires_at=None if failure is None else self._end_of_fallback(began),
        )
        if failure is None:
            return present_view(stored)
        self._note_fallback(failure, outcome, stored)
        if failure.is_of_asker:
            return PresentView(state=ViewState.FALLBACK, key=key, reason=failure.reason)
        return present_view(stored)

    def _end_of_fallback(self, began: datetime) -> str:
        return (began + timedelta(milliseconds=self.fallback_ttl_ms)).isoformat(timespec="milliseconds")

    def _note_fallback(self, failure: Failure, outcome: Outcome, stored: StoredView) -> None:
        self.event_log.record(
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
