"""Which name means what: the scopes of a script, and what is declared in them."""

from typing import Final

from attrs import Factory, define

from genui_core.domain.validation.script.names import name_of
from genui_core.domain.validation.script.places import Place, add_unknown
from genui_core.domain.validation.script.tree import FUNCTIONS, Node, ScriptTree

_BLOCKS = {"statement_block", "for_statement", "for_in_statement", "catch_clause", "switch_body"}
_LEXICAL = {"let", "const", "class", "import"}
_NESTED_PATTERNS = {"object_pattern", "array_pattern", "rest_pattern", "formal_parameters"}
_DEFAULTS = {"assignment_pattern", "object_assignment_pattern"}
_NAMES = {"identifier", "shorthand_property_identifier_pattern"}


@define(eq=False)
class Binding(Place):
    """A declared name.

    Attributes:
        name: The name.
        kind: ``let``, ``var``, ``parameter`` and so on.
        node: Where it is declared.
        calls: How often it is called by its name.
        mentions: How often it is mentioned.
    """

    name: str
    kind: str
    node: Node
    calls: int = 0
    mentions: int = 0


@define(eq=False)
class Scope:
    """The names of a part of a script.

    Attributes:
        parent: The scope around it.
        is_function: Whether ``var`` ends up here.
        names: What is declared here.
    """

    parent: "Scope | None"
    is_function: bool
    names: dict[str, Binding] = Factory(dict)

    def lookup(self, name: str) -> Binding | None:
        """Return what a name means here; None for a name of the page's."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def nearest_function(self) -> "Scope":
        """Return the scope that ``var`` declares into."""
        scope = self
        while not scope.is_function and scope.parent is not None:
            scope = scope.parent
        return scope


class Scopes:
    """All scopes of a script. Every node gets the one its names are looked up in.

    Attributes:
        top: The outermost scope.
        redeclared: Names that are declared twice where that is an error.
    """

    def __init__(self, tree: ScriptTree) -> None:
        self._tree = tree
        self.top: Final = Scope(None, is_function=True)
        self.redeclared: Final[list[Node]] = []
        for node in tree.nodes:
            node.scope = self.top if node.parent is None else node.parent.scope
            self._enter(node)

    def _enter(self, node: Node) -> None:
        kind = node.kind
        if kind in FUNCTIONS:
            self._enter_function(node)
        elif kind in _BLOCKS or kind == "class_static_block":
            self._enter_block(node)
        elif kind in ("class_declaration", "class"):
            self._enter_class(node)
        elif kind == "variable_declarator" and node.parent is not None:
            declaration = _keyword_of(node.parent)
            self._declare_pattern(node.scope, node.fields.get("name"), declaration)
        elif kind == "import_clause":
            self._enter_import(node)

    def _enter_function(self, node: Node) -> None:
        name = node.fields.get("name")
        inner = Scope(node.scope, is_function=True)
        if name is not None and node.kind.endswith("declaration"):
            self._declare(node.scope, name, "function")
        elif name is not None and node.kind != "method_definition":
            self._declare(inner, name, "own name")
        node.scope = inner
        parameters = node.fields.get("parameters") or node.fields.get("parameter")
        self._declare_pattern(inner, parameters, "parameter")

    def _enter_block(self, node: Node) -> None:
        if node.parent is not None and node.parent.kind in FUNCTIONS:
            return
        node.scope = Scope(node.scope, is_function=node.kind == "class_static_block")
        if node.kind == "catch_clause":
            self._declare_pattern(node.scope, node.fields.get("parameter"), "caught")
        elif node.kind == "for_in_statement" and "kind" in node.fields:
            kind = node.fields["kind"].kind
            target = node.scope.nearest_function() if kind == "var" else node.scope
            self._declare_pattern(target, node.fields.get("left"), kind)

    def _enter_class(self, node: Node) -> None:
        name = node.fields.get("name")
        if name is not None and node.kind == "class_declaration":
            self._declare(node.scope, name, "class")
        elif name is not None:
            node.scope = Scope(node.scope, is_function=False)
            self._declare(node.scope, name, "own name")

    def _enter_import(self, node: Node) -> None:
        for part in node.children:
            if part.kind == "identifier":
                self._declare(node.scope, part, "import")
            elif part.kind == "namespace_import":
                self._declare_pattern(node.scope, part.children[0], "import")
            for each in part.children if part.kind == "named_imports" else ():
                name = each.fields.get("alias") or each.fields.get("name")
                if name is not None:
                    self._declare(node.scope, name, "import")

    def _declare_pattern(self, scope: Scope, pattern: Node | None, kind: str) -> None:
        target = scope.nearest_function() if kind == "var" else scope
        for name in names_in(pattern):
            self._declare(target, name, kind)

    def _declare(self, scope: Scope, node: Node, kind: str) -> None:
        name = name_of(self._tree, node)
        known = scope.names.get(name)
        if known is None or known.kind == "own name":
            scope.names[name] = Binding(name, kind, node)
        elif _clash(known.kind, kind, scope):
            self.redeclared.append(node)
        elif kind == "function":
            known.kind = kind
        if known is not None:
            add_unknown(scope.names[name])


def _keyword_of(declaration: Node) -> str:
    """Return what a declaration begins with; it has no token of its own where the parser made it up."""
    return "var" if declaration.kind == "variable_declaration" else next(iter(declaration.tokens), "let")


def _clash(known: str, new: str, scope: Scope) -> bool:
    if known in _LEXICAL or new in _LEXICAL:
        return True
    return not scope.is_function and "function" in (known, new) and "var" in (known, new)


def names_in(pattern: Node | None) -> list[Node]:
    """Return the names that a pattern declares, at any depth."""
    found: list[Node] = []
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        if node.kind in _NAMES:
            found.append(node)
        elif node.kind in _NESTED_PATTERNS:
            waiting.extend(reversed(node.children))
        elif node.kind == "pair_pattern":
            waiting.append(node.fields.get("value"))
        elif node.kind in _DEFAULTS:
            waiting.append(node.fields.get("left"))
    return found
