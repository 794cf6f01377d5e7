"""A tool's view as what leaves the wrapper: a page, what a model wrote, and what a manifest tells of both."""

from hashlib import sha256
from typing import Self

from attrs import frozen

from genui_core.application.generation.present_view import PresentView
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.cache_key import ViewConfiguration
from genui_core.domain.views.exported_views import (
    ExportedSource,
    ExportedView,
    page_file,
    schema_hash,
    source_file,
)
from genui_core.domain.views.stored_view import StoredView


@frozen
class ExportedPage:
    """The page of one view, and the facts that an export writes with it.

    Attributes:
        source: What a model wrote; "" for the minimal UI.
    """

    entry: ExportedView
    page: bytes
    source: bytes

    @classmethod
    def of(
        cls,
        tool: Tool,
        view: PresentView | None,
        page: str,
        cache_key: str,
        configuration: ViewConfiguration,
        kit_build: str,
    ) -> Self:
        """Return a view as it leaves."""
        stored = view.stored if view is not None and view.source else None
        written, source = _bytes(page), b"" if stored is None else _bytes(stored.html)
        entry = ExportedView(
            tool=tool.name,
            tool_hash=tool.hash,
            schema_hash=schema_hash(tool),
            file=page_file(tool.name),
            sha256=sha256(written).hexdigest(),
            size_bytes=len(written),
            ui_type="minimal" if stored is None else "rich",
            cache_key=cache_key,
            prompt_version=configuration.prompt_set_version if stored is None else stored.prompt_version,
            template_version=configuration.template_version if stored is None else stored.template_version,
            kit_api_version=configuration.kit_api_version,
            kit_build=kit_build,
            source=None if view is None or stored is None else _noted(view, stored, source),
            fallback_reason=view.reason if view is not None and view.state is ViewState.FALLBACK else None,
        )
        return cls(entry, written, source)


def _noted(view: PresentView, stored: StoredView, source: bytes) -> ExportedSource:
    repairs = stored.context.get("repairs")
    return ExportedSource(
        file=source_file(stored.tool_name),
        sha256=sha256(source).hexdigest(),
        mode=view.mode,
        llm_model=stored.llm_model,
        generated_at=stored.generated_at,
        generation_duration_ms=stored.generation_duration_ms,
        request_id=stored.request_id,
        repairs=tuple(map(str, repairs)) if isinstance(repairs, list) else (),
        findings=stored.findings,
    )


def _bytes(text: str) -> bytes:
    """Return UTF-8; a lone surrogate, which has none, becomes a question mark."""
    return text.encode(errors="replace")
