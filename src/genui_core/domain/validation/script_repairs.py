"""Repairs of scripts, and the repair that turns handlers in attributes into listeners."""

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
"""Global names that a handler may use; the listener is then validated with the script."""
_LONGEST: Final = 2_000


@frozen
class Names:
    """The names that a handler may use: those that scripts declare, and those they set on ``window``."""

    declared: frozenset[str]
    global_properties: frozenset[str]

    @classmethod
    def of(cls, *scripts: ScriptReport) -> "Names":
        """Return the names from some scripts."""
        declared = frozenset[str]().union(*(each.names for each in scripts))
        return cls(declared, frozenset[str]().union(*(each.global_properties for each in scripts)) - declared)


def with_listeners(source: str, markup: MarkupReport, module: InlineScript | None, names: Names) -> str:
    """Replace a document's handlers by listeners in its module, or in a new script at its end."""
    edits, statements = _listener_edits(source, markup, names)
    if not statements:
        return source
    if module is not None:
        at = module.start + len(module.text)
        return spliced(source, [*edits, (at, at, f"\n{statements}")])
    ends = [each.start() for each in _BODY_END.finditer(source)]
    at = ends[-1] if ends else len(source)
    return spliced(source, [*edits, (at, at, f"<script>\n{statements}</script>\n")])


def with_listeners_in(template: str, markup: MarkupReport, script: str, names: Names) -> tuple[str, str]:
    """Replace the handlers of a template by listeners in the fragment's script; return both."""
    edits, statements = _listener_edits(template, markup, names)
    return spliced(template, edits), f"{script}\n{statements}".strip("\n")


def _listener_edits(source: str, markup: MarkupReport, names: Names) -> tuple[list[Edit], str]:
    """Return the edits that replace handlers by a mark, and the statements that add the listeners."""
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
"""The ``load`` handler of the body, which runs at once, because the event may be over already."""


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
    """Return the function that runs the code in an address; "" if there is no code, or it cannot move."""
    code = as_browsers_read(address)
    if not code.lower().startswith(_CODE_SCHEME):
        return ""
    body = _body(unquote(code[len(_CODE_SCHEME) :]), names)
    return f"function (event) {{ event.preventDefault(); {body} }}" if body else ""


def _listener(written: str, names: Names) -> str:
    """Return the listener for the code of a handler; "" if the code uses foreign names or cannot move."""
    body = _body(written, names)
    if body and _CANCELS.search(body):
        return f"function (event) {{ if ((() => {{ {body} }})() === false) event.preventDefault(); }}"
    return f"function (event) {{ {body} }}" if body else ""


def _body(code: str, names: Names) -> str:
    """Return the code of a handler as the body of a function; "" if it cannot be one."""
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
        if tree.text(each) in names.global_properties:
            at = tree.offset(each.start) - len(_BEFORE)
            code = f"{code[:at]}window.{code[at:]}"
    return " ".join(code.split("\n")).strip() if "//" not in code and "`" not in code else f"{code}\n"


_BEFORE: Final = "function handler(event) {\n"


def _is_foreign(tree: ScriptTree, name: Node, names: Names) -> bool:
    """Tell whether the scripts do not declare a name, and it is not harmless."""
    text = tree.text(name)
    if text in names.global_properties:
        return name.kind == "shorthand_property_identifier"
    return text not in names.declared | _HARMLESS


_DOWNLOAD = 'document.dispatchEvent(new CustomEvent("mcp-gen-ui-download", {{ detail: {link} }}))'
"""The event that the page's runtime listens to (``view/src/runtime/downloads.js``)."""
_RESULT_HANDLER = """
{app}.ontoolresult = (result) => {{
  const shown = document.createElement("pre");
  shown.textContent = JSON.stringify(result.structuredContent ?? result.content ?? result, null, 2);
  document.body.append(shown);
}};
"""


def without_imports(source: str, report: ScriptReport) -> str:
    """Remove all imports and exports, which a fragment cannot have."""
    declared = ((each, each.fields.get("declaration")) for each in report.imports.statements)
    tree = report.flow.tree
    return _replaced(source, tree, ((each, tree.text(held) if held else "") for each, held in declared))


def with_own_imports(source: str, report: ScriptReport) -> str:
    """Correct imports of the app package, and remove foreign imports whose names are not used."""
    tree, replaced = report.flow.tree, []
    for node in report.imports.foreign:
        name = node.fields["source"]
        if "ext-apps" in tree.text(name):
            replaced.append((name, f'"{APP_PACKAGE}"'))
        elif node.kind == "import_statement" and not _is_used(report, node):
            replaced.append((node, ""))
    return _replaced(source, tree, replaced)


def with_app_import(source: str, report: ScriptReport) -> str:
    """Add an import of ``App``."""
    return source if report.imports.app else f'import {{ App }} from "{APP_PACKAGE}";\n{source}'


def with_connect(source: str, report: ScriptReport) -> str:
    """Add a call of ``connect`` at the end."""
    app = report.app
    return source if not app.name or app.connects else f"{source.rstrip()}\nawait {app.name}.connect();\n"


def with_result_handler(source: str, report: ScriptReport) -> str:
    """Add a result handler, which shows the result as JSON, if the script has none."""
    app = report.app
    if app.made is None or app.handles_results:
        return source
    at = report.flow.tree.offset(app.made.end)
    return source[:at] + _RESULT_HANDLER.format(app=app.name) + source[at:]


def with_kit_downloads(source: str, report: ScriptReport) -> str:
    """Replace a click on a download link by an event that asks the page to save the file."""
    tree = report.flow.tree
    methods = ((each, clicked_download(report.flow, each)) for each in tree.of("member_expression"))
    calls = ((call, tree.text(method.fields["object"])) for method, call in methods if call is not None)
    return _replaced(source, tree, ((call, _DOWNLOAD.format(link=link)) for call, link in calls))


def without_own_navigation(source: str, report: ScriptReport) -> str:
    """Replace changes of the page's own address by their value, which is still computed."""
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
    """Remove the characters of markup from counts in markup; a number has none."""
    tree, counts = report.flow.tree, counts_in_markup(report.flow)
    return _replaced(source, tree, ((each, escaped_count(tree.text(each))) for each in counts))


def _replaced(source: str, tree: ScriptTree, nodes: Iterable[tuple[Node, str]]) -> str:
    """Return a script with some of its nodes replaced by texts."""
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
"""The repairs for each script."""
MODULE_REPAIRS: Final[Repairs] = {
    "import.foreign": ("imports_corrected", with_own_imports),
    "import.missing": ("app_imported", with_app_import),
    "result.unhandled": ("result_handler_added", with_result_handler),
    "connect.missing": ("connect_added", with_connect),
}
"""The repairs for the module that makes the app of a document."""
