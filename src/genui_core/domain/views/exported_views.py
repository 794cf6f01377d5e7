"""Exported views: the names of their files, the manifest, and the frozen views that a folder serves."""

import json
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from attrs import Factory, fields, frozen

from genui_core.domain.mcp.json_text import canonical_bytes, json_name
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.stored_view import StoredView
from genui_core.errors import GenUiError

if TYPE_CHECKING:
    from cattrs import Converter

FILE_NAME: Final = re.compile(r"[a-z0-9_]{0,40}-[0-9a-f]{12}(\.source)?\.html")
"""The file names that `page_file` and `source_file` return."""

_UNFIT: Final = re.compile(r"[^a-z0-9]+")
_MOST_WORDS: Final = 40
_HASH_DIGITS: Final = 12


@frozen(kw_only=True)
class ExportedSource:
    """The source of a written view, as the manifest lists it.

    Attributes:
        generated_at: When the generation finished, in ISO 8601, UTC.
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
    """One tool's view, as the manifest lists it.

    Attributes:
        file: The file of the page, which works without a wrapper.
        source: The source that a model wrote; None for the minimal view.
        fallback_reason: Why it is the minimal view although a rich view was wanted.
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
    """The list of an export's views.

    Attributes:
        views: The views, sorted by the names of their tools.
    """

    views: tuple[ExportedView, ...] = Factory(tuple)

    @property
    def files(self) -> frozenset[str]:
        """The names of all files except the manifest's own."""
        parts = (part for each in self.views for part in (each, each.source))
        return frozenset(part.file for part in parts if part is not None)

    def with_view(self, view: ExportedView) -> "Manifest":
        """Return the manifest with a tool's view; it replaces the tool's former view."""
        others = (each for each in self.views if each.tool != view.tool)
        return Manifest(views=tuple(sorted((*others, view), key=lambda each: each.tool)))


def page_file(tool_name: str) -> str:
    """Return a valid file name for a tool's page, for any name of the tool.

    Two tools have two names, on file systems that ignore case too, and no name is reserved by an operating
    system.
    """
    digest = sha256(tool_name.encode(errors="surrogatepass")).hexdigest()[:_HASH_DIGITS]
    words = _UNFIT.sub("_", tool_name.lower()).strip("_")[:_MOST_WORDS]
    return f"{words}-{digest}.html"


def source_file(tool_name: str) -> str:
    """Return the file name of the source that a model wrote for a tool."""
    return f"{page_file(tool_name).removesuffix('.html')}.source.html"


def schema_hash(tool: Tool) -> str:
    """Return SHA-256, in hex, over a tool's schemas."""
    schemas = {key: tool.definition.get(key) for key in ("inputSchema", "outputSchema")}
    return sha256(canonical_bytes(schemas)).hexdigest()


@frozen(kw_only=True)
class FrozenView:
    """One frozen view: its entry in the manifest and its source; "" for the minimal view."""

    entry: ExportedView
    source: str = ""


def stored_view(entry: ExportedView, written: ExportedSource, source: str) -> StoredView:
    """Return a frozen view in the form in which stores keep views."""
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
    """The views of an export whose files are unchanged since the export.

    Attributes:
        by_tool: The views by the names of their tools.
    """

    by_tool: Mapping[str, FrozenView] = Factory(dict)

    def of(self, tool: Tool) -> FrozenView | None:
        """Return the view of a tool, or None if none was made for the tool's present definition."""
        found = self.by_tool.get(tool.name)
        return found if found is not None and found.entry.tool_hash == tool.hash else None


MANIFEST: Final = "manifest.json"
FORMAT: Final = "mcp-gen-ui export"
FORMAT_VERSION: Final = 1
"""The version of the format, raised when older exports can no longer be read."""


_Part = TypeVar("_Part")


class NotAnExport(GenUiError):
    """A text is not the manifest of an export; the text says why."""


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as JSON: the same text for the same views."""
    content = {"format": FORMAT, "version": FORMAT_VERSION, **_converter().unstructure(manifest)}
    return json.dumps(content, indent=2) + "\n"


def manifest_from(text: str) -> Manifest:
    """Return the manifest in a JSON text.

    Raises:
        NotAnExport: The text is no manifest, has another version, or names a file that no export writes.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAnExport(f"it is no JSON: {error}") from error
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise NotAnExport("it was not written by an export")
    if content.get("version") != FORMAT_VERSION:
        raise NotAnExport(f"it is of version {content.get('version')!r}, and not {FORMAT_VERSION}")
    from cattrs import BaseValidationError  # noqa: PLC0415 -- slow, and for exports only

    try:
        manifest = _converter().structure(content, Manifest)
    except (BaseValidationError, TypeError, ValueError) as error:
        raise NotAnExport("it lacks what belongs in it") from error
    foreign = sorted(name for name in manifest.files if not FILE_NAME.fullmatch(name))
    if foreign:
        raise NotAnExport(f"it names {foreign[0]!r}, which no export writes")
    return manifest


@cache
def _converter() -> "Converter":
    """Return the converter between manifests and JSON objects, with the JSON names of the fields."""
    from cattrs import Converter  # noqa: PLC0415 -- slow, and for exports only
    from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override  # noqa: PLC0415

    converter = Converter()
    converter.register_structure_hook_func(lambda wanted: wanted is object, lambda value, _: value)
    for kind in (str, int):
        converter.register_structure_hook(kind, _require_type)
    parts: tuple[type[Any], ...] = (ExportedSource, ExportedView, Manifest)
    for part in parts:
        names = {each.name: override(rename=json_name(each.name)) for each in fields(part)}
        converter.register_structure_hook(part, make_dict_structure_fn(part, converter, **names))  # type: ignore[arg-type]
        converter.register_unstructure_hook(part, make_dict_unstructure_fn(part, converter, **names))  # type: ignore[arg-type]
    return converter


def _require_type(value: object, wanted: type[_Part]) -> _Part:
    if type(value) is not wanted:
        raise ValueError(f"{value!r} is no {wanted.__name__}")
    return value
