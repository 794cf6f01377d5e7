"""Repairs of scripts."""

from collections.abc import Callable, Mapping
from typing import Final

from genui_core.domain.validation.script.analysis import ScriptReport
from genui_core.domain.validation.script.counts import counts_in_markup, escaped_count
from genui_core.domain.validation.script.imports import APP_PACKAGE, imported_names
from genui_core.domain.validation.script.mechanical import clicked_downloads, own_navigations
from genui_core.domain.validation.script.tree import Node, ScriptTree

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
    tree = report.flow.tree
    for node in reversed(report.imports.statements):
        source = _replaced(source, tree, node, _declaration(tree, node))
    return source


def with_own_imports(source: str, report: ScriptReport) -> str:
    """Put imports of the app package right, and take away foreign ones whose names are not used."""
    flow = report.flow
    for node in reversed(report.imports.foreign):
        name = node.fields["source"]
        if "ext-apps" in flow.tree.text(name):
            source = _replaced(source, flow.tree, name, f'"{APP_PACKAGE}"')
        elif node.kind == "import_statement" and not _is_used(report, node):
            source = _replaced(source, flow.tree, node, "")
    return source


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
    for call in reversed(list(clicked_downloads(report.flow))):
        link = tree.text(call.fields["function"].fields["object"])
        source = _replaced(source, tree, call, _DOWNLOAD.format(link=link))
    return source


def without_own_navigation(source: str, report: ScriptReport) -> str:
    """Leave the page's own address alone; what would be put into it is still worked out."""
    tree = report.flow.tree
    for node in reversed(list(own_navigations(report.flow))):
        value, around = node.fields.get("right"), node.parent
        ignored = "void " if around is not None and around.kind == "expression_statement" else ""
        source = _replaced(source, tree, node, f"{ignored}({'0' if value is None else tree.text(value)})")
    return source


def with_escaped_counts(source: str, report: ScriptReport) -> str:
    """Take signs of markup out of what is put into the page as a count: a number has none."""
    tree = report.flow.tree
    for node in reversed(list(counts_in_markup(tree, report.flow.value))):
        source = _replaced(source, tree, node, escaped_count(tree.text(node)))
    return source


def _declaration(tree: ScriptTree, node: Node) -> str:
    declared = node.fields.get("declaration")
    return "" if declared is None else tree.text(declared)


def _replaced(source: str, tree: ScriptTree, node: Node, new: str) -> str:
    return source[: tree.offset(node.start)] + new + source[tree.offset(node.end) :]


def _is_used(report: ScriptReport, node: Node) -> bool:
    scope = report.flow.scopes.around(node)
    bindings = (scope.lookup(name) for name in imported_names(report.flow.tree, node))
    return any(binding is not None and binding.mentions > 0 for binding in bindings)


MECHANICAL_REPAIRS: Final[Mapping[str, tuple[str, Callable[[str, ScriptReport], str]]]] = {
    "navigation.download": ("downloads_through_kit", with_kit_downloads),
    "navigation.own": ("own_navigation_dropped", without_own_navigation),
    "markup.from_data": ("counts_escaped", with_escaped_counts),
}
"""For each rule of every script, the name of its repair and the repair."""


def mechanically_repaired(source: str, report: ScriptReport) -> tuple[str, str]:
    """Return a script after the first repair that is left to make, and its name; "" for none."""
    met = {each.rule for each in report.rule_matches}
    for rule, (name, repair) in MECHANICAL_REPAIRS.items():
        if rule in met and (changed := repair(source, report)) != source:
            return changed, name
    return source, ""
