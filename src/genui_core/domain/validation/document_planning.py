"""Works out how a document is put into its page."""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final

from attrs import frozen

from genui_core.domain.validation.document_plan import DocumentPlan, Edit, PlannedScript
from genui_core.domain.validation.markup.elements import HTML, Element, tag_at
from genui_core.domain.validation.markup.markup_rules import runs
from genui_core.domain.validation.markup.source import MarkupReport, read_markup
from genui_core.domain.validation.script.imports import (
    APP_PACKAGE,
    KIT_PACKAGE,
    export_edits,
    import_edits,
    imported_packages,
)
from genui_core.domain.validation.script.tree import ScriptTree

_WRITTEN: Final[Mapping[str, str]] = {"\n": "\r", "\ufffd": "\0"}
"""What a parser of markup reads as another character."""


@frozen
class InlineScript:
    """A script that stands in a document."""

    text: str
    start: int
    is_module: bool

    def replaced(self, document: str, text: str) -> str:
        """Return the document with another script in its place."""
        return document[: self.start] + text + document[self.start + len(self.text) :]


def inline_scripts(markup: MarkupReport, source: str) -> list[InlineScript]:
    """Return the scripts that run and stand in the document, in their order."""
    return [*filter(None, (_placed(each, source) for each in _running(markup)))]


def misplaced_scripts(markup: MarkupReport, source: str) -> Iterator[int]:
    """Yield the offsets of the scripts whose text is not where the document says: no one has read what runs there."""
    return (each.start or 0 for each in _running(markup) if _placed(each, source) is None)


def _running(markup: MarkupReport) -> Iterator[Element]:
    for each in markup.elements:
        if each.name == "script" and each.namespace == HTML and each.start is not None and runs(each):
            yield each


def _placed(script: Element, source: str) -> InlineScript | None:
    """Find the text of a script behind its tag; it ends where the parser ended it."""
    tag = tag_at(source, script.start)
    end = None if tag is None else _end_of_text(source, tag.end, script.text)
    if tag is None or end is None:
        return None
    kind = script.attributes.get("type", "").strip().lower()
    return InlineScript(source[tag.end : end], tag.end, is_module=kind == "module")


def _end_of_text(source: str, start: int, text: str) -> int | None:
    """Return where a text ends that begins at an offset; None where another stands there."""
    if source.startswith(text, start):
        return start + len(text)
    at = start
    for each in text:
        if each == "\n" and source.startswith("\r\n", at):
            at += 1
        elif source[at : at + 1] not in (each, _WRITTEN.get(each)):
            return None
        at += 1
    return at


_NO_TREES: Final[Mapping[str, ScriptTree]] = {}
_GLOBAL: Final = "globalThis.McpGenUi"
_DOCTYPE: Final = re.compile(r"\s*<!doctype[^>]*>", re.IGNORECASE)
_ATTRIBUTE_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


def document_plan(
    source: str, markup: MarkupReport | None = None, trees: Mapping[str, ScriptTree] = _NO_TREES
) -> DocumentPlan:
    """Return how a document is put into its page."""
    markup = markup or read_markup(source, document=True)
    scripts = inline_scripts(markup, source)
    modules = [(each, trees.get(each.text) or ScriptTree(each.text)) for each in scripts if each.is_module]
    exports = {each: tuple(_moved(export_edits(tree), each.start)) for each, tree in modules}
    imported = frozenset[str]().union(*(imported_packages(tree) for _, tree in modules))
    kit, head = imported & {KIT_PACKAGE}, markup.written("head")
    doctype = _DOCTYPE.match(source)
    begin = _end_of(source, head) or _end_of(source, markup.written("html"))
    return DocumentPlan(
        attributes=_html_attributes(markup),
        begin=begin or (0 if doctype is None else doctype.end()),
        has_head=head is not None,
        uses_kit=bool(kit),
        edits={"inline": (*_bound(modules, kit | {APP_PACKAGE}),), "host": (*_bound(modules, kit),)},
        scripts=tuple(
            PlannedScript(each.start, each.start + len(each.text), each.is_module, exports.get(each, ()))
            for each in scripts
        ),
    )


def _bound(modules: list[tuple[InlineScript, ScriptTree]], packages: frozenset[str]) -> Iterator[Edit]:
    for each, tree in modules:
        yield from _moved(import_edits(tree, packages, _GLOBAL), each.start)


def _moved(edits: Iterable[Edit], by: int) -> Iterator[Edit]:
    return ((start + by, end + by, text) for start, end, text in edits)


def _html_attributes(markup: MarkupReport) -> str:
    whole = markup.written("html")
    given: Mapping[str, str] = {} if whole is None else whole.attributes
    named = {name: value for name, value in given.items() if _ATTRIBUTE_NAME.fullmatch(name)}
    return "".join(f' {name}="{escape(value)}"' for name, value in ({"lang": "en"} | named).items())


def _end_of(source: str, element: Element | None) -> int:
    tag = None if element is None else tag_at(source, element.start)
    return 0 if tag is None else tag.end
