"""Views that exist already, stored or frozen: validates them again before they are served, and logs what happens."""

from collections.abc import Collection

from attrs import frozen

from genui_core.application.generation.present_view import PresentView, present_view, with_report
from genui_core.application.services import Services
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.settings.llm_settings import GenerationMode
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import ValidationReport
from genui_core.domain.views.exported_views import ExportedSource, FrozenView, FrozenViews, stored_view
from genui_core.domain.views.stored_view import StoredView
from genui_core.ports.event_log import Level


async def validated(
    services: Services, source: str, mode: GenerationMode, callable_tools: frozenset[str], nonce: str = ""
) -> ValidationReport:
    """Return the report on a view that no generation of this process wrote; it may not hold its prompt's nonce."""
    context = ValidationContext(
        mode=mode,
        callable_tools=callable_tools,
        nonce=nonce or services.identity.nonce(),
        strict=services.settings.generation.strict,
    )
    return await services.validator.validate(source, context)


@frozen
class ValidatedStore:
    """Reads views from the store and writes them.

    A stored view that may be older than this process is validated again: it is a miss if others
    tampered with it, or if the current rules refuse it.
    """

    _services: Services

    async def find(self, facts: Facts, key: str, had: Collection[str] = ()) -> PresentView | None:
        """Return the view under a key, if it may still be served for that tool and its source is not in ``had``."""
        stored = await self._services.store.get(key)
        if stored is None or stored.html in had or self.is_past(stored):
            return None
        return await self.fit(facts, present_view(stored))

    async def fit(self, facts: Facts, view: PresentView) -> PresentView | None:
        """Return a stored view as it may be served, or None if it may not."""
        if view.stored is None or not self._services.views_outlive_process:
            return view
        passed = await self._passed(facts, view.stored)
        return None if passed is None else present_view(passed)

    async def _passed(self, facts: Facts, stored: StoredView) -> StoredView | None:
        """Return a view as it may be served, or None where it may not."""
        if not stored.html:
            return stored
        mode = present_view(stored).mode
        try:
            report = await validated(self._services, stored.html, mode, facts.callable_names)
        except Exception as error:  # noqa: BLE001 -- not validated is not served, whatever was in the way
            self._log_refusal(stored, [], repr(error))
            return None
        if report.is_valid:
            return with_report(stored, report)
        self._log_refusal(stored, [each.rule for each in report.findings], "it breaks a validation rule")
        return None

    def _log_refusal(self, stored: StoredView, errors: list[str], reason: str) -> None:
        self._services.event_log.record(
            Level.WARN,
            "validator",
            "found_view_refused",
            tool_name=stored.tool_name,
            cache_key=stored.key,
            errors=errors,
            reason=reason,
        )

    async def keep(self, view: PresentView) -> None:
        """Write a finished view to the store, and log whether the store accepted it."""
        if view.stored is None:
            return
        began_ms = self._services.clock.monotonic_ms()
        kept = await self._services.store.set(view.stored)
        level, event = (Level.DEBUG, "set") if kept else (Level.INFO, "not_kept")
        taken_ms = self._services.clock.monotonic_ms() - began_ms
        self.note(level, event, view.stored.tool_name, view.key, view.stored.request_id, duration_ms=taken_ms)

    async def forget(self, tool: Tool) -> None:
        """Forget the views of a tool that is gone.

        Others may keep views of tools by the same name where we do: only those that were made for
        this definition go.
        """
        kept = (view for view in await self._services.store.entries() if view.tool_name == tool.name)
        await self._services.store.discard([view.key for view in kept if view.is_made_for(tool.hash)])

    def is_past(self, stored: StoredView | None) -> bool:
        """Whether an entry has expired."""
        return stored is not None and stored.is_past(self._services.clock.now())

    def note(
        self, level: Level, event: str, tool_name: str, key: str, request_id: str, **more: object
    ) -> None:
        """Log what happened to a tool's view."""
        self._services.event_log.record(
            level, "cache", event, tool_name=tool_name, cache_key=key, request_id=request_id, **more
        )


@frozen
class FrozenMaker:
    """Gives tools the views that were made for them, as long as they are the tools they were."""

    _services: Services
    views: FrozenViews

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
        report = await validated(self._services, view.source, written.mode, facts.callable_names)
        if report.is_valid:
            return report
        rules = ", ".join(dict.fromkeys(each.rule for each in report.findings))
        return f"it does not pass the checks of views: {rules}"

    def _obstacle(self, view: FrozenView) -> str | None:
        if view.entry.kit_api_version != self._services.configuration.kit_api_version:
            return f"it was made for version {view.entry.kit_api_version} of the kit"
        if view.entry.template_version != self._services.configuration.template_version:
            return f"it was made for version {view.entry.template_version} of the page"
        return None

    def _tell(self, tool: Tool, reason: str, request_id: str) -> None:
        self._services.event_log.record(
            Level.WARN,
            "wrapper",
            "frozen_view_not_served",
            tool_name=tool.name,
            request_id=request_id,
            reason=reason,
        )


def _minimal(view: FrozenView) -> PresentView:
    return PresentView(state=ViewState.MINIMAL, key=view.entry.cache_key)
