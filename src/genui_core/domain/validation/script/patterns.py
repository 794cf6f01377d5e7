"""How a value comes apart where a pattern takes it, ``const { a, b: [c] } = value``, and what must be known for that."""

from collections.abc import Iterator
from typing import Final

from genui_core.domain.validation.addresses import COUNT, HOLE, WITHOUT_MARKUP
from genui_core.domain.validation.script.properties import property_value
from genui_core.domain.validation.script.scopes import Binding, Scopes
from genui_core.domain.validation.script.tree import Node, ScriptTree, name_of
from genui_core.domain.validation.script.values import NOTHING, Value


class Known:
    """What is known of the nodes of a script."""

    def __init__(self, scopes: Scopes) -> None:
        self.tree: Final = scopes.tree
        self.scopes: Final = scopes
        self._values: dict[Node, Value] = {}
        self._meanings: dict[Node, Binding] = {}

    def value(self, node: Node | None) -> Value:
        """Return what a node can be."""
        return NOTHING if node is None else self._values.get(node, NOTHING)

    def key(self, node: Node | None) -> frozenset[str]:
        """Return the names of the property that a member expression reads; nothing for other nodes."""
        if node is None:
            return frozenset()
        if node.kind == "member_expression":
            return frozenset({name_of(self.tree, node.fields["property"])})
        if node.kind == "subscript_expression":
            return self.value(node.fields.get("index")).as_texts
        return frozenset()

    def names(self, callee: Node) -> frozenset[str]:
        """Return the names of what is called: as it is written here, and as the page has it."""
        return self.key(callee) | {each[-1] for each in self.value(callee).paths if each}

    def binding(self, node: Node | None) -> Binding | None:
        """Return what a plain name means."""
        return None if node is None else self._meanings.get(node)


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
        return [(left, value if left is None else _taken(known, left, value))]
    if pattern.kind == "object_pattern":
        return [(each, _taken(known, each, value)) for each in pattern.children]
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


def _taken(known: Known, part: Node, value: Value) -> Value:
    """Return what a part of an object pattern takes of a value; for other nodes all."""
    return property_value(value, taken_keys(known, part)) if part.kind in UNPACKED else value


def taken_keys(known: Known, part: Node) -> frozenset[str]:
    """Return the names that a part of an object pattern takes; nothing for other nodes."""
    return key_texts(known, part.fields.get("key", part)) if part.kind in UNPACKED else frozenset()


UNPACKED: Final = frozenset({"pair_pattern", "shorthand_property_identifier_pattern"})
"""The parts of an object pattern that take something by its name."""
_ESCAPE: Final = """.replace(/[<>&"']/g, "")"""
_MARKUP: Final = frozenset("<>&\"'")


def escaped_count(written: str) -> str:
    """Return an expression that comes to the text of another one, without any signs of markup in it."""
    return f"String({written}){_ESCAPE}"


def is_escaped_count(tree: ScriptTree, callee: Node) -> bool:
    """Tell whether a call is one that `escaped_count` wrote, and no sign that the script escapes its data."""
    call, subject = callee.parent, callee.fields.get("object")
    if call is None or subject is None or call.parent is None or call.parent.kind not in _PLACES:
        return False
    return tree.text(subject).startswith("String(") and tree.text(call).endswith(_ESCAPE)


def counts_in_markup(known: Known) -> Iterator[Node]:
    """Yield the expressions that become part of a text where they may be a count, and nothing with markup in it."""
    for node in known.tree.nodes:
        if node.parent is None or not _becomes_text(known.tree, node, node.parent) or _is_composed(node):
            continue
        texts = known.value(node).texts
        if any(COUNT in each for each in texts) and not any(map(_is_more, texts)):
            yield node


def _is_more(text: str) -> bool:
    """Tell whether a text may hold markup besides that of a count."""
    return HOLE in text.replace(COUNT, "").replace(WITHOUT_MARKUP, "") or not _MARKUP.isdisjoint(text)


def _becomes_text(tree: ScriptTree, node: Node, around: Node) -> bool:
    """Tell whether an expression is made a text where it stands; a sum of numbers is none."""
    if around.kind == "binary_expression":
        return _is_composed(around)
    if around.kind == "assignment_expression" and around.fields["right"] is node:
        return tree.text(around.fields["left"]).endswith((".innerHTML", ".outerHTML"))
    return around.kind == "template_substitution"


def _is_composed(node: Node) -> bool:
    """Tell whether an expression puts texts together, whose parts are looked at one by one."""
    while node.kind == "binary_expression" and node.fields["operator"].kind == "+":
        if node.fields["right"].kind in _TEXTS:
            return True
        node = node.fields["left"]
    return node.kind in _TEXTS


_TEXTS: Final = frozenset({"string", "template_string"})
_PLACES: Final = frozenset({"template_substitution", "binary_expression", "assignment_expression"})


def is_list(known: Known, node: Node | None) -> bool:
    """Tell whether something is certain to be a list or a text, whose ``length`` is a number."""
    node = _declared_value(known, node)
    if node is None or node.kind in {"array", "string", "template_string"}:
        return node is not None
    if node.kind == "parenthesized_expression":
        return is_list(known, node.children[0])
    callee = node.fields.get("function") if node.kind == "call_expression" else None
    name = None if callee is None else callee.fields.get("property", callee)
    return name is not None and name_of(known.tree, name) in _LISTS and not known.value(callee).functions


def is_collection(known: Known, node: Node) -> bool:
    """Tell whether something is a map or a set that the script made."""
    made = _declared_value(known, node)
    maker = None if made is None else made.fields.get("constructor")
    return not known.value(maker).paths.isdisjoint({("Map",), ("Set",)})


def _declared_value(known: Known, node: Node | None) -> Node | None:
    """Return what a constant was declared to be; other nodes as they are."""
    if node is None or node.kind != "identifier":
        return node
    binding = known.binding(node)
    declared = None if binding is None or binding.kind != "const" else binding.node.parent
    if declared is None or declared.fields.get("name") is not (binding and binding.node):
        return None
    return declared.fields.get("value")


_LISTS: Final = frozenset(
    {
        "map", "filter", "flatMap", "flat", "slice", "concat", "sort", "toSorted", "reverse", "split", "trim", "from",
        "keys", "values", "entries", "of", "String", "toString", "join", "querySelectorAll", "toLowerCase", "toUpperCase",
        "replace", "replaceAll", "stringify", "Array",
    }
)  # fmt: skip
"""Functions that come to a list or a text, as no data holds functions."""
