"""Validates views again that come from a store which outlives the process (SPEC §9, §14)."""

from attrs import frozen

from genui_core.application.generation.present_view import with_report
from genui_core.domain.finding import Ruling
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.stored_view import StoredView
from genui_core.domain.validation.context import ValidationContext
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.identity import Identity
from genui_core.ports.view_validator import ViewValidator


@frozen(kw_only=True)
class Revalidation:
    """Treats a stored view as a miss if others tampered with it or if the current rules refuse it.

    Args:
        validator: Validates stored views with the same rules as new ones.
        strict: ``security.strict``.
        identity: For nonces.
        event_log: Logs views that are not served.
    """

    validator: ViewValidator
    strict: bool
    identity: Identity
    event_log: EventLog

    async def passes(self, facts: Facts, stored: StoredView) -> StoredView | None:
        """Return a view as it may be served, or None where it may not.

        Args:
            facts: The tool, and all tools that views may call. The prompt named only some of them, depending
                on
                the results that the wrapper had seen.
            stored: What was found.
        """
        if not stored.html:
            return stored
        context = ValidationContext(
            mode="document" if stored.context.get("mode") == "document" else "fragment",
            callable_tools=facts.callable_names,
            nonce=self.identity.nonce(),
            strict=self.strict,
        )
        try:
            report = await self.validator.validate(stored.html, context)
        except Exception as error:  # noqa: BLE001 -- not validated is not served, whatever was in the way
            self._note(stored, [], repr(error))
            return None
        if report.ruling in (Ruling.ACCEPTED, Ruling.REPAIRED):
            return with_report(stored, report)
        self._note(stored, [each.rule for each in report.findings], "it breaks a validation rule")
        return None

    def _note(self, stored: StoredView, errors: list[str], reason: str) -> None:
        self.event_log.record(
            Level.WARN,
            "validator",
            "found_view_refused",
            tool_name=stored.tool_name,
            cache_key=stored.key,
            errors=errors,
            reason=reason,
        )
