"""Has a view made and says what came of it: an entry for the store, and a line in the log where it failed."""

from collections.abc import Callable
from datetime import datetime, timedelta

from attrs import frozen

from genui_core.application.generation.generator import Assignment, Generator
from genui_core.application.generation.present_view import PresentView, context_of, present_view, with_report
from genui_core.application.generation.view_state import ViewState
from genui_core.domain.generation.machine import Failure, Outcome
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.tools.classification import UiType
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.context import ValidationContext
from genui_core.domain.validation.finding import Ruling, ValidationReport
from genui_core.domain.views.cache_key import ViewConfiguration
from genui_core.domain.views.exported_views import ExportedSource
from genui_core.domain.views.frozen_views import FrozenView, FrozenViews, stored_view
from genui_core.domain.views.stored_view import StoredView
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.identity import Identity
from genui_core.ports.view_validator import ViewValidator


@frozen(kw_only=True)
class FrozenMaker:
    """Gives tools the views that were made for them, as long as they are the tools they were.

    Args:
        views: The views there are.
        configuration: Which kit and template views are served with.
        validator: Validates them.
        identity: For nonces.
        event_log: Told why a view is not served.
        strict: ``security.strict``.
    """

    views: FrozenViews
    configuration: ViewConfiguration
    validator: ViewValidator
    identity: Identity
    event_log: EventLog
    strict: bool = True

    def key(self, tool: Tool) -> str | None:
        """Return the key of a tool's frozen view, or None where there is none."""
        view = self.views.of(tool)
        return None if view is None else view.entry.cache_key

    async def view(self, facts: Facts, request_id: str) -> PresentView | None:
        """Return a tool's frozen view; the minimal UI where it cannot be served, None where there is none."""
        frozen_view = self.views.of(facts.tool)
        if frozen_view is None:
            known = facts.tool.name in self.views.by_tool
            reason = (
                "it was made for another definition of the tool" if known else "the export has none of it"
            )
            self._tell(facts.tool, reason, request_id)
            return None
        written = frozen_view.entry.source
        if written is None:
            return _minimal(frozen_view)
        return await self._validated(frozen_view, written, facts, request_id)

    async def _validated(
        self, view: FrozenView, written: ExportedSource, facts: Facts, request_id: str
    ) -> PresentView:
        try:
            validated = self._obstacle(view) or await self._report(view, written, facts)
        except Exception as error:  # noqa: BLE001 -- not validated is not served, whatever was in the way
            reason = f"the validator failed: {error!r}"
            self._tell(facts.tool, reason, request_id)
            return PresentView(state=ViewState.FALLBACK, key=view.entry.cache_key, reason=reason)
        if isinstance(validated, ValidationReport):
            return present_view(with_report(stored_view(view.entry, written, validated.source), validated))
        self._tell(facts.tool, validated, request_id)
        return _minimal(view)

    async def _report(
        self, view: FrozenView, written: ExportedSource, facts: Facts
    ) -> ValidationReport | str:
        """Return the report on a view that may be served, or why one may not."""
        context = ValidationContext(
            mode=written.mode,
            callable_tools=facts.callable_names,
            nonce=self.identity.nonce(),
            strict=self.strict,
        )
        report = await self.validator.validate(view.source, context)
        if report.ruling in (Ruling.ACCEPTED, Ruling.REPAIRED):
            return report
        rules = ", ".join(dict.fromkeys(each.rule for each in report.findings))
        return f"it does not pass the checks of views: {rules}"

    def _obstacle(self, view: FrozenView) -> str | None:
        if view.entry.kit_api_version != self.configuration.kit_api_version:
            return f"it was made for version {view.entry.kit_api_version} of the kit"
        if view.entry.template_version != self.configuration.template_version:
            return f"it was made for version {view.entry.template_version} of the page"
        return None

    def _tell(self, tool: Tool, reason: str, request_id: str) -> None:
        self.event_log.record(
            Level.WARN,
            "wrapper",
            "frozen_view_not_served",
            tool_name=tool.name,
            request_id=request_id,
            reason=reason,
        )


def _minimal(view: FrozenView) -> PresentView:
    return PresentView(state=ViewState.MINIMAL, key=view.entry.cache_key)


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
