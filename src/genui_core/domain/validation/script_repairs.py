"""Turns handlers that are written as text into listeners, where all that they name is the script's own."""

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from attrs import frozen

from genui_core.domain.mcp.json_text import spliced
from genui_core.domain.validation.addresses import as_browsers_read
from genui_core.domain.validation.document_plan import APP_PACKAGE, Edit
from genui_core.domain.validation.document_planning import InlineScript
from genui_core.domain.validation.markup.elements import meaning, tag_at
from genui_core.domain.validation.markup.markup_rules import is_handler
from genui_core.domain.validation.markup.source import MarkupReport
from genui_core.domain.validation.rule_match import Repairs
from genui_core.domain.validation.script.calls import escaped_count
from genui_core.domain.validation.script.early_errors import early_errors
from genui_core.domain.validation.script.reach import clicked_download, own_navigation
from genui_core.domain.validation.script.scopes import Scopes
from genui_core.domain.validation.script.sinks import counts_in_markup
from genui_core.domain.validation.script.tree import Node, ScriptTree
from genui_core.domain.validation.script_analysis import ScriptReport, imported_names

HANDLER_RULES: Final = frozenset({"handler.inline", "url.script"})
"""The rules against code in attributes."""

_CANCELS: Final = re.compile(r"\breturn\s+false\b")
_ENDS_SCRIPT: Final = re.compile(r"</script|<!--", re.IGNORECASE)
_CODE_SCHEME: Final = "javascript:"
_MARK: Final = "data-listener-"
_BODY_END: Final = re.compile(r"</body\s*>", re.IGNORECASE)
_HARMLESS: Final = frozenset(
    {
        "event", "document", "undefined", "console", "Math", "Number", "String", "Boolean", "Date", "JSON", "Array",
        "parseInt", "parseFloat", "isNaN", "NaN", "Infinity", "location",
    }
)  # fmt: skip
"""Names of the page's that a handler may use; the listener is checked like all the rest of the script."""
_LONGEST: Final = 2_000


@frozen
class Names:
    """The names that a handler may use: what scripts declare, and what they give to the global object besides."""

    declared: frozenset[str]
    held_by_page: frozenset[str]

    @classmethod
    def of(cls, *scripts: ScriptReport) -> "Names":
        """Return the names of some scripts."""
        declared = frozenset[str]().union(*(each.names for each in scripts))
        return cls(declared, frozenset[str]().union(*(each.held_by_page for each in scripts)) - declared)


def with_listeners(source: str, markup: MarkupReport, module: InlineScript | None, names: Names) -> str:
    """Let a document's module listen in the place of handlers, or a script at its end where it has no module."""
    edits, statements = _moved(source, markup, names)
    if not statements:
        return source
    if module is not None:
        at = module.start + len(module.text)
        return spliced(source, [*edits, (at, at, f"\n{statements}")])
    ends = [each.start() for each in _BODY_END.finditer(source)]
    at = ends[-1] if ends else len(source)
    return spliced(source, [*edits, (at, at, f"<script>\n{statements}</script>\n")])


def with_listeners_in(template: str, markup: MarkupReport, script: str, names: Names) -> tuple[str, str]:
    """Do the same to the template and the script of a fragment, which runs when the template stands in the page."""
    edits, statements = _moved(template, markup, names)
    return spliced(template, edits), f"{script}\n{statements}".strip("\n")


def _moved(source: str, markup: MarkupReport, names: Names) -> tuple[list[Edit], str]:
    """Return the edits that mark elements in the place of their handlers, and the statements that listen there."""
    edits: list[Edit] = []
    statements: list[str] = []
    serial = source.count(_MARK)
    for begin, end, event, listener in _listeners(source, markup, names):
        serial += 1
        edits.append((begin, end, f" {_MARK}{serial}"))
        place = f'document.querySelector("[{_MARK}{serial}]")'
        if event == _LOADED:
            statements.append(f'({listener}).call({place}, new Event("load"));\n')
        else:
            statements.append(f'{place}?.addEventListener("{event}", {listener});\n')
    return edits, "".join(statements)


_LOADED: Final = "body load"
"""The load of the page: where listeners are added, it is about to come or over."""


def _listeners(source: str, markup: MarkupReport, names: Names) -> Iterator[tuple[int, int, str, str]]:
    for start in sorted({each.start for each in markup.rule_matches if each.rule in HANDLER_RULES}):
        tag = tag_at(source, start)
        body = tag is not None and source[start : tag.name_end].lower() == "<body"
        for name, begin, end in tag.attributes if tag is not None else ():
            written = meaning(source[begin:end])
            if is_handler(name) and (listener := _listener(written, names)):
                event = name.removeprefix("on")
                yield begin, end, _LOADED if body and event == "load" else event, listener
            elif name == "href" and (listener := _link_listener(written, names)):
                yield begin, end, "click", listener


def _link_listener(address: str, names: Names) -> str:
    """Return the function that runs the code in an address; "" where that is none, or cannot be moved."""
    code = as_browsers_read(address)
    if not code.lower().startswith(_CODE_SCHEME):
        return ""
    body = _body(unquote(code[len(_CODE_SCHEME) :]), names)
    return f"function (event) {{ event.preventDefault(); {body} }}" if body else ""


def _listener(written: str, names: Names) -> str:
    """Return the function that does what a handler does; "" where the handler uses what is not the script's own."""
    body = _body(written, names)
    if body and _CANCELS.search(body):
        return f"function (event) {{ if ((() => {{ {body} }})() === false) event.preventDefault(); }}"
    return f"function (event) {{ {body} }}" if body else ""


def _body(code: str, names: Names) -> str:
    """Return the statements of a handler as the body of a function; "" where they cannot be that."""
    if len(code) > _LONGEST or _ENDS_SCRIPT.search(code) is not None:
        return ""
    tree = ScriptTree(f"{_BEFORE}{code}\n}}")
    scopes = Scopes(tree)
    if tree.has_error or len(tree.root.children) != 1 or any(early_errors(scopes)):
        return ""
    named = [each for each in tree.nodes if each.kind in {"identifier", "shorthand_property_identifier"}]
    free = [each for each in named if scopes.around(each).lookup(tree.text(each)) is None]
    if any(_is_foreign(tree, each, names) for each in free):
        return ""
    for each in reversed(free):
        if tree.text(each) in names.held_by_page:
            at = tree.offset(each.start) - len(_BEFORE)
            code = f"{code[:at]}window.{code[at:]}"
    return " ".join(code.split("\n")).strip() if "//" not in code and "`" not in code else f"{code}\n"


_BEFORE: Final = "function handler(event) {\n"


def _is_foreign(tree: ScriptTree, name: Node, names: Names) -> bool:
    """Tell whether a name means something that is neither the script's own nor harmless."""
    text = tree.text(name)
    if text in names.held_by_page:
        return name.kind == "shorthand_property_identifier"
    return text not in names.declared | _HARMLESS


_DOWNLOAD = 'document.dispatchEvent(new CustomEvent("mcp-gen-ui-download", {{ detail: {link} }}))'
"""What the runtime listens to (``view/src/runtime/downloads.js``)."""
_RESULT_HANDLER = """
{app}.ontoolresult = (result) => {{
  const shown = document.createElement("pre");
  shown.textContent = JSON.stringify(result.structuredContent ?? result.content ?? result, null, 2);
  document.body.append(shown);
}};
"""


def without_imports(source: str, report: ScriptReport) -> str:
    """Take away all imports and exports: nothing is imported into a fragment."""
    declared = ((each, each.fields.get("declaration")) for each in report.imports.statements)
    tree = report.flow.tree
    return _replaced(source, tree, ((each, tree.text(held) if held else "") for each, held in declared))


def with_own_imports(source: str, report: ScriptReport) -> str:
    """Put imports of the app package right, and take away foreign ones whose names are not used."""
    tree, replaced = report.flow.tree, []
    for node in report.imports.foreign:
        name = node.fields["source"]
        if "ext-apps" in tree.text(name):
            replaced.append((name, f'"{APP_PACKAGE}"'))
        elif node.kind == "import_statement" and not _is_used(report, node):
            replaced.append((node, ""))
    return _replaced(source, tree, replaced)


def with_app_import(source: str, report: ScriptReport) -> str:
    """Import ``App``."""
    return source if report.imports.app else f'import {{ App }} from "{APP_PACKAGE}";\n{source}'


def with_connect(source: str, report: ScriptReport) -> str:
    """Connect at the end."""
    app = report.app
    return source if not app.name or app.connects else f"{source.rstrip()}\nawait {app.name}.connect();\n"


def with_result_handler(source: str, report: ScriptReport) -> str:
    """Show results as they are, where the script does not."""
    app = report.app
    if app.made is None or app.handles_results:
        return source
    at = report.flow.tree.offset(app.made.end)
    return source[:at] + _RESULT_HANDLER.format(app=app.name) + source[at:]


def with_kit_downloads(source: str, report: ScriptReport) -> str:
    """Ask the page to save the file behind a link that the script would click."""
    tree = report.flow.tree
    methods = ((each, clicked_download(report.flow, each)) for each in tree.of("member_expression"))
    calls = ((call, tree.text(method.fields["object"])) for method, call in methods if call is not None)
    return _replaced(source, tree, ((call, _DOWNLOAD.format(link=link)) for call, link in calls))


def without_own_navigation(source: str, report: ScriptReport) -> str:
    """Leave the page's own address alone; what would be put into it is still worked out."""
    flow, tree, replaced = report.flow, report.flow.tree, []
    for each in tree.nodes:
        node = own_navigation(flow, each) if flow.binding(each) is None else None
        if node is None:
            continue
        value, around = node.fields.get("right"), node.parent
        ignored = "void " if around is not None and around.kind == "expression_statement" else ""
        replaced.append((node, f"{ignored}({'0' if value is None else tree.text(value)})"))
    return _replaced(source, tree, replaced)


def with_escaped_counts(source: str, report: ScriptReport) -> str:
    """Take signs of markup out of what is put into the page as a count: a number has none."""
    tree, counts = report.flow.tree, counts_in_markup(report.flow)
    return _replaced(source, tree, ((each, escaped_count(tree.text(each))) for each in counts))


def _replaced(source: str, tree: ScriptTree, nodes: Iterable[tuple[Node, str]]) -> str:
    """Return a script with texts in the place of some of its nodes."""
    return spliced(source, ((tree.offset(node.start), tree.offset(node.end), new) for node, new in nodes))


def _is_used(report: ScriptReport, node: Node) -> bool:
    scope = report.flow.scopes.around(node)
    bindings = (scope.lookup(name) for name in imported_names(report.flow.tree, node))
    return any(binding is not None and binding.mentions > 0 for binding in bindings)


MECHANICAL_REPAIRS: Final[Repairs] = {
    "navigation.download": ("downloads_through_kit", with_kit_downloads),
    "navigation.own": ("own_navigation_dropped", without_own_navigation),
    "markup.from_data": ("counts_escaped", with_escaped_counts),
}
"""The repairs of every script."""
MODULE_REPAIRS: Final[Repairs] = {
    "import.foreign": ("imports_corrected", with_own_imports),
    "import.missing": ("app_imported", with_app_import),
    "result.unhandled": ("result_handler_added", with_result_handler),
    "connect.missing": ("connect_added", with_connect),
}
"""The repairs of the module that makes the app of a document."""
