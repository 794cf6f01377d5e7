"""What a script imports and exports."""

from attrs import frozen

from genui_core.domain.validation.script.names import name_of, unescaped
from genui_core.domain.validation.script.reach import Sight
from genui_core.domain.validation.script.scopes import names_in
from genui_core.domain.validation.script.tree import Node, ScriptTree

APP_PACKAGE = "@modelcontextprotocol/ext-apps"
"""Where ``App`` comes from."""
KIT_PACKAGE = "@mcp-gen-ui/kit"
"""Where ``ui`` comes from."""

_ALLOWED = {APP_PACKAGE, KIT_PACKAGE}


@frozen
class Imports:
    """The import statements of a script.

    Attributes:
        statements: Those that import something, and exports.
        foreign: Those among them that name neither the app package nor the kit.
        app: The local name of ``App``, or "" where it is not imported.
    """

    statements: tuple[Node, ...]
    foreign: tuple[Node, ...]
    app: str

    @classmethod
    def of(cls, tree: ScriptTree) -> "Imports":
        """Return what a script imports."""
        statements = [each for each in tree.root.children if each.kind in _STATEMENTS]
        foreign = [
            each for each in statements if "source" in each.fields and source_of(tree, each) not in _ALLOWED
        ]
        names = (_app_name(tree, each) for each in statements if source_of(tree, each) == APP_PACKAGE)
        return cls(tuple(statements), tuple(foreign), next((name for name in names if name), ""))

    @property
    def sights(self) -> list[Sight]:
        """The foreign ones, as what a rule met."""
        return [("import.foreign", each) for each in self.foreign]


_STATEMENTS = {"import_statement", "export_statement"}


def source_of(tree: ScriptTree, statement: Node) -> str:
    """Return what a statement imports from or exports again; "" for none."""
    source = statement.fields.get("source")
    return "" if source is None else unescaped(tree.text(source)[1:-1])


def _app_name(tree: ScriptTree, statement: Node) -> str:
    for clause in statement.children:
        for named in clause.children if clause.kind == "import_clause" else ():
            for each in named.children if named.kind == "named_imports" else ():
                name = each.fields.get("name")
                if name is not None and name_of(tree, name) == "App":
                    return name_of(tree, each.fields.get("alias", name))
    return ""


def imported_names(tree: ScriptTree, statement: Node) -> list[str]:
    """Return the names that an import statement declares."""
    names: list[Node] = []
    for clause in statement.children:
        for part in clause.children if clause.kind == "import_clause" else ():
            if part.kind == "named_imports":
                names += [each.fields.get("alias", each.fields["name"]) for each in part.children]
            else:
                names += names_in(part if part.kind == "identifier" else part.children[0])
    return [name_of(tree, each) for each in names]
