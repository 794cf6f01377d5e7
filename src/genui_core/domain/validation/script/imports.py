"""What a script imports and exports, and the edits that turn a module into a script.

Imports are read from the page's global, and exports are taken away.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from genui_core.domain.mcp.json_text import spliced
from genui_core.domain.validation.document_plan import Edit
from genui_core.domain.validation.script.scopes import imported
from genui_core.domain.validation.script.tree import Node, ScriptTree, name_of, unescaped

APP_PACKAGE = "@modelcontextprotocol/ext-apps"
"""Where ``App`` comes from."""
KIT_PACKAGE = "@mcp-gen-ui/kit"
"""Where ``ui`` comes from."""


_DEFAULTS: Final[Mapping[str, str]] = {APP_PACKAGE: "App", KIT_PACKAGE: "ui"}
"""What is meant by an import without braces; the packages themselves have nothing there."""
_EXPORTED: Final = "default_of_the_module"
_NAMEABLE: Final = frozenset({"function_expression", "generator_function", "class"})


@frozen
class Imports:
    """The import statements of a script.

    Attributes:
        statements: Those that import something, and exports.
        foreign: Those among them that name neither the app package nor the kit.
    """

    statements: tuple[Node, ...]
    foreign: tuple[Node, ...]
    app: str

    @classmethod
    def of(cls, tree: ScriptTree) -> "Imports":
        """Return what a script imports."""
        kinds = {"import_statement", "export_statement"}
        statements = [each for each in tree.root.children if each.kind in kinds]
        sourced = (each for each in statements if "source" in each.fields)
        foreign = [each for each in sourced if source_of(tree, each) not in _DEFAULTS]
        names = (_app_name(tree, each) for each in statements if source_of(tree, each) == APP_PACKAGE)
        return cls(tuple(statements), tuple(foreign), next((name for name in names if name), ""))


def source_of(tree: ScriptTree, statement: Node) -> str:
    """Return what a statement imports from or exports again; "" for none."""
    source = statement.fields.get("source")
    return "" if source is None else unescaped(tree.text(source)[1:-1])


def _imported(statement: Node) -> Iterator[tuple[Node | None, Node]]:
    clauses = (each for each in statement.children if each.kind == "import_clause")
    return (each for clause in clauses for each in imported(clause))


def _app_name(tree: ScriptTree, statement: Node) -> str:
    named = ((name, local) for name, local in _imported(statement) if name is not None)
    return next((name_of(tree, local) for name, local in named if name_of(tree, name) == "App"), "")


def imported_names(tree: ScriptTree, statement: Node) -> list[str]:
    """Return the names that an import statement declares."""
    return [name_of(tree, local) for _, local in _imported(statement)]


def imported_packages(tree: ScriptTree) -> frozenset[str]:
    """Return the packages that a script imports from."""
    return frozenset(source_of(tree, each) for each in Imports.of(tree).statements) - {""}


def import_edits(tree: ScriptTree, packages: frozenset[str], global_name: str) -> list[Edit]:
    """Return the edits that make a module read what it imports from some packages out of a global.

    Imports hold from the first line on, wherever they are written, so their names are declared before it.
    Every other line keeps its number.
    """
    declared: list[str] = []
    edits: list[Edit] = []
    for node in Imports.of(tree).statements:
        package = source_of(tree, node)
        if package in packages:
            declared += _declarations(tree, node, _DEFAULTS.get(package, "default"), global_name)
            edits.append(_replaced(tree, node.start, node.end, ""))
    return [(0, 0, "".join(declared)), *edits] if declared else edits


def export_edits(tree: ScriptTree) -> list[Edit]:
    """Return the edits that take the exports of a module away: no page imports them.

    A module that does not parse, with or without them, keeps its exports, and then it does not run.
    """
    if tree.has_error:
        return []
    statements = [each for each in tree.root.children if each.kind == "export_statement"]
    edits = [edit for each in statements if "source" not in each.fields for edit in _export(tree, each)]
    return [] if not edits or ScriptTree(spliced(tree.source, edits)).has_error else edits


def _export(tree: ScriptTree, statement: Node) -> Iterator[Edit]:
    """Replace an export by a statement of its kind, so that what follows is read as it was."""
    declaration, value = statement.fields.get("declaration"), statement.fields.get("value")
    if declaration is not None:
        yield _replaced(tree, statement.start, declaration.start, "")
    elif value is None:
        yield _replaced(tree, statement.start, statement.end, ";")
    elif value.kind in _NAMEABLE:
        yield _replaced(tree, statement.start, value.start, "")
        yield from _name(tree, value)
    else:
        yield _replaced(tree, statement.start, value.start, f"const {_EXPORTED} = ")


def _name(tree: ScriptTree, value: Node) -> Iterator[Edit]:
    """Name a function or a class that has no name: without one it can only be exported."""
    if "name" not in value.fields:
        is_class = value.kind == "class"
        at = tree.offset(value.start + len("class") if is_class else value.fields["parameters"].start)
        yield at, at, f" {_EXPORTED} "


def _replaced(tree: ScriptTree, start: int, end: int, text: str) -> Edit:
    begin, stop = tree.offset(start), tree.offset(end)
    return begin, stop, text + "\n" * tree.source.count("\n", begin, stop)


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
