"""The scopes of a script, the names they declare, and the values that patterns take apart."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from attrs import Factory, define, evolve, frozen

from genui_core.domain.validation.addresses import HOLE, holds_data
from genui_core.domain.validation.script.properties import property_value
from genui_core.domain.validation.script.tree import FUNCTIONS, Node, ScriptTree
from genui_core.domain.validation.script.values import NO_MARKUP, NOTHING, UNKNOWN_TEXT, Value


@define(eq=False, repr=False, kw_only=True)
class Place:
    """A place that receives values from several sources.

    Attributes:
        sources: The value from each source; an unknown value counts, too.
    """

    value: Value = NOTHING
    sources: dict[object, Value] = Factory(dict)

    def put(self, source: object, value: Value, *, grows: bool = False) -> bool:
        """Set a source's value, or add to it if it ``grows``; tell whether the place's value changed."""
        known = self.sources.get(source)
        if known is None:
            self.sources[source] = known = NOTHING
        if value is known or value == known:
            return False
        added = _shortened(known, value)
        joined = known | added
        new = value if added is value and not grows else joined
        self.sources[source] = new
        before = self.value
        self.value = before | new if new == joined else Value.any_of(self.sources.values())
        return not self.value == before  # noqa: SIM201 -- quicker for this class

    def settle(self) -> bool:
        """Count a source that is still unknown as any text; tell whether that changes the place."""
        unknown = [each for each in self.sources.values() if not each.is_known] if self.value.texts else []
        whole = Value.any_of(Value(texts=each.as_texts) for each in unknown)
        if self.value.members is not None and any(map(_may_be_object, self.sources.values())):
            whole |= _HOLDS_ANYTHING
        return not whole.is_nothing and self.put(Place, whole, grows=True)


def _shortened(known: Value, value: Value) -> Value:
    """Return a new value of a source, with one placeholder for its new texts if they only grow."""
    added = value.texts - known.texts
    many = known.texts and len(known.texts) + len(added) > _MOST_GROWN
    if not many or not added or any(map(holds_data, added)):
        return value
    return evolve(value, texts=NO_MARKUP.texts)


_MOST_GROWN: Final = 32


def _may_be_object(value: Value) -> bool:
    """Tell whether a value may be an unknown object."""
    return value.members is None and (HOLE in value.texts or not value.is_known)


_HOLDS_ANYTHING: Final = Value.written_out([(HOLE, UNKNOWN_TEXT)])


_BLOCKS = {
    "statement_block", "for_statement", "for_in_statement", "catch_clause", "switch_body",
    "class_static_block",
}  # fmt: skip
_LEXICAL = {"let", "const", "class", "import"}
_NESTED_PATTERNS = {"object_pattern", "array_pattern", "rest_pattern", "formal_parameters"}


@define(eq=False, repr=False)
class Binding(Place):
    """A declared name, with its values, mentions and calls."""

    name: str
    kind: str
    node: Node
    calls: int = 0
    mentions: int = 0


def constant_value(binding: Binding, pattern: Node | None) -> Node | None:
    """Return the initial value in the declaration of a constant, by name or pattern; None for other names."""
    around = None if pattern is None or binding.kind != "const" else pattern.parent
    return around.fields.get("value") if around is not None and pattern is around.fields.get("name") else None


@frozen(eq=False, repr=False)
class Scope:
    """The names that a part of a script declares."""

    parent: "Scope | None"
    is_function: bool
    names: dict[str, Binding] = Factory(dict)

    def lookup(self, name: str) -> Binding | None:
        """Return the binding of a name in this scope; None for a property of the global object."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None


class Scopes:
    """All scopes of a script, and for each node its scope."""

    def __init__(self, tree: ScriptTree) -> None:
        self.tree: Final = tree
        self.top: Final = Scope(None, is_function=True)
        self.redeclared: Final[list[Node]] = []
        self._around: Final[dict[Node, Scope]] = {}
        for node in tree.nodes:
            scope = self.top if node.parent is None else self._around[node.parent]
            enter = _ENTERS.get(node.kind)
            self._around[node] = scope if enter is None else enter(self, node, scope)

    def around(self, node: Node) -> Scope:
        """Return the scope of a node."""
        return self._around[node]

    def binding(self, node: Node) -> Binding | None:
        """Return the binding of a node that is a name; None for a property of the global object."""
        return self._around[node].lookup(self.tree.name_of(node))

    def enter_function(self, node: Node, scope: Scope) -> Scope:
        """Declare a function and its parameters."""
        name = node.fields.get("name")
        inner = Scope(scope, is_function=True)
        if name is not None and node.kind.endswith("declaration"):
            self._declare(scope, name, "function")
        elif name is not None and node.kind != "method_definition":
            self._declare(inner, name, "own name")
        parameters = node.fields.get("parameters") or node.fields.get("parameter")
        self._declare_pattern(inner, parameters, "parameter")
        return inner

    def enter_block(self, node: Node, scope: Scope) -> Scope:
        """Declare the names of a loop or a ``catch``; the body of a function uses the function's scope."""
        if node.parent is not None and node.parent.kind in FUNCTIONS:
            return scope
        inner = Scope(scope, is_function=node.kind == "class_static_block")
        if node.kind == "catch_clause":
            self._declare_pattern(inner, node.fields.get("parameter"), "caught")
        elif node.kind == "for_in_statement" and "kind" in node.fields:
            self._declare_pattern(inner, node.fields.get("left"), node.fields["kind"].kind)
        return inner

    def enter_class(self, node: Node, scope: Scope) -> Scope:
        """Declare a class; the name of a class expression is known only within the class."""
        name = node.fields.get("name")
        if name is None:
            return scope
        inner = scope if node.kind == "class_declaration" else Scope(scope, is_function=False)
        self._declare(inner, name, "class" if inner is scope else "own name")
        return inner

    def enter_variable(self, node: Node, scope: Scope) -> Scope:
        """Declare the names of a declaration."""
        around = node.parent
        if around is not None:
            # A declaration that the parser made up has no token.
            is_var = around.kind == "variable_declaration"
            keyword = "var" if is_var else next(iter(around.tokens), "let")
            self._declare_pattern(scope, node.fields.get("name"), keyword)
        return scope

    def enter_import(self, node: Node, scope: Scope) -> Scope:
        """Declare the imported names."""
        for _, local in imported(node):
            self._declare(scope, local, "import")
        return scope

    def _declare_pattern(self, scope: Scope, pattern: Node | None, kind: str) -> None:
        while kind == "var" and not scope.is_function and scope.parent is not None:
            scope = scope.parent
        for name in names_in(pattern):
            self._declare(scope, name, kind)

    def _declare(self, scope: Scope, node: Node, kind: str) -> None:
        name = self.tree.name_of(node)
        known = scope.names.get(name)
        if known is None or known.kind == "own name":
            scope.names[name] = Binding(name, kind, node)
        elif _clash(known.kind, kind, scope):
            self.redeclared.append(node)
        elif kind == "function":
            known.kind = kind
        if known is not None:
            scope.names[name].put(UNKNOWN_TEXT, UNKNOWN_TEXT)  # declared twice, so it may be any text


def _clash(known: str, new: str, scope: Scope) -> bool:
    if known in _LEXICAL or new in _LEXICAL:
        return True
    return not scope.is_function and "function" in (known, new) and "var" in (known, new)


def imported(clause: Node) -> Iterator[tuple[Node | None, Node]]:
    """Yield each imported name, None for a default or namespace, and its local name."""
    for part in clause.children:
        if part.kind == "identifier":
            yield None, part
        elif part.kind == "namespace_import":
            yield from ((None, each) for each in names_in(part.children[0]))
        for each in part.children if part.kind == "named_imports" else ():
            name = each.fields.get("name")
            local = each.fields.get("alias") or name
            if local is not None:
                yield name, local


def names_in(pattern: Node | None) -> list[Node]:
    """Return the names that a pattern declares, at any depth."""
    found: list[Node] = []
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        if node.kind in {"identifier", "shorthand_property_identifier_pattern"}:
            found.append(node)
        elif node.kind in _NESTED_PATTERNS:
            waiting.extend(reversed(node.children))
        elif node.kind == "pair_pattern":
            waiting.append(node.fields.get("value"))
        elif node.kind in {"assignment_pattern", "object_assignment_pattern"}:
            waiting.append(node.fields.get("left"))
    return found


_ENTERS: Final[Mapping[str, Callable[[Scopes, Node, Scope], Scope]]] = {
    **dict.fromkeys(FUNCTIONS, Scopes.enter_function),
    **dict.fromkeys(_BLOCKS, Scopes.enter_block),
    **dict.fromkeys(("class_declaration", "class"), Scopes.enter_class),
    "variable_declarator": Scopes.enter_variable,
    "import_clause": Scopes.enter_import,
}
"""For each kind of node with a scope or declarations, the method that declares and returns its scope."""


class NodeValues:
    """The known values of a script's nodes."""

    def __init__(self, scopes: Scopes) -> None:
        self.tree: Final = scopes.tree
        self.scopes: Final = scopes
        self._values: dict[Node, Value] = {}
        self._meanings: dict[Node, Binding] = {}

    def value(self, node: Node | None) -> Value:
        """Return the possible values of a node."""
        return NOTHING if node is None else self._values.get(node, NOTHING)

    def key(self, node: Node | None) -> frozenset[str]:
        """Return the possible names of the property that a node reads or unpacks; none for other nodes."""
        if node is None:
            return frozenset()
        if node.kind == "member_expression":
            return frozenset({self.tree.name_of(node.fields["property"])})
        if node.kind == "subscript_expression":
            return self.value(node.fields.get("index")).as_texts
        return self.key_texts(node.fields.get("key", node)) if node.kind in UNPACKED else frozenset()

    def names(self, callee: Node) -> frozenset[str]:
        """Return the names of a called function: as written in the call, and as in its paths."""
        return self.key(callee) | {each[-1] for each in self.value(callee).paths if each}

    def binding(self, node: Node | None) -> Binding | None:
        """Return the binding of a plain name."""
        return None if node is None else self._meanings.get(node)

    def key_texts(self, key: Node) -> frozenset[str]:
        """Return the possible names of a key in an object or a pattern."""
        if key.kind == "computed_property_name":
            return self.value(key.children[0] if key.children else None).as_texts
        written = self.tree.name_of(key)
        return frozenset({written[1:-1] if key.kind == "string" else written})

    def parts_of(self, pattern: Node, value: Value) -> list[tuple[Node | None, Value]]:
        """Return the patterns directly in a pattern, each with the part of the value that it takes."""
        if pattern.kind in ("assignment_pattern", "object_assignment_pattern"):
            left = pattern.fields.get("left")
            return [(left, value if left is None else self._part_value(left, value))]
        if pattern.kind == "object_pattern":
            return [(each, self._part_value(each, value)) for each in pattern.children]
        if pattern.kind == "pair_pattern":
            return [(pattern.fields.get("value"), value)]
        if pattern.kind == "array_pattern":
            return [
                (each, value if each.kind == "rest_pattern" else property_value(value, frozenset({str(at)})))
                for at, each in enumerate(pattern.children)
            ]
        if pattern.kind in ("rest_pattern", "parenthesized_expression"):
            return [(each, value) for each in pattern.children]
        return []

    def _part_value(self, part: Node, value: Value) -> Value:
        """Return the part of a value that a part of an object pattern takes; for other nodes the whole."""
        return property_value(value, self.key(part)) if part.kind in UNPACKED else value


def parameters(function: Node) -> list[Node]:
    """Return the patterns of a function's parameters; nothing for other nodes."""
    single = function.fields.get("parameter") if function.kind == "arrow_function" else None
    several = function.fields.get("parameters")
    return [single] if single is not None else several.children if several is not None else []


UNPACKED: Final = frozenset({"pair_pattern", "shorthand_property_identifier_pattern"})
"""The parts of an object pattern that take a property by its name."""
