"""What a script hands to the page's sinks: markup, addresses, styles, handlers, code and elements."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from genui_core.domain.judging.addresses import HOLE, Destination, addresses_in_set, destination
from genui_core.domain.judging.markup.attributes import ADDRESS_SETS, ADDRESSES, is_handler
from genui_core.domain.judging.markup.source import markup_in_script
from genui_core.domain.judging.script.flow import Flow
from genui_core.domain.judging.script.reach import Sight
from genui_core.domain.judging.script.tree import Node
from genui_core.domain.judging.script.values import Value
from genui_core.domain.judging.style_rules import style_rules

_TIMERS = {"setTimeout", "setInterval", "setImmediate"}
_THROUGH = {"call", "apply", "bind"}
_MARKUP_CALLS: Final[Mapping[str, int]] = {
    "insertAdjacentHTML": 1,
    "createContextualFragment": 0,
    "setHTMLUnsafe": 0,
    "parseHTMLUnsafe": 0,
    "parseFromString": 0,
    "execCommand": 2,
}
_MARKUP_PROPERTIES = {"innerHTML", "outerHTML"}
_MARKUP_ATTRIBUTES = {each.lower() for each in _MARKUP_PROPERTIES}
_LOADING = {
    "script", "iframe", "frame", "frameset", "object", "embed", "applet", "link", "base", "meta", "portal",
    "fencedframe", "animate", "set",
}  # fmt: skip
_STYLE_CALLS = {"insertRule", "replaceSync", "replace", "setProperty", "addRule", "FontFace"}
_STYLE_PROPERTIES = {
    "cssText", "background", "backgroundImage", "listStyle", "listStyleImage", "cursor", "borderImage",
    "borderImageSource", "content", "mask", "maskImage", "filter", "clipPath",
}  # fmt: skip
_TEXT_PROPERTIES = {"textContent", "innerText", "text"}
_NAMED_AS_STYLE: Final = re.compile(r"style|css|sheet", re.IGNORECASE)
_LOADERS = {"Image", "Audio"}
_BUILDERS = {
    "el",
    "assign",
    "h",
    "create",
    "createElement",
    "make",
    "elem",
    "element",
    "setAttributes",
    "attrs",
}
_DESCRIBING = {"getOwnPropertyDescriptor", "__lookupSetter__"}
_HIDDEN = {"innerHTML", "outerHTML", "srcdoc", "src", "href", "srcset", "action"}
_SET_VALUE_AT: Final = 2
_TAG_AT: Final[Mapping[str, int]] = {"createElement": 0, "createElementNS": 1, "el": 0}
_ATTRIBUTE_NAME_AT: Final[Mapping[str, int]] = {
    "setAttribute": 0, "setAttributeNS": 1, "createAttribute": 0, "createAttributeNS": 1, "toggleAttribute": 0,
}  # fmt: skip


def sink_rules(flow: Flow) -> Iterator[Sight]:
    """Yield what must not be handed to the page."""
    for node in flow.tree.nodes:
        check = _CHECKS.get(node.kind)
        if check is not None:
            yield from ((rule, node) for rule in check(flow, node))


def _called(flow: Flow, node: Node) -> Iterator[str]:
    callee = node.fields.get("function") or node.fields.get("constructor")
    if callee is None:
        return
    if callee.kind == "import":
        yield "import.dynamic"
        return
    arguments = flow.given(node)
    names = flow.key(callee) | {each[-1] for each in flow.value(callee).paths if each}
    for name in names:
        for check in _CALL_CHECKS:
            yield from check(name, arguments)
    yield from _timer(flow, callee, node.arguments, arguments)
    if not _THROUGH.isdisjoint(names):
        yield from _called_through(flow, callee, arguments)


def _timer(flow: Flow, callee: Node, written: list[Node], arguments: list[Value]) -> Iterator[str]:
    for each in flow.value(callee).paths:
        direct = len(each) == 1 and each[0] in _TIMERS
        through = len(each) > 1 and each[-2] in _TIMERS and each[-1] in _THROUGH
        given = arguments[:1] if direct else arguments if through else []
        if any(value.holds_text for one in given for value in (one, *one.elements)) or (
            direct and written and _is_text(written[0])
        ):
            yield "code.from_text"


def _is_text(node: Node) -> bool:
    operator = node.fields.get("operator")
    return node.kind == "template_string" or (operator is not None and operator.kind == "+")


def _called_through(flow: Flow, callee: Node, arguments: list[Value]) -> Iterator[str]:
    """``f.call(x, …)`` is a call of ``f``."""
    inner = callee.fields.get("object")
    if inner is None or not arguments:
        return
    apply = "apply" in flow.key(callee)
    given = list(arguments[1].elements) if apply and len(arguments) > 1 else arguments[1:]
    for name in flow.key(inner) | {each[-1] for each in flow.value(inner).paths if each}:
        for check in _CALL_CHECKS:
            yield from check(name, given)


def _markup_call(name: str, arguments: list[Value]) -> Iterator[str]:
    at = _MARKUP_CALLS.get(name)
    if at is not None and at < len(arguments):
        yield from _markup(arguments[at])


def _element_call(name: str, arguments: list[Value]) -> Iterator[str]:
    at = _TAG_AT.get(name)
    if at is None or not arguments:
        return
    for tag in arguments[min(at, len(arguments) - 1)].exact:
        if tag.lower().rpartition(":")[2].partition(".")[0].strip() in _LOADING:
            yield "resource.element"


def _attribute_call(name: str, arguments: list[Value]) -> Iterator[str]:
    at = _ATTRIBUTE_NAME_AT.get(name)
    if at is None or at >= len(arguments):
        return
    value = arguments[at + 1] if at + 1 < len(arguments) else Value()
    for attribute in arguments[at].texts:
        yield from _attribute(attribute.lower().replace(HOLE, "xxx"), value)


def _attribute(name: str, value: Value) -> Iterator[str]:
    if is_handler(name):
        yield "handler.from_script"
    elif name == "srcdoc":
        yield "resource.element"
    elif name == "style":
        yield from _style(value)
    elif name in _MARKUP_ATTRIBUTES:
        yield from _markup(value)
    elif name == "type" and "password" in value.texts:
        yield "input.secret"
    else:
        yield from _address(name, value)


def _style_call(name: str, arguments: list[Value]) -> Iterator[str]:
    for each in arguments if name in _STYLE_CALLS else ():
        yield from _style(each)


def _loader_call(name: str, arguments: list[Value]) -> Iterator[str]:
    if name in _LOADERS and arguments:
        yield from _address("src", arguments[0])


def _builder_call(name: str, arguments: list[Value]) -> Iterator[str]:
    """Attributes in an object, as ``ui.el`` and its like take them."""
    for each in arguments if name in _BUILDERS else ():
        for key, value in each.members or ():
            if not is_handler(key.lower()) or value.holds_text:
                yield from _attribute(key.lower(), value)


def _set_call(name: str, arguments: list[Value]) -> Iterator[str]:
    """``Reflect.set(x, "innerHTML", markup)``."""
    if name == "set" and len(arguments) > _SET_VALUE_AT:
        for each in arguments[1].exact:
            yield from _attribute(each.lower(), arguments[_SET_VALUE_AT])


def _descriptor_call(name: str, arguments: list[Value]) -> Iterator[str]:
    """Whoever asks for the setter of ``innerHTML`` does so to hide what it is given."""
    if name in _DESCRIBING and any(not each.exact.isdisjoint(_HIDDEN) for each in arguments):
        yield "sink.roundabout"


_CALL_CHECKS: Final = (
    _descriptor_call, _markup_call, _element_call, _attribute_call, _style_call, _loader_call, _builder_call,
    _set_call,
)  # fmt: skip


def _assigned(flow: Flow, node: Node) -> Iterator[str]:
    left = node.fields.get("left")
    if left is not None and "object" in left.fields:
        yield from _put(flow, left, flow.value(node.fields.get("right")))


def _unpacked(flow: Flow, node: Node) -> Iterator[str]:
    """``[x.innerHTML] = [markup]`` is an assignment, too."""
    if node.parent is not None and node.parent.kind in _PATTERNS:
        yield from _put(flow, node, flow.value(node))


_PATTERNS = {"array_pattern", "pair_pattern", "assignment_pattern", "rest_pattern"}


def _read(flow: Flow, node: Node) -> Iterator[str]:
    yield from _unpacked(flow, node)
    if "attributes" in flow.key(node.fields["object"]) and any(
        is_handler(each.lower()) for each in flow.key(node)
    ):
        yield "handler.from_script"


def _put(flow: Flow, place: Node, value: Value) -> Iterator[str]:
    around = flow.key(place.fields["object"])
    for name in flow.key(place):
        if (
            name in _STYLE_PROPERTIES
            or "style" in around
            or (name in _TEXT_PROPERTIES and _is_style(flow, place))
        ):
            yield from _style(value)
        elif "dataset" not in around and not is_handler(name.lower()):
            yield from _attribute(name.lower(), value)


def _is_style(flow: Flow, place: Node) -> bool:
    """Tell whether the text of an element is a style: it is one, or is called so."""
    element = place.fields["object"]
    return ("<style",) in flow.value(element).paths or _NAMED_AS_STYLE.search(
        flow.tree.text(element)
    ) is not None


def _markup(value: Value) -> Iterator[str]:
    for each in value.as_texts:
        if HOLE in each:
            yield "markup.from_data"
        if "<" in each:
            yield from markup_in_script(each.replace(HOLE, "x"))


def _style(value: Value) -> Iterator[str]:
    for each in value.texts:
        if "(" in each or "@" in each or "\\" in each:
            written = each.replace(HOLE, "x")
            rules = [*style_rules(written), *style_rules(written, attribute=True)]
            yield from (rule for rule, _, _ in rules if rule != "markup.too_complex")


def _address(name: str, value: Value) -> Iterator[str]:
    if name not in ADDRESSES | ADDRESS_SETS:
        return
    for each in value.texts:
        for address in addresses_in_set(each) if name in ADDRESS_SETS else [each]:
            rule = _LEADING.get(destination(address))
            link = name == "href" and rule == "resource.external"
            if rule is not None:
                yield "resource.dynamic" if link else rule


_LEADING: Final = {
    Destination.OUTSIDE: "resource.external",
    Destination.CODE: "url.script_made",
}

_CHECKS: Final[Mapping[str, Callable[[Flow, Node], Iterator[str]]]] = {
    "call_expression": _called,
    "new_expression": _called,
    "assignment_expression": _assigned,
    "augmented_assignment_expression": _assigned,
    "member_expression": _read,
    "subscript_expression": _read,
}
