"""The possible values of each kind of expression, from the possible values of its parts."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from attrs import evolve

from genui_core.domain.validation.addresses import HOLE
from genui_core.domain.validation.script.knowledge import Knowledge
from genui_core.domain.validation.script.properties import SOME_WINDOW, property_value
from genui_core.domain.validation.script.scopes import NodeValues, constant_value
from genui_core.domain.validation.script.tree import FUNCTIONS, Node, unescaped
from genui_core.domain.validation.script.values import (
    A_COUNT,
    BLANK,
    LONGEST_LIST,
    NO_MARKUP,
    NOTHING,
    OWN_TOOL,
    UNKNOWN_TEXT,
    Value,
)

_EVENT_NAMES = {"e", "ev", "evt", "event"}
_NO_TEXT: Final = frozenset(
    {"-", "*", "/", "%", "**", "===", "!==", "==", "!=", "<", ">", "<=", ">=", "in", "instanceof"}
)
"""Operators with a number or a boolean as their result."""
_EITHER = {"||", "&&", "??"}


_OWN_TOOL_NAME = re.compile(r"\btoolInfo\s*\??\.\s*tool\s*\??\.\s*name$")
_OWN_TOOL_WITHIN: Final = 80


def name_value(known: Knowledge, node: Node) -> Value:
    """Return the possible values of a name."""
    binding = known.binding(node)
    if binding is not None:
        return binding.value
    name = known.tree.name_of(node)
    if name == "arguments":
        return _arguments(known, node)
    return BLANK if name == "undefined" else property_value(Value.path(), frozenset({name}))


def _arguments(known: Knowledge, node: Node) -> Value:
    """Return the value of ``arguments``; an arrow function uses that of the function around it."""
    for around in node.ancestors():
        if around.kind in FUNCTIONS and around.kind != "arrow_function":
            return known.read(known.given_to, around)
    return NOTHING


def _property(known: Knowledge, node: Node) -> Value:
    keys, subject = known.key(node), node.fields["object"]
    if keys == {"name"} and _OWN_TOOL_NAME.search(known.tree.text(node)[-_OWN_TOOL_WITHIN:]):
        return Value.path(OWN_TOOL)
    value = known.value(subject)
    found = property_value(value, keys)
    if found.is_nothing and keys == {"length"}:
        return NO_MARKUP if _is_list(known, subject) else A_COUNT
    if found.is_nothing and keys == {"size"} and _is_collection(known, subject):
        return NO_MARKUP
    is_event = subject.kind == "identifier" and known.tree.text(subject) in _EVENT_NAMES
    return found | Value.path(SOME_WINDOW) if found.is_nothing and "view" in keys and is_event else found


def _is_list(known: NodeValues, node: Node | None) -> bool:
    """Tell whether a node is certainly a list or a text, so its ``length`` is a number."""
    node = _declared_value(known, node)
    if node is None or node.kind in {"array", "string", "template_string"}:
        return node is not None
    if node.kind == "parenthesized_expression":
        return _is_list(known, node.children[0])
    callee = node.fields.get("function") if node.kind == "call_expression" else None
    name = None if callee is None else callee.fields.get("property", callee)
    return name is not None and known.tree.name_of(name) in _LISTS and not known.value(callee).functions


def _is_collection(known: NodeValues, node: Node) -> bool:
    """Tell whether a node is a ``Map`` or a ``Set`` that the script made."""
    made = _declared_value(known, node)
    maker = None if made is None else made.fields.get("constructor")
    return not known.value(maker).paths.isdisjoint({("Map",), ("Set",)})


def _declared_value(known: NodeValues, node: Node | None) -> Node | None:
    """Return the initial value of a constant, None for other names, and other nodes unchanged."""
    if node is None or node.kind != "identifier":
        return node
    binding = known.binding(node)
    return None if binding is None else constant_value(binding, binding.node)


_LISTS: Final = frozenset(
    {
        "map", "filter", "flatMap", "flat", "slice", "concat", "sort", "toSorted", "reverse", "split", "trim", "from",
        "keys", "values", "entries", "of", "String", "toString", "join", "querySelectorAll", "toLowerCase", "toUpperCase",
        "replace", "replaceAll", "stringify", "Array",
    }
)  # fmt: skip
"""Functions that return a list or a text; data has no functions of these names."""


def _regex(known: Knowledge, node: Node) -> Value:
    """Return a regular expression as an object with source and flags; the source may serve as a name."""
    source, _, flags = known.tree.text(node)[1:].rpartition("/")
    return Value.written_out([("source", Value.text(source)), ("flags", Value.text(flags))])


def _number(known: Knowledge, node: Node) -> Value:
    written = known.tree.text(node).replace("_", "").rstrip("n")
    try:
        number = float(written) if not written[1:2].isalpha() else float(int(written, 0))
        return Value.text(str(int(number)) if number == int(number) else str(number))
    except (ValueError, OverflowError):
        return NOTHING


def _unary(known: Knowledge, node: Node) -> Value:
    """Return negative numbers, which are offsets from the end of a text."""
    value = known.value(node.fields.get("argument"))
    negative = (f"-{each}" for each in value.exact if each.isdecimal())
    return Value.text(*negative) if "-" in node.tokens else NOTHING


def _template(known: Knowledge, node: Node) -> Value:
    whole = Value.text("")
    for part in node.children:
        if part.kind == "template_substitution":
            piece = known.value(part.children[0] if part.children else None)
            if piece.is_nothing and part.children and known.waits_for(part.children[0]):
                return NOTHING
        else:
            piece = Value.text(unescaped(known.tree.text(part)))
        whole += piece
    return whole


def _either(known: Knowledge, *nodes: Node | None) -> Value:
    """Return the values of either of two nodes; nothing while the result of a call in them is unknown.

    If the text of one node is unknown, the result may be any text.
    """
    first, second = map(known.value, nodes)
    unseen = [each for each in nodes if each is not None and known.value(each).is_nothing]
    if any(map(known.waits_for_call, unseen)):
        return NOTHING
    is_told = all(each.texts or each.blank or (OWN_TOOL,) in each.paths for each in (first, second))
    return first | second | (NOTHING if is_told else UNKNOWN_TEXT)


def _binary(known: Knowledge, node: Node) -> Value:
    left, right = known.value(node.fields.get("left")), known.value(node.fields.get("right"))
    operator = node.fields["operator"].kind if "operator" in node.fields else ""
    if operator in _EITHER:
        return _either(known, node.fields.get("left"), node.fields.get("right"))
    if operator != "+":
        return NO_MARKUP if operator in _NO_TEXT else NOTHING
    if left.is_number and right.is_number:
        return left | right
    # An operand of digits that is not a text literal can only be a number.
    if all(
        each.kind not in {"string", "template_string"} and known.value(each).is_counted
        for each in node.children
    ):
        return NO_MARKUP | Value(texts=(left.texts | right.texts) & A_COUNT.texts)
    if any(known.value(each).is_nothing and known.waits_for(each) for each in node.children):
        return NOTHING
    return left + right if left.holds_text or right.holds_text else NOTHING


def _array(known: Knowledge, node: Node) -> Value:
    elements: list[Value] = []
    for each in node.children:
        value = known.value(each)
        if each.kind != "spread_element":
            elements.append(value)
        elif value.members is not None:
            elements.extend(value.elements)
        elif len(value.exact) == 1:
            (whole,) = value.exact
            elements.extend(map(Value.text, whole[:LONGEST_LIST]))
        else:
            return NOTHING
        if len(elements) > max(LONGEST_LIST, len(node.children)):
            return NOTHING
    return known.with_held(node, ((str(index), value) for index, value in enumerate(elements)))


def _object(known: Knowledge, node: Node) -> Value:
    members: list[tuple[str, Value]] = []
    for each in node.children:
        if each.kind == "pair":
            value = known.value(each.fields.get("value"))
            members.extend((key, value) for key in known.key_texts(each.fields["key"]))
        elif each.kind == "shorthand_property_identifier":
            members.append((known.tree.name_of(each), known.value(each)))
        elif each.kind == "method_definition":
            held = _method(known, each)
            members.extend((key, held) for key in known.key_texts(each.fields["name"]))
        elif each.kind == "spread_element":
            members.extend(_spread_members(known.value(each), over=members))
    spelled = (value for key, value in members if key in {"toString", "valueOf"})
    texts = Value.any_of(known.returned_by(each) for value in spelled for each in value.functions).texts
    return known.with_held(node, members) | Value(texts=texts)


def _spread_members(value: Value, *, over: list[tuple[str, Value]]) -> Sequence[tuple[str, Value]]:
    """Return the members of a spread value; an unknown value may replace earlier members."""
    unknown = [(HOLE, UNKNOWN_TEXT)] if over and not value.blank else []
    return unknown if value.members is None else value.members


def _method(known: Knowledge, node: Node) -> Value:
    """Return the value of a method; a getter has the value that it returns."""
    return known.returned_by(node) if "get" in node.tokens else Value(functions=frozenset({node}))


def _class(known: Knowledge, node: Node) -> Value:
    members: list[tuple[str, Value]] = []
    body = node.fields.get("body")
    for each in body.children if body is not None else ():
        key = each.fields.get("property") or each.fields.get("name")
        if key is None:
            continue
        value = known.value(each.fields.get("value"))
        held = value if each.kind == "field_definition" else _method(known, each)
        members.extend((name, held) for name in known.key_texts(key))
    return known.with_held(node, members) | _name_member(known, node)


def _this(known: Knowledge, node: Node) -> Value:
    """Return the value of ``this``; an arrow function uses that of the function around it."""
    for around in node.ancestors():
        if around.kind == "arrow_function":
            continue
        if around.kind in FUNCTIONS and (subject := known.read(known.called_on, around)) != NOTHING:
            return subject
        if around.kind in ("class_body", "object"):
            holder = around if around.kind == "object" else around.parent
            return _changeable(known.value(holder))
        if around.kind in FUNCTIONS and not _is_called_here(around):
            return NOTHING
    return Value.path()


def _changeable(held: Value) -> Value:
    """Return an object whose members may have changed, since other code has a reference to it."""
    changed = Value.written_out((key, value | UNKNOWN_TEXT) for key, value in held.members or ())
    return evolve(changed, made=held.made)


def _is_called_here(function: Node) -> bool:
    """Tell whether a function is called at once, so its ``this`` is the global object unless it is strict."""
    around = function.user()
    return around is not None and around.kind == "call_expression"


def _name_member(known: Knowledge, node: Node) -> Value:
    """Return a function or class as an object with its ``name``, which the script may have changed."""
    name = node.fields.get("name")
    if name is None:
        return NOTHING
    return Value.written_out([("name", Value.text(known.tree.name_of(name)) | UNKNOWN_TEXT)])


TRANSFER: Final[Mapping[str, Callable[[Knowledge, Node], Value]]] = {
    **dict.fromkeys(("identifier", "shorthand_property_identifier"), name_value),
    **dict.fromkeys(("member_expression", "subscript_expression"), _property),
    "string": lambda known, node: Value.text(unescaped(known.tree.text(node)[1:-1])),
    "regex": _regex,
    "number": _number,
    "template_string": _template,
    **dict.fromkeys(
        ("parenthesized_expression", "sequence_expression", "await_expression", "spread_element"),
        lambda known, node: known.value(node.children[-1]) if node.children else NOTHING,
    ),
    "ternary_expression": lambda known, node: _either(
        known, node.fields.get("consequence"), node.fields.get("alternative")
    ),
    "binary_expression": _binary,
    "unary_expression": _unary,
    "array": _array,
    "object": _object,
    **dict.fromkeys(("class", "class_declaration"), _class),
    "this": _this,
    **dict.fromkeys(
        ("function_expression", "generator_function", "arrow_function"),
        lambda known, node: Value(functions=frozenset({node})) | _name_member(known, node),
    ),
    **dict.fromkeys(("null", "undefined", "true", "false"), lambda _known, _node: BLANK),
}
"""For each kind of expression besides calls, the function that returns its possible values."""
