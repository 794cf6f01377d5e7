"""Reads and writes the view store: validates what it reads, and logs what happens."""

from attrs import define, frozen

from genui_core.application.generation.present_view import PresentView, present_view, with_report
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.context import ValidationContext
from genui_core.domain.validation.finding import Ruling
from genui_core.domain.views.stored_view import StoredView
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.identity import Identity
from genui_core.ports.view_store import ViewStore
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


@define(kw_only=True)
class ValidatedStore:
    """Reads views from the store and writes them.

    Args:
        store: The store of the views.
        clock: For their age.
        event_log: Logs hits, misses and writes.
        revalidation: Validates views from a store that outlives the process; None for other stores.
    """

    store: ViewStore
    clock: Clock
    event_log: EventLog
    revalidation: Revalidation | None = None

    async def find(self, facts: Facts, key: str) -> PresentView | None:
        """Return the view under a key, if it may still be served for that tool."""
        stored = await self.store.get(key)
        if stored is None or self.is_past(stored):
            return None
        return await self.fit(facts, present_view(stored))

    async def fit(self, facts: Facts, view: PresentView) -> PresentView | None:
        """Return a stored view as it may be served, or None if it may not."""
        if self.revalidation is None or view.stored is None:
            return view
        passed = await self.revalidation.passes(facts, view.stored)
        return None if passed is None else present_view(passed)

    async def keep(self, view: PresentView) -> None:
        """Write a finished view to the store, and log whether the store accepted it."""
        if view.stored is None:
            return
        began_ms = self.clock.monotonic_ms()
        kept = await self.store.set(view.stored)
        level, event = (Level.DEBUG, "set") if kept else (Level.INFO, "not_kept")
        taken_ms = self.clock.monotonic_ms() - began_ms
        self.note(level, event, view.stored.tool_name, view.key, view.stored.request_id, duration_ms=taken_ms)

    async def forget(self, tool: Tool) -> None:
        """Forget the views of a tool that is gone.

        Others may keep views of tools by the same name where we do: only those that were made for
        this definition go.
        """
        kept = (view for view in await self.store.entries() if view.tool_name == tool.name)
        await self.store.discard([view.key for view in kept if view.is_made_for(tool.hash)])

    def is_past(self, stored: StoredView | None) -> bool:
        """Whether an entry has expired."""
        return stored is not None and stored.is_past(self.clock.now())

    def note(
        self, level: Level, event: str, tool_name: str, key: str, request_id: str, **more: object
    ) -> None:
        """Log what happened to a tool's view."""
        self.event_log.record(
            level, "cache", event, tool_name=tool_name, cache_key=key, request_id=request_id, **more
        )
