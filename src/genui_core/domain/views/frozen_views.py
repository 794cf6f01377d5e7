"""Frozen views: views from an export folder, served without a model."""

from collections.abc import Mapping

from attrs import Factory, frozen

from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.exported_views import ExportedSource, ExportedView
from genui_core.domain.views.stored_view import StoredView


@frozen(kw_only=True)
class FrozenView:
    """One tool's view.

    Attributes:
        entry: The view's entry in the manifest.
        source: What a model wrote; "" for the minimal UI.
    """

    entry: ExportedView
    source: str = ""


def stored_view(entry: ExportedView, written: ExportedSource, source: str) -> StoredView:
    """Return a frozen view as stores keep views.

    Args:
        entry: The view's entry in the manifest.
        written: The manifest's facts about the source.
        source: The source after its last validation and repair.
    """
    return StoredView(
        key=entry.cache_key,
        tool_name=entry.tool,
        html=source,
        generated_at=written.generated_at,
        generation_duration_ms=written.generation_duration_ms,
        prompt_version=entry.prompt_version,
        template_version=entry.template_version,
        request_id=written.request_id,
        llm_model=written.llm_model,
        context={
            "toolHash": entry.tool_hash,
            "mode": written.mode,
            "uiType": entry.ui_type,
            "repairs": list(written.repairs),
        },
        findings=written.findings,
    )


@frozen
class FrozenViews:
    """Every view of a folder that is what it was when it was exported.

    Attributes:
        by_tool: By the names of their tools.
    """

    by_tool: Mapping[str, FrozenView] = Factory(dict)

    def of(self, tool: Tool) -> FrozenView | None:
        """Return the view that was made for a tool as it is defined now."""
        found = self.by_tool.get(tool.name)
        return found if found is not None and found.entry.tool_hash == tool.hash else None
