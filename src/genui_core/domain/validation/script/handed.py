"""What must not be handed to the functions and methods by which a script changes its page."""

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from genui_core.domain.validation.addresses import HOLE
from genui_core.domain.validation.script.destined import (
    attribute_rules,
    is_style_property,
    markup_value_rules,
    member_rules,
    style_value_rules,
)
from genui_core.domain.validation.script.properties import made_element
from genui_core.domain.validation.script.reach import FORBIDDEN_GLOBALS
from genui_core.domain.validation.script.values import NOTHING, Value


@frozen
class Call:
    """A call, as far as it can be told.

    Attributes:
        elements: The names of the elements it may be called on, each after ``<``.
        styles: Whether it is called on a style, or on what is named as one.
    """

    name: str
    given: list[Value]
    elements: frozenset[str] = frozenset()
    styles: bool = False

    def at(self, index: int | None) -> Value:
        """Return one of the arguments."""
        return self.given[index] if index is not None and index < len(self.given) else NOTHING


def call_rules(call: Call) -> Iterator[str]:
    """Yield what a call breaks."""
    for check in (_addressed, _descriptor, _markup, _element, _attribute, _style, _builder, _set):
        yield from check(call)


_MARKUP_AT: Final[Mapping[str, int]] = {
    "insertAdjacentHTML": 1, "createContextualFragment": 0, "setHTMLUnsafe": 0, "parseHTMLUnsafe": 0,
    "parseFromString": 0, "execCommand": 2, "setHTML": 0, "parseHTML": 0,
}  # fmt: skip
_LOADING = {
    "<script", "<iframe", "<frame", "<frameset", "<object", "<embed", "<applet", "<link", "<base", "<meta",
    "<portal", "<fencedframe", "<animate", "<set",
}  # fmt: skip
_TAG_AT: Final[Mapping[str, int]] = {"createElement": 0, "createElementNS": 1, "el": 0}
_NAME_AT: Final[Mapping[str, int]] = {
    "setAttribute": 0, "setAttributeNS": 1, "createAttribute": 0, "createAttributeNS": 1, "toggleAttribute": 0,
    "getAttributeNode": 0, "getAttributeNodeNS": 1, "getNamedItem": 0, "getNamedItemNS": 1,
}  # fmt: skip
_STYLES_WITHIN = {"animate", "KeyframeEffect", "setKeyframes", "registerProperty"}
"""What takes styles in objects and lists."""
_DEEPEST: Final = 3
_STYLE_CALLS = {"insertRule", "replaceSync", "setProperty", "addRule", "FontFace"}
_ON_STYLES = {
    "append", "prepend", "appendChild", "insertBefore", "replaceChildren", "insertAdjacentText", "appendData",
    "replaceData", "set", "parse", "parseAll", "insertAdjacentHTML",
}  # fmt: skip
_BUILDERS = {
    "el", "assign", "h", "create", "createElement", "make", "elem", "element", "setAttributes", "attrs",
}  # fmt: skip
_DESCRIBING = {"getOwnPropertyDescriptor", "__lookupSetter__", "__lookupGetter__"}
_HIDDEN = {
    "constructor", "innerHTML", "outerHTML", "srcdoc", "src", "href", "srcset", "action", *FORBIDDEN_GLOBALS,
}  # fmt: skip
_SET_VALUE_AT: Final = 2


def _markup(call: Call) -> Iterator[str]:
    at = _MARKUP_AT.get(call.name)
    if at is None or at >= len(call.given):
        return
    inert = call.name == "parseFromString" and bool(call.at(1).exact) and call.at(1).exact <= XML_TYPES
    for each in markup_value_rules(call.given[at]):
        yield "markup.from_call" if inert and each == "markup.from_data" else each


XML_TYPES: Final = frozenset({"text/xml", "application/xml"})
"""Types of documents that are read as data, and are no page."""


def _element(call: Call) -> Iterator[str]:
    made = _made(call)
    if not made.isdisjoint(_LOADING):
        yield "resource.element"
    if "<style" in made:
        for each in call.given[1:]:
            yield from style_value_rules(each)


def _made(call: Call) -> frozenset[str]:
    at = _TAG_AT.get(call.name)
    if at is None or not call.given:
        return frozenset()
    return frozenset(map(made_element, call.given[min(at, len(call.given) - 1)].exact))


def _attribute(call: Call) -> Iterator[str]:
    at = _NAME_AT.get(call.name)
    if at is not None:
        for name in call.at(at).spelled:
            yield from attribute_rules(name.lower().replace(HOLE, "xxx"), call.at(at + 1), call.elements)


def _style(call: Call) -> Iterator[str]:
    if call.name == "replace":  # a sheet takes one text, and a text takes what comes in its place, too
        yield from style_value_rules(call.at(0))
    elif call.name in _STYLE_CALLS or (call.styles and call.name in _ON_STYLES):
        for each in call.given:
            yield from style_value_rules(each, loads=call.name == "FontFace")
    for each in call.given if call.name in _STYLES_WITHIN else ():
        for value in _within(each):
            yield from style_value_rules(value)


def _within(value: Value, depth: int = 0) -> Iterator[Value]:
    yield value
    for each in value.elements if depth < _DEEPEST else ():
        yield from _within(each, depth + 1)


def _builder(call: Call) -> Iterator[str]:
    """Attributes in an object, as ``ui.el`` and its like take them."""
    for each in call.given if call.name in _BUILDERS else ():
        for key, value in each.members or ():
            yield from _into_document(call, key)
            if key == "style":
                yield from (rule for one in value.elements for rule in style_value_rules(one))
            assigned, elements = call.name == "assign", _made(call) | call.elements
            # Object.assign(state, …) fills an object of the script's own, and no element.
            plain = assigned and call.at(0).members is not None and not call.at(0).paths
            yield from member_rules(key, value, elements, assigned=assigned, plain=plain)


def _set(call: Call) -> Iterator[str]:
    """``Reflect.set(x, "innerHTML", markup)``."""
    if call.name == "set" and len(call.given) > _SET_VALUE_AT:
        for each in call.given[1].exact:
            yield from _into_document(call, each)
            yield from attribute_rules(each.lower(), call.given[_SET_VALUE_AT])
            if is_style_property(each):
                yield from style_value_rules(call.given[_SET_VALUE_AT])


def _into_document(call: Call, key: str) -> Iterator[str]:
    if key == "location" and ("document",) in call.at(0).paths:
        yield "navigation"


def _descriptor(call: Call) -> Iterator[str]:
    """Find scripts that read the setter of ``innerHTML``, which hides what they assign."""
    asked = call.name in _DESCRIBING and any(not each.exact.isdisjoint(_HIDDEN) for each in call.given)
    paths = (each for value in call.given for each in value.paths)
    if asked or (call.name == "getOwnPropertyDescriptors" and any("prototype" in each for each in paths)):
        yield "sink.roundabout"


def _addressed(call: Call) -> Iterator[str]:
    """``new Image(address)`` and ``document.execCommand("insertImage", false, address)``."""
    if call.name in {"Image", "Audio"} and call.given:
        yield from attribute_rules("src", call.given[0])
    elif call.name == "execCommand":
        for each in call.at(0).exact & _COMMANDS.keys():
            yield from attribute_rules(_COMMANDS[each], call.at(2))


_COMMANDS: Final[Mapping[str, str]] = {"insertImage": "src", "createLink": "href"}
