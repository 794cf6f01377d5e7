"""How a value comes apart where a pattern takes it, ``const { a, b: [c] } = value``, and what must be known for that."""

from collections.abc import Iterable
from typing import Protocol

from genui_core.domain.validation.script.properties import property_value
from genui_core.domain.validation.script.scopes import Binding
from genui_core.domain.validation.script.tree import Node, ScriptTree, name_of
from genui_core.domain.validation.script.values import Value


class Known(Protocol):
    """What is known so far."""

    @property
    def tree(self) -> ScriptTree:
        """The script."""
        ...

    def value(self, node: Node | None) -> Value:
        """Return what a node can be."""
        ...

    def binding(self, node: Node | None) -> Binding | None:
        """Return what a plain name means."""
        ...

    def call(self, node: Node) -> Value:
        """Return what a call can come to."""
        ...

    def returned_by(self, function: Node) -> Value:
        """Return what a function of the script can return."""
        ...

    def called_on(self, function: Node) -> Value:
        """Return what of the page a function may be called on."""
        ...

    def waits_for(self, node: Node) -> bool:
        """Tell whether it is too early to say what a part of a text can be."""
        ...

    def waits_for_call(self, node: Node) -> bool:
        """Tell whether it is too early to say what a node is: a call in it has not returned yet."""
        ...

    def given_to(self, function: Node) -> Value:
        """Return the list of what a function may be given, as far as its calls are known."""
        ...

    def with_held(self, node: Node, members: Iterable[tuple[str, Value]]) -> Value:
        """Return an object that a node makes, with what is put into it later."""
        ...


def key_texts(known: Known, key: Node) -> frozenset[str]:
    """Return the names that a key in an object or a pattern can be."""
    if key.kind == "computed_property_name":
        return known.value(key.children[0] if key.children else None).as_texts
    written = name_of(known.tree, key)
    return frozenset({written[1:-1] if key.kind == "string" else written})


def parameters(function: Node) -> list[Node]:
    """Return the patterns of a function's parameters; nothing for other nodes."""
    single = function.fields.get("parameter") if function.kind == "arrow_function" else None
    several = function.fields.get("parameters")
    return [single] if single is not None else several.children if several is not None else []


def parts_of(known: Known, pattern: Node, value: Value) -> list[tuple[Node | None, Value]]:
    """Return the patterns right within a pattern, each with what it takes of the value."""
    if pattern.kind in ("assignment_pattern", "object_assignment_pattern"):
        left = pattern.fields.get("left")
        if left is not None and left.kind == "shorthand_property_identifier_pattern":
            value = _under_its_name(known, left, value)
        return [(left, value)]
    if pattern.kind == "object_pattern":
        return [(each, _member(known, each, value)) for each in pattern.children]
    if pattern.kind == "pair_pattern":
        return [(pattern.fields.get("value"), value)]
    if pattern.kind == "array_pattern":
        return [(each, _element(each, index, value)) for index, each in enumerate(pattern.children)]
    if pattern.kind in ("rest_pattern", "parenthesized_expression"):
        return [(each, value) for each in pattern.children]
    return []


def _member(known: Known, pattern: Node, value: Value) -> Value:
    if pattern.kind == "pair_pattern":
        return property_value(value, key_texts(known, pattern.fields["key"]))
    if pattern.kind == "shorthand_property_identifier_pattern":
        return _under_its_name(known, pattern, value)
    return value


def _element(pattern: Node, index: int, value: Value) -> Value:
    return value if pattern.kind == "rest_pattern" else property_value(value, frozenset({str(index)}))


def _under_its_name(known: Known, pattern: Node, value: Value) -> Value:
    return property_value(value, frozenset({name_of(known.tree, pattern)}))
