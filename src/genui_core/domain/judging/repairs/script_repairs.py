"""Repairs of scripts."""

from genui_core.domain.judging.script.analysis import ScriptReport
from genui_core.domain.judging.script.imports import APP_PACKAGE, imported_names
from genui_core.domain.judging.script.tree import Node, ScriptTree

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


def _declaration(tree: ScriptTree, node: Node) -> str:
    declared = node.fields.get("declaration")
    return "" if declared is None else tree.text(declared)


def _replaced(source: str, tree: ScriptTree, node: Node, new: str) -> str:
    return source[: tree.offset(node.start)] + new + source[tree.offset(node.end) :]


def _is_used(report: ScriptReport, node: Node) -> bool:
    scope = node.scope
    bindings = (scope.lookup(name) for name in imported_names(report.flow, node))
    return any(binding is not None and binding.mentions > 0 for binding in bindings)
