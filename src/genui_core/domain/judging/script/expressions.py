"""What each kind of expression can be, given what its parts can be."""

import re
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from genui_core.domain.judging.addresses import HOLE
from genui_core.domain.judging.script.names import name_of, unescaped
from genui_core.domain.judging.script.tree import FUNCTIONS, Node, ScriptTree
from genui_core.domain.judging.script.values import (
    LONGEST_PATH,
    NOTHING,
    UNKNOWN_KEY,
    UNKNOWN_TEXT,
    Path,
    Value,
    any_of,
    array,
    concatenated,
    path,
    text,
    written_out,
)

ITSELF: Final = frozenset({"window", "self", "globalThis", "frames"})
"""The names under which the global object holds itself."""
SOME_WINDOW: Final = "~"
"""The path of something that is the global object, if it is what its name suggests."""

_EVENT_NAMES = {"e", "ev", "evt", "event"}
_EITHER = {"||", "&&", "??"}


class Known(Protocol):
    """What is known so far."""

    @property
    def tree(self) -> ScriptTree:
        """The script."""
        ...

    def value(self, node: Node | None) -> Value:
        """Return what a node can be."""
        ...

    def call(self, node: Node) -> Value:
        """Return what a call can come to."""
        ...

    def called_by_page(self, function: Node) -> bool:
        """Tell whether a function may be called with the global object as its ``this``."""
        ...


EVENT: Final = "@event"
"""The path of what a listener is given."""
OWN_TOOL: Final = "own tool"
"""The path of the name of the view's own tool, as the host tells it."""

_OWN_TOOL_NAME = re.compile(r"\btoolInfo\s*\??\.\s*tool\s*\??\.\s*name$")
_OWN_TOOL_WITHIN: Final = 80


PATH_OF_EVENT: Final = array([NOTHING, path(SOME_WINDOW)])
"""What an event goes through: what it is about first, and the global object last."""


def property_value(subject: Value, keys: frozenset[str]) -> Value:
    """Return what is under any of the keys of something."""
    paths = frozenset(
        step for start in subject.paths for key in keys if (step := _step(start, key)) is not None
    )
    found = Value(paths=paths)
    if subject.members is not None:
        unknown = any(HOLE in key for key in keys)
        found |= any_of(value for key, value in subject.members if unknown or key in keys)
    if not keys.isdisjoint({"ownerDocument", "contentDocument"}):
        found |= path("document")
    return found


_WAYS_BACK: Final = {(("document",), "defaultView"), ((EVENT,), "view")}


def _step(start: Path, key: str) -> Path | None:
    if HOLE in key:
        key = UNKNOWN_KEY
    if start in ((), (SOME_WINDOW,)):
        if key == UNKNOWN_KEY and start:
            return None
        return start if key in ITSELF else (key,)
    if (start, key) in _WAYS_BACK:
        return ()
    return (*start, key) if len(start) < LONGEST_PATH else None


def name_value(known: Known, node: Node) -> Value:
    """Return what a name can be."""
    name = name_of(known.tree, node)
    binding = node.scope.lookup(name)
    if binding is not None:
        return binding.value
    if name in ("undefined", "arguments"):
        return NOTHING
    return path() if name in ITSELF else path(name)


def _member(known: Known, node: Node) -> Value:
    key = name_of(known.tree, node.fields["property"])
    if _OWN_TOOL_NAME.search(known.tree.text(node)[-_OWN_TOOL_WITHIN:]):
        return path(OWN_TOOL)
    return _accessed(known, node, frozenset({key}))


def _subscript(known: Known, node: Node) -> Value:
    return _accessed(known, node, known.value(node.fields.get("index")).as_texts)


def _accessed(known: Known, node: Node, keys: frozenset[str]) -> Value:
    subject = node.fields["object"]
    found = property_value(known.value(subject), keys)
    if found == NOTHING and ("defaultView" in keys or ("view" in keys and _may_be_event(known, subject))):
        found |= path(SOME_WINDOW)
    return found


def _may_be_event(known: Known, node: Node) -> bool:
    return node.kind == "identifier" and known.tree.text(node) in _EVENT_NAMES


def _string(known: Known, node: Node) -> Value:
    return text(unescaped(known.tree.text(node)[1:-1]))


def _number(known: Known, node: Node) -> Value:
    written = known.tree.text(node).replace("_", "").rstrip("n")
    try:
        number = float(written) if not written[1:2].isalpha() else float(int(written, 0))
        return text(str(int(number)) if number == int(number) else str(number))
    except (ValueError, OverflowError):
        return NOTHING


def _template(known: Known, node: Node) -> Value:
    whole = text("")
    for part in node.children:
        if part.kind == "template_substitution":
            piece = known.value(part.children[0] if part.children else None)
        else:
            piece = text(unescaped(known.tree.text(part)))
        whole = concatenated(whole, piece)
    return whole


def _last(known: Known, node: Node) -> Value:
    return known.value(node.children[-1]) if node.children else NOTHING


def _conditional(known: Known, node: Node) -> Value:
    return _one_of(known.value(node.fields.get("consequence")), known.value(node.fields.get("alternative")))


def _one_of(first: Value, second: Value) -> Value:
    """Where the text of one of the two is not known, that of the whole is not."""
    known = all(each.texts or (OWN_TOOL,) in each.paths for each in (first, second))
    return first | second | (NOTHING if known else UNKNOWN_TEXT)


def _binary(known: Known, node: Node) -> Value:
    left, right = known.value(node.fields.get("left")), known.value(node.fields.get("right"))
    operator = node.fields["operator"].kind if "operator" in node.fields else ""
    if operator in _EITHER:
        return _one_of(left, right)
    return concatenated(left, right) if operator == "+" and (left.holds_text or right.holds_text) else NOTHING


def _array(known: Known, node: Node) -> Value:
    elements: list[Value] = []
    for each in node.children:
        value = known.value(each)
        if each.kind != "spread_element":
            elements.append(value)
        elif value.members is not None:
            elements.extend(value.elements)
        else:
            return NOTHING
    return array(elements)


def _object(known: Known, node: Node) -> Value:
    members: list[tuple[str, Value]] = []
    for each in node.children:
        if each.kind == "pair":
            value = known.value(each.fields.get("value"))
            members.extend((key, value) for key in key_texts(known, each.fields["key"]))
        elif each.kind == "shorthand_property_identifier":
            members.append((name_of(known.tree, each), known.value(each)))
        elif each.kind == "method_definition":
            held = Value(functions=frozenset({each}))
            members.extend((key, held) for key in key_texts(known, each.fields["name"]))
        elif each.kind == "spread_element":
            members.extend(known.value(each).members or ())
    return written_out(members)


def key_texts(known: Known, key: Node) -> frozenset[str]:
    """Return the names that a key in an object or a pattern can be."""
    if key.kind == "computed_property_name":
        return known.value(key.children[0] if key.children else None).as_texts
    written = name_of(known.tree, key)
    return frozenset({written[1:-1] if key.kind == "string" else written})


def _class(known: Known, node: Node) -> Value:
    members: list[tuple[str, Value]] = []
    body = node.fields.get("body")
    for each in body.children if body is not None else ():
        key = each.fields.get("property") or each.fields.get("name")
        if key is not None and each.kind == "field_definition":
            value = known.value(each.fields.get("value"))
            members.extend((name, value) for name in key_texts(known, key))
    return written_out(members) if members else NOTHING


def _spread(known: Known, node: Node) -> Value:
    return _last(known, node)


def _this(known: Known, node: Node) -> Value:
    for around in node.ancestors():
        if around.kind in FUNCTIONS and known.called_by_page(around):
            return path()
        if around.kind in ("class_body", "object") or (
            around.kind in FUNCTIONS and not _is_called_here(around)
        ):
            return NOTHING
    return path()


def _is_called_here(function: Node) -> bool:
    """An arrow function has the ``this`` around it, and a function called at once has the page's."""
    if function.kind == "arrow_function":
        return True
    around = function.parent
    while around is not None and around.kind == "parenthesized_expression":
        around = around.parent
    return around is not None and around.kind == "call_expression"


def _function(_known: Known, node: Node) -> Value:
    return Value(functions=frozenset({node}))


def _call(known: Known, node: Node) -> Value:
    return known.call(node)


TRANSFER: Final[Mapping[str, Callable[[Known, Node], Value]]] = {
    "identifier": name_value,
    "shorthand_property_identifier": name_value,
    "member_expression": _member,
    "subscript_expression": _subscript,
    "string": _string,
    "number": _number,
    "template_string": _template,
    "parenthesized_expression": _last,
    "sequence_expression": _last,
    "await_expression": _last,
    "ternary_expression": _conditional,
    "binary_expression": _binary,
    "array": _array,
    "object": _object,
    "spread_element": _spread,
    "class": _class,
    "class_declaration": _class,
    "this": _this,
    "function_expression": _function,
    "generator_function": _function,
    "arrow_function": _function,
    "call_expression": _call,
    "new_expression": _call,
}
"""For each kind of expression, what it can be."""
