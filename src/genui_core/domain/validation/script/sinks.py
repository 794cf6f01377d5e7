"""The rules for the page's sinks: markup, addresses, styles, handlers, code and elements."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from genui_core.domain.validation.addresses import COUNT, HOLE, WITHOUT_MARKUP
from genui_core.domain.validation.markup.markup_rules import is_handler
from genui_core.domain.validation.script.calls import THROUGH, forwarded_arguments
from genui_core.domain.validation.script.flow import Flow
from genui_core.domain.validation.script.reach import NodeMatch, own_navigation
from genui_core.domain.validation.script.tree import Node, ScriptTree
from genui_core.domain.validation.script.value_rules import (
    Call,
    attribute_rules,
    call_rules,
    is_style_property,
    property_rules,
    style_value_rules,
)
from genui_core.domain.validation.script.values import Path, Value

_TIMERS = {"setTimeout", "setInterval", "setImmediate"}
_CALLS_BACK = {
    "forEach", "map", "flatMap", "filter", "find", "some", "every", "reduce", "from", "then", "catch", "finally",
    "replace", "replaceAll", "sort",
}  # fmt: skip
"""Functions that call the function that they are given."""
_REFLECTED: Final[Mapping[Path, int]] = {("Reflect", "apply"): 2, ("Reflect", "construct"): 1}
"""Functions that call their first argument, and the index of the list of arguments for it."""
_TEXT_PROPERTIES = {"textContent", "innerText", "text", "innerHTML", "data", "nodeValue"}
_NAMED_AS_STYLE: Final = re.compile(r"style|css|sheet", re.IGNORECASE)
_LOADING_CLASS = re.compile(
    r"HTML(?:Script|IFrame|Frame|Object|Embed|Link|Base|Meta|Portal|FencedFrame)Element"
)


def sink_rules(flow: Flow) -> Iterator[NodeMatch]:
    """Yield each call, assignment and class that passes a forbidden value to a sink."""
    for node in flow.tree.nodes:
        check = _CHECKS.get(node.kind)
        if check is not None:
            flow.steps_left -= _steps_to_read(flow, node)
            if flow.steps_left < 0:
                return
            yield from ((rule, node) for rule in check(flow, node))


def _steps_to_read(flow: Flow, node: Node) -> int:
    """Return the steps to validate the values of a call or an assignment as markup or styles."""
    fields, steps = node.fields, 0
    for each in node.arguments if "arguments" in fields else [fields["right"]] if "right" in fields else ():
        value = flow.value(each)
        steps += value.size
        for text in value.texts:
            steps += len(text) if _READ_FURTHER.search(text) else len(text) // _CHARACTERS_A_STEP
    return steps


_CHARACTERS_A_STEP: Final = 4
_READ_FURTHER: Final = re.compile(r"[<(]")


def _check_call(flow: Flow, node: Node) -> Iterator[str]:
    callee = node.fields.get("function") or node.fields.get("constructor")
    if callee is None:
        return
    if callee.kind == "import":
        yield "import.dynamic"
        return
    arguments = flow.given(node)
    yield from _check_timer(flow, callee, node.arguments, arguments)
    yield from _check_names(flow, callee, arguments)
    if not THROUGH.isdisjoint(flow.names(callee)):
        yield from _check_forwarding(flow, callee, arguments)
    if not flow.key(callee).isdisjoint(_CALLS_BACK):
        yield from _check_callbacks(flow, callee, arguments)
    for each in flow.value(callee).paths & _REFLECTED.keys():
        yield from _check_reflect(arguments, _REFLECTED[each])


def _check_names(flow: Flow, callee: Node, given: list[Value]) -> Iterator[str]:
    """Yield the rules that a call breaks under any of the names of its function."""
    subject = callee.fields.get("object")
    elements = _elements(flow, subject)
    styles = subject is not None and _is_style(flow, subject)
    navigates = "location" in flow.key(subject) and _navigates(flow.key(callee), given)
    if subject is not None and navigates and own_navigation(flow, subject) is None:
        yield "navigation"
    for name in flow.names(callee):
        yield from call_rules(Call(name, given, elements, styles))


def _navigates(method: frozenset[str], given: list[Value]) -> bool:
    """Tell whether a method of a location navigates; ``replace`` of a text has two arguments."""
    return not method.isdisjoint({"assign", "reload"}) or ("replace" in method and len(given) == 1)


def _elements(flow: Flow, node: Node | None) -> frozenset[str]:
    return frozenset(each[-1] for each in flow.value(node).paths if each and each[-1].startswith("<"))


def _check_timer(flow: Flow, callee: Node, written: list[Node], arguments: list[Value]) -> Iterator[str]:
    for each in flow.value(callee).paths:
        direct = len(each) == 1 and each[0] in _TIMERS
        through = len(each) > 1 and each[-2] in _TIMERS and each[-1] in THROUGH
        given = arguments[:1] if direct else arguments if through else []
        if _hold_text(given) or (direct and written and _is_text(written[0])):
            yield "code.from_text"
    called = flow.value(callee)
    is_seen_through = called.functions or called.paths & _REFLECTED.keys()
    if any(map(_is_timer, arguments)) and not is_seen_through:
        yield "code.from_text"


def _hold_text(values: list[Value]) -> bool:
    return any(value.holds_text for one in values for value in (one, *one.elements))


def _is_timer(value: Value) -> bool:
    return any(len(each) == 1 and each[0] in _TIMERS for each in value.paths)


def _is_text(node: Node) -> bool:
    operator = node.fields.get("operator")
    return node.kind == "template_string" or (operator is not None and operator.kind == "+")


def _check_forwarding(flow: Flow, callee: Node, arguments: list[Value]) -> Iterator[str]:
    """Check ``f.call(x, …)`` as a call of ``f``."""
    inner = callee.fields.get("object")
    if inner is None or not arguments:
        return
    method = "apply" if "apply" in flow.key(callee) else "call"
    yield from _check_names(flow, inner, forwarded_arguments(method, arguments))


def _check_callbacks(flow: Flow, callee: Node, arguments: list[Value]) -> Iterator[str]:
    """Check ``texts.map(f)`` as a call of ``f`` with any element."""
    held = flow.value(callee.fields.get("object")).elements
    names = {each[-1] for value in arguments for each in value.paths if each}
    for name in names if held else ():
        yield from call_rules(Call(name, [Value.any_of(held)]))


def _check_reflect(arguments: list[Value], given_at: int) -> Iterator[str]:
    """Check ``Reflect.apply(f, x, […])`` as a call of ``f``."""
    if len(arguments) <= given_at:
        return
    given = list(arguments[given_at].elements)
    if _is_timer(arguments[0]) and _hold_text(given):
        yield "code.from_text"
    for each in arguments[0].paths:
        yield from call_rules(Call(each[-1], given)) if each else ()


def _check_assignment(flow: Flow, node: Node) -> Iterator[str]:
    left, value = node.fields.get("left"), flow.value(node.fields.get("right"))
    if left is not None and "object" in left.fields:
        yield from _check_write(flow, left, value)
    if left is not None and _is_timer(value) and any(map(is_handler, flow.names(left))):
        yield "code.from_text"


def _check_member(flow: Flow, node: Node) -> Iterator[str]:
    """Check ``[x.innerHTML] = [markup]`` and ``for (x.innerHTML of [markup])`` as assignments."""
    around = "" if node.parent is None else node.parent.kind
    is_looped = around == "for_in_statement" and node.fills("left")
    if is_looped or around in {"array_pattern", "pair_pattern", "assignment_pattern", "rest_pattern"}:
        yield from _check_write(flow, node, flow.value(node))
    of_attributes = "attributes" in flow.key(node.fields["object"])
    if of_attributes and any(is_handler(each.lower()) for each in flow.key(node)):
        yield "handler.from_script"


def _check_write(flow: Flow, place: Node, value: Value) -> Iterator[str]:
    subject = place.fields["object"]
    around, styles, held = flow.key(subject), _is_style(flow, subject), flow.value(subject)
    is_own_object = subject.kind == "this" or (held.members is not None and not held.paths)
    for name in flow.key(place):
        if is_style_property(name) or "style" in around or (styles and name in _TEXT_PROPERTIES):
            yield from style_value_rules(value)
        if "location" in around and name in _PARTS_OF_LOCATION:
            yield "navigation"
        if name == "baseVal" and "href" in around:
            yield from attribute_rules("src", value, _elements(flow, subject.fields.get("object")) or _SOME)
        elif around.isdisjoint({"dataset", "style"}) and not is_handler(name.lower()):
            yield from property_rules(name.lower(), value, _elements(flow, subject), plain=is_own_object)


_SOME: Final = frozenset({"<use"})
"""The element that an address in SVG may belong to."""
_PARTS_OF_LOCATION = {"href", "protocol", "host", "hostname", "port", "pathname", "search"}


def _is_style(flow: Flow, element: Node) -> bool:
    """Tell whether an expression is a style element, is part of one, or has the name of a style."""
    inner: Node | None = element
    while inner is not None:
        if "<style" in _elements(flow, inner):
            return True
        inner = inner.fields.get("object")
    return bool(_NAMED_AS_STYLE.search(flow.tree.text(element)))


def _check_superclass(flow: Flow, node: Node) -> Iterator[str]:
    """Check ``class Frame extends HTMLIFrameElement``."""
    paths = (each for inner in node.children for each in flow.value(inner).paths)
    if any(each and _LOADING_CLASS.fullmatch(each[-1]) for each in paths):
        yield "resource.element"


_CHECKS: Final[Mapping[str, Callable[[Flow, Node], Iterator[str]]]] = {
    "call_expression": _check_call,
    "new_expression": _check_call,
    "assignment_expression": _check_assignment,
    "augmented_assignment_expression": _check_assignment,
    "member_expression": _check_member,
    "subscript_expression": _check_member,
    "class_heritage": _check_superclass,
}


def counts_in_markup(flow: Flow) -> Iterator[Node]:
    """Yield the expressions in texts that may be a count, and are otherwise without markup."""
    for node in flow.tree.nodes:
        if node.parent is None or not _becomes_text(flow.tree, node, node.parent) or _is_composed(node):
            continue
        texts = flow.value(node).texts
        if any(COUNT in each for each in texts) and not any(map(_has_other_markup, texts)):
            yield node


def _has_other_markup(text: str) -> bool:
    """Tell whether a text may contain markup outside its counts."""
    return HOLE in text.replace(COUNT, "").replace(WITHOUT_MARKUP, "") or not _MARKUP.isdisjoint(text)


def _becomes_text(tree: ScriptTree, node: Node, around: Node) -> bool:
    """Tell whether an expression becomes part of a text; a sum of numbers does not."""
    if around.kind == "binary_expression":
        return _is_composed(around)
    if node.fills("right", "assignment_expression"):
        return tree.text(around.fields["left"]).endswith((".innerHTML", ".outerHTML"))
    return around.kind == "template_substitution"


def _is_composed(node: Node) -> bool:
    """Tell whether an expression joins texts, so that its parts are checked one by one."""
    while node.kind == "binary_expression" and node.fields["operator"].kind == "+":
        if node.fields["right"].kind in _TEXTS:
            return True
        node = node.fields["left"]
    return node.kind in _TEXTS


_MARKUP: Final = frozenset("<>&\"'")
_TEXTS: Final = frozenset({"string", "template_string"})
