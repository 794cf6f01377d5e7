"""Views in a folder: what an export writes, under which names, and what is served from it without a model."""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final, Literal

from attrs import Factory, frozen

from genui_core.domain.mcp.json_text import canonical_bytes
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.stored_view import StoredView

FILE_NAME: Final = re.compile(r"[a-z0-9_]{0,40}-[0-9a-f]{12}(\.source)?\.html")
"""What `page_file` and `source_file` return."""

_UNFIT: Final = re.compile(r"[^a-z0-9]+")
_MOST_WORDS: Final = 40
_HASH_DIGITS: Final = 12


@frozen(kw_only=True)
class ExportedSource:
    """What a model wrote.

    Attributes:
        generated_at: When, in ISO 8601, UTC.
    """

    file: str
    sha256: str
    mode: Literal["fragment", "document"]
    llm_model: str | None
    generated_at: str
    generation_duration_ms: int
    request_id: str
    repairs: tuple[str, ...] = ()
    findings: tuple[Mapping[str, object], ...] = ()


@frozen(kw_only=True)
class ExportedView:
    """One tool's view, as the manifest tells of it.

    Attributes:
        file: The page that works without a wrapper.
        source: What a model wrote; None for the minimal UI.
        fallback_reason: Why it is the minimal UI although a richer view was wanted.
    """

    tool: str
    tool_hash: str
    schema_hash: str
    file: str
    sha256: str
    size_bytes: int
    ui_type: Literal["rich", "minimal"]
    cache_key: str
    prompt_version: str
    template_version: str
    kit_api_version: int
    kit_build: str
    source: ExportedSource | None = None
    fallback_reason: str | None = None


@frozen(kw_only=True)
class Manifest:
    """All that lies in a folder.

    Attributes:
        views: By their tools' names, in order.
    """

    views: tuple[ExportedView, ...] = Factory(tuple)

    @property
    def files(self) -> frozenset[str]:
        """The names of all files, the manifest's own left out."""
        sources = (each.source for each in self.views)
        return frozenset(
            (*(each.file for each in self.views), *(source.file for source in sources if source is not None))
        )

    def with_view(self, view: ExportedView) -> "Manifest":
        """Return the manifest with a tool's view, in the place of the one it had."""
        others = (each for each in self.views if each.tool != view.tool)
        return Manifest(views=tuple(sorted((*others, view), key=lambda each: each.tool)))


def page_file(tool_name: str) -> str:
    """Return the name of the file of a tool's page, whatever the tool is called.

    Names differ where tools do, on file systems too that take capital letters for small ones, and no system
    gives them a meaning of its own.
    """
    digest = sha256(tool_name.encode(errors="surrogatepass")).hexdigest()[:_HASH_DIGITS]
    words = _UNFIT.sub("_", tool_name.lower()).strip("_")[:_MOST_WORDS]
    return f"{words}-{digest}.html"


def source_file(tool_name: str) -> str:
    """Return the name of the file of what a model wrote for a tool."""
    return f"{page_file(tool_name).removesuffix('.html')}.source.html"


def schema_hash(tool: Tool) -> str:
    """Return SHA-256, in hex, over a tool's schemas."""
    schemas = {key: tool.definition.get(key) for key in ("inputSchema", "outputSchema")}
    return sha256(canonical_bytes(schemas)).hexdigest()


@frozen(kw_only=True)
class FrozenView:
    """One tool's view."""

    entry: ExportedView
    source: str = ""


def stored_view(entry: ExportedView, written: ExportedSource, source: str) -> StoredView:
    """Return a frozen view as stores keep views."""
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
