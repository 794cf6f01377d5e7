"""How a value comes apart where a pattern takes it: ``const { a, b: [c] } = value``."""

from genui_core.domain.validation.script.expressions import Known, key_texts
from genui_core.domain.validation.script.names import name_of
from genui_core.domain.validation.script.properties import property_value
from genui_core.domain.validation.script.tree import Node
from genui_core.domain.validation.script.values import Value


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
