"""Serves frozen views: those of an export, for tools that have not changed since."""

from attrs import frozen

from genui_core.application.generation.present_view import PresentView, present_view, with_report
from genui_core.application.generation.view_state import ViewState
from genui_core.application.services import Services
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.context import ValidationContext
from genui_core.domain.validation.finding import Ruling, ValidationReport
from genui_core.domain.views.exported_views import ExportedSource
from genui_core.domain.views.frozen_views import FrozenView, FrozenViews, stored_view
from genui_core.ports.event_log import Level


@frozen
class FrozenMaker:
    """Gives tools the views that were made for them, as long as they are the tools they were.

    Args:
        services: The wrapper's collaborators.
        views: The frozen views.
    """

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
        context = ValidationContext(
            mode=written.mode,
            callable_tools=facts.callable_names,
            nonce=self._services.identity.nonce(),
            strict=self._services.settings.generation.strict,
        )
        report = await self._services.validator.validate(view.source, context)
        if report.ruling in (Ruling.ACCEPTED, Ruling.REPAIRED):
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
