"""Imports turned into what a page without a module loader can run: names read from the page's global."""

from collections.abc import Iterator, Mapping
from typing import Final

from genui_core.domain.judging.script.flow import Flow
from genui_core.domain.judging.script.imports import APP_PACKAGE, KIT_PACKAGE, Imports, source_of
from genui_core.domain.judging.script.scopes import Scopes
from genui_core.domain.judging.script.tree import Node, ScriptTree

_DEFAULTS: Final[Mapping[str, str]] = {APP_PACKAGE: "App", KIT_PACKAGE: "ui"}
"""What is meant by an import without braces; the packages themselves have nothing there."""


def imported_packages(script: str) -> frozenset[str]:
    """Return the packages that a script imports from."""
    flow = _flow(script)
    return frozenset(source_of(flow, each) for each in Imports.of(flow).statements) - {""}


def with_bound_imports(script: str, packages: frozenset[str], global_name: str) -> str:
    """Return a module that reads what it imports from some packages out of a global.

    Imports hold from the first line on, wherever they are written, so their names are declared before it.
    Every other line keeps its number.
    """
    flow = _flow(script)
    declared: list[str] = []
    for node in reversed(Imports.of(flow).statements):
        package = source_of(flow, node)
        if package in packages:
            declared[:0] = _declarations(flow.tree, node, _DEFAULTS.get(package, "default"), global_name)
            start, end = flow.tree.offset(node.start), flow.tree.offset(node.end)
            script = script[:start] + "\n" * script.count("\n", start, end) + script[end:]
    return "".join(declared) + script


def _flow(script: str) -> Flow:
    tree = ScriptTree(script)
    return Flow(tree, Scopes(tree))


def _declarations(tree: ScriptTree, statement: Node, default: str, global_name: str) -> Iterator[str]:
    clauses = (each for each in statement.children if each.kind == "import_clause")
    for part in (each for clause in clauses for each in clause.children):
        if part.kind == "identifier":
            yield f"const {{ {default}: {tree.text(part)} }} = {global_name}; "
        elif part.kind == "namespace_import":
            yield f"const {tree.text(part.children[0])} = {global_name}; "
        elif part.children:
            names = ", ".join(_taken(tree, each, default) for each in part.children)
            yield f"const {{ {names} }} = {global_name}; "


def _taken(tree: ScriptTree, specifier: Node, default: str) -> str:
    """``App as Host`` is ``App: Host`` where names are taken out of an object."""
    name = tree.text(specifier.fields["name"])
    local = specifier.fields.get("alias")
    return name if local is None else f"{default if name == 'default' else name}: {tree.text(local)}"
