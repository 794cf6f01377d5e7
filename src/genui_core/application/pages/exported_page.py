"""Exported pages and their manifest entries, and the source of an exported page that comes back."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from html import unescape
from itertools import chain
from typing import Final, Self

from attrs import field, frozen

from genui_core.application.generation.present_view import PresentView
from genui_core.application.pages.view_pages import ViewPages, kit_parts
from genui_core.domain.pages.generated_page import (
    FRAGMENT_STYLE,
    FRAGMENT_TEMPLATE,
    PREPARED,
    drawing_script,
    view_page,
)
from genui_core.domain.pages.page_frame import (
    ALL_NEEDS,
    PageParts,
    PagePolicy,
    json_in_script,
    kit_scripts,
    policy_of,
    shadowed_script,
)
from genui_core.domain.settings.llm_settings import GenerationMode
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.document_plan import APP_PACKAGE, KIT_PACKAGE
from genui_core.domain.validation.extraction import Fragment
from genui_core.domain.views.exported_views import (
    ExportedSource,
    ExportedView,
    page_file,
    schema_hash,
    source_file,
)
from genui_core.domain.views.stored_view import StoredView
from genui_core.ports.view_kit import ViewKit


@frozen
class ExportedPage:
    """The page of one view, and the facts that an export writes with it.

    Attributes:
        source: What a model wrote; b"" for the minimal view.
    """

    entry: ExportedView
    page: bytes
    source: bytes

    @classmethod
    def of(cls, pages: ViewPages, tool: Tool, view: PresentView | None) -> Self:
        """Return the exported page of a tool's view, or of its minimal view. Callable from any thread."""
        stored = view.stored if view is not None and view.source else None
        page, source = pages.page(tool, view, standalone=True), b"" if stored is None else _bytes(stored.html)
        written, configuration = _bytes(page), pages.services.configuration
        entry = ExportedView(
            tool=tool.name,
            tool_hash=tool.hash,
            schema_hash=schema_hash(tool),
            file=page_file(tool.name),
            sha256=sha256(written).hexdigest(),
            size_bytes=len(written),
            ui_type="minimal" if stored is None else "rich",
            cache_key=pages.key(tool, view),
            prompt_version=configuration.prompt_set_version if stored is None else stored.prompt_version,
            template_version=configuration.template_version if stored is None else stored.template_version,
            kit_api_version=configuration.kit_api_version,
            kit_build=pages.services.kit.build,
            source=None if view is None or stored is None else _exported_source(view, stored, source),
            fallback_reason=view.reason if view is not None and view.state is ViewState.FALLBACK else None,
        )
        return cls(entry, written, source)


def _exported_source(view: PresentView, stored: StoredView, source: bytes) -> ExportedSource:
    return ExportedSource(
        file=source_file(stored.tool_name),
        sha256=sha256(source).hexdigest(),
        mode=view.mode,
        llm_model=stored.llm_model,
        generated_at=stored.generated_at,
        generation_duration_ms=stored.generation_duration_ms,
        request_id=stored.request_id,
        repairs=view.repairs,
        findings=stored.findings,
    )


def _bytes(text: str) -> bytes:
    """Encode a text as UTF-8; a lone surrogate, which has no encoding, becomes a question mark."""
    return text.encode(errors="replace")


_BINDING: Final = re.compile(r"const (?:\{ ([^{}]*) \}|([\w$]+)) = globalThis\.McpGenUi; ")
_HTML: Final = re.compile(r"<html([^>]*)>")
_MODULE: Final = re.compile(r"<script\b[^>]*>", re.IGNORECASE)
_HEADS: Final = ("<head>", "")
_TITLE: Final = re.compile("<title>([^<]*)</title>")


def _pattern_of(part: str, what: str) -> re.Pattern[str]:
    """Return a pattern for a part of a built page, with ``what`` in the place of the zero character."""
    before, after = map(re.escape, part.strip().split("\0"))
    return re.compile(f"{before}({what}){after}", re.DOTALL)


_DATA: Final = _pattern_of(kit_scripts("\0", "").split("\n")[0], "[^<]*")
_STYLE: Final = _pattern_of(FRAGMENT_STYLE.format(style="\0"), ".*?")
_TEMPLATE: Final = _pattern_of(FRAGMENT_TEMPLATE.format(template='"\0"'), "[^<]*")
_SCRIPT: Final = _pattern_of(drawing_script("\0"), ".*?")


@frozen
class PageSource:
    """The source that a page was built from.

    Attributes:
        text: What a model wrote; "" for the minimal view.
        mode: Whether that is a fragment or a document.
    """

    text: str
    mode: GenerationMode
    page: str = field(repr=False)
    _build: Callable[[str], str] = field(eq=False, repr=False)

    def is_built_of(self, source: str) -> bool:
        """Whether building this source gives exactly this page."""
        return self._build(source) == self.page


def page_source(page: str, kit: ViewKit) -> PageSource | None:
    """Return the source of a page that this build made; None for any other text."""
    policy = policy_of(page)
    alone = (kit_parts(kit, needs).with_script(kit.standalone_script) for needs in ALL_NEEDS)
    for parts in chain(alone, (kit_parts(kit, needs) for needs in ALL_NEEDS)):
        if parts.script not in page and parts.document_script not in page:
            continue
        build = partial(_built, parts, policy)
        for found in (*_fragments(page, build), *_documents(page, build)):
            if found.is_built_of(found.text):
                return found
    return None


def _is_data(text: str) -> bool:
    """Whether a text is JSON exactly as the page builder writes it; nothing else may take its place."""
    try:
        return json_in_script(json.loads(text)) == text
    except (ValueError, RecursionError):
        return False


Build = Callable[[str, str, GenerationMode, str], str]
"""Returns the page with a title, some data, and a source in a mode."""


def _built(
    parts: PageParts, policy: PagePolicy, title: str, data: str, mode: GenerationMode, source: str
) -> str:
    return view_page(Tool({"name": title}), data, parts, source, mode, policy=policy)


def _data(page: str) -> str | None:
    """Return the data in a page; None if it is not JSON as the page builder writes it."""
    found = _DATA.search(page)
    return found[1] if found is not None and _is_data(found[1]) else None


def _fragments(page: str, build: Build) -> Iterator[PageSource]:
    """Yield the source of a page if it is a fragment or the minimal view."""
    title, data = _TITLE.search(page), _data(page)
    source = _fragment_source(page) if _TEMPLATE.search(page) else ""
    if title is not None and data is not None and source is not None:
        yield PageSource(source, "fragment", page, partial(build, unescape(title[1]), data, "fragment"))


def _fragment_source(page: str) -> str | None:
    style, template, script = (each.search(page) for each in (_STYLE, _TEMPLATE, _SCRIPT))
    if style is None or template is None or script is None:
        return None
    try:
        markup = json.loads(f'"{template[1]}"')
    except ValueError:
        return None
    return Fragment(style=style[1], template=markup, script=script[1]).text


def _documents(page: str, build: Build) -> Iterator[PageSource]:
    """Yield the possible sources of a page if it is a document."""
    whole, data = _HTML.search(page), _data(page)
    _, prepared, rest = page.partition(PREPARED)
    if whole is None or data is None or not prepared:
        return
    for head in _HEADS:
        opened = rest if head else rest.removeprefix("</head>")
        source = f"<!DOCTYPE html>\n<html{whole[1]}>\n{head}{_with_imports(_without_functions(opened))}"
        yield PageSource(source, "document", page, partial(build, "", data, "document"))


def _without_functions(document: str) -> str:
    """Return a document with its scripts as they were before the page builder put them into functions."""
    for is_async in (False, True):
        start, _, end = shadowed_script("McpGenUi.run", "m0x", is_async=is_async).partition("m0x")
        document = document.replace(start, "")
    return re.sub(rf"{re.escape(end)}(?=</script)", "", document, flags=re.IGNORECASE)


def _with_imports(document: str) -> str:
    """Return a document with imports in the place of its modules' reads from the kit's global."""
    pieces, at = [], 0
    for tag in _MODULE.finditer(document):
        pieces.append(document[at : tag.end()])
        at = tag.end()
        while (bound := _BINDING.match(document, at)) is not None:
            pieces.append(_import(bound))
            at = bound.end()
    return "".join((*pieces, document[at:]))


def _import(bound: re.Match[str]) -> str:
    """Return the import that a line of a page replaced; its names belong to one of two packages."""
    package = KIT_PACKAGE if bound[1] is not None and bound[1].partition(":")[0] == "ui" else APP_PACKAGE
    names = f"* as {bound[2]}" if bound[1] is None else f"{{ {bound[1].replace(':', ' as')} }}"
    return f'import {names} from "{package}";'
