"""Makes the plan that puts a document into its page.

Modules read their imports from a global variable of the page, and lose their exports.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final

from attrs import frozen

from genui_core.domain.mcp.json_text import spliced
from genui_core.domain.validation.document_plan import (
    APP_PACKAGE,
    KIT_PACKAGE,
    DocumentPlan,
    Edit,
    PlannedScript,
)
from genui_core.domain.validation.markup.elements import HTML, Element, tag_at
from genui_core.domain.validation.markup.markup_rules import runs
from genui_core.domain.validation.markup.source import MarkupReport, read_markup
from genui_core.domain.validation.script.tree import Node, ScriptTree
from genui_core.domain.validation.script_analysis import DEFAULTS, Imports, source_of

_WRITTEN: Final[Mapping[str, str]] = {"\n": "\r", "\ufffd": "\0"}
"""For a character in parsed text, another character that may stand in the source."""


@frozen
class InlineScript:
    """A script whose text is in the document."""

    text: str
    start: int
    is_module: bool

    def replaced(self, document: str, text: str) -> str:
        """Return the document with another text of this script."""
        return document[: self.start] + text + document[self.start + len(self.text) :]


def inline_scripts(markup: MarkupReport, source: str) -> list[InlineScript]:
    """Return the scripts that browsers run and whose text is in the document, in their order."""
    return [*filter(None, (_inline_script(each, source) for each in _active_scripts(markup)))]


def misplaced_scripts(markup: MarkupReport, source: str) -> Iterator[int]:
    """Yield the offsets of scripts whose parsed text is not behind their tag, so they are not validated."""
    return (each.start or 0 for each in _active_scripts(markup) if _inline_script(each, source) is None)


def _active_scripts(markup: MarkupReport) -> Iterator[Element]:
    for each in markup.elements:
        if each.name == "script" and each.namespace == HTML and each.start is not None and runs(each):
            yield each


def _inline_script(script: Element, source: str) -> InlineScript | None:
    """Return the script whose text is behind the tag of an element, or None if the text is not there."""
    tag = tag_at(source, script.start)
    end = None if tag is None else _end_of_text(source, tag.end, script.text)
    if tag is None or end is None:
        return None
    kind = script.attributes.get("type", "").strip().lower()
    return InlineScript(source[tag.end : end], tag.end, is_module=kind == "module")


def _end_of_text(source: str, start: int, text: str) -> int | None:
    """Return where a text that begins at an offset ends, or None if another text is there."""
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
_EXPORTED: Final = "default_of_the_module"
_NAMEABLE: Final = frozenset({"function_expression", "generator_function", "class"})
_ATTRIBUTE_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


def document_plan(
    source: str, markup: MarkupReport | None = None, trees: Mapping[str, ScriptTree] = _NO_TREES
) -> DocumentPlan:
    """Return the plan that puts a document into its page."""
    markup = markup or read_markup(source, document=True)
    scripts = inline_scripts(markup, source)
    modules = [(each, trees.get(each.text) or ScriptTree(each.text)) for each in scripts if each.is_module]
    exports = {each: tuple(_shifted(_export_edits(tree), each.start)) for each, tree in modules}
    imported = {source_of(tree, node) for _, tree in modules for node in Imports.of(tree).statements}
    kit, head = frozenset(imported & {KIT_PACKAGE}), markup.written("head")
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
        yield from _shifted(_import_edits(tree, packages), each.start)


def _shifted(edits: Iterable[Edit], by: int) -> Iterator[Edit]:
    return ((start + by, end + by, text) for start, end, text in edits)


def _html_attributes(markup: MarkupReport) -> str:
    whole = markup.written("html")
    given: Mapping[str, str] = {} if whole is None else whole.attributes
    named = {name: value for name, value in given.items() if _ATTRIBUTE_NAME.fullmatch(name)}
    return "".join(f' {name}="{escape(value)}"' for name, value in ({"lang": "en"} | named).items())


def _end_of(source: str, element: Element | None) -> int:
    tag = None if element is None else tag_at(source, element.start)
    return 0 if tag is None else tag.end


def _import_edits(tree: ScriptTree, packages: frozenset[str]) -> list[Edit]:
    """Return the edits that make a module read its imports from some packages out of a global variable.

    JavaScript moves imports to the top of a module, so the edits declare the names before the first line.
    Each line keeps its number.
    """
    declared: list[str] = []
    edits: list[Edit] = []
    for node in Imports.of(tree).statements:
        package = source_of(tree, node)
        if package in packages:
            declared += _declarations(tree, node, DEFAULTS.get(package, "default"))
            edits.append(_replacement(tree, node.start, node.end, ""))
    return [(0, 0, "".join(declared)), *edits] if declared else edits


def _export_edits(tree: ScriptTree) -> list[Edit]:
    """Return the edits that remove the exports of a module, which no page imports.

    A module that does not parse with or without its exports keeps them, so it does not run.
    """
    if tree.has_error:
        return []
    statements = [each for each in tree.root.children if each.kind == "export_statement"]
    edits = [edit for each in statements if "source" not in each.fields for edit in _export_edit(tree, each)]
    return [] if not edits or ScriptTree(spliced(tree.source, edits)).has_error else edits


def _export_edit(tree: ScriptTree, statement: Node) -> Iterator[Edit]:
    """Yield the edits that replace an export by a statement, so that the code after it parses as before."""
    declaration, value = statement.fields.get("declaration"), statement.fields.get("value")
    if declaration is not None:
        yield _replacement(tree, statement.start, declaration.start, "")
    elif value is None:
        yield _replacement(tree, statement.start, statement.end, ";")
    elif value.kind in _NAMEABLE:
        yield _replacement(tree, statement.start, value.start, "")
        yield from _name_edit(tree, value)
    else:
        yield _replacement(tree, statement.start, value.start, f"const {_EXPORTED} = ")


def _name_edit(tree: ScriptTree, value: Node) -> Iterator[Edit]:
    """Yield the edit that names a function or class without a name; without one it is no statement."""
    if "name" not in value.fields:
        is_class = value.kind == "class"
        at = tree.offset(value.start + len("class") if is_class else value.fields["parameters"].start)
        yield at, at, f" {_EXPORTED} "


def _replacement(tree: ScriptTree, start: int, end: int, text: str) -> Edit:
    begin, stop = tree.offset(start), tree.offset(end)
    return begin, stop, text + "\n" * tree.source.count("\n", begin, stop)


def _declarations(tree: ScriptTree, statement: Node, default: str) -> Iterator[str]:
    clauses = (each for each in statement.children if each.kind == "import_clause")
    for part in (each for clause in clauses for each in clause.children):
        if part.kind == "identifier":
            yield f"const {{ {default}: {tree.text(part)} }} = {_GLOBAL}; "
        elif part.kind == "namespace_import":
            yield f"const {tree.text(part.children[0])} = {_GLOBAL}; "
        elif part.children:
            names = ", ".join(_unpacked_name(tree, each, default) for each in part.children)
            yield f"const {{ {names} }} = {_GLOBAL}; "


def _unpacked_name(tree: ScriptTree, specifier: Node, default: str) -> str:
    """Return ``App: Host`` for ``App as Host``: a part of the pattern that unpacks the global variable."""
    name = tree.text(specifier.fields["name"])
    local = specifier.fields.get("alias")
    return name if local is None else f"{default if name == 'default' else name}: {tree.text(local)}"
