"""The rules for values that a script puts into attributes, styles, addresses and markup."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from genui_core.domain.validation.addresses import (
    CODE_SCHEMES,
    HOLE,
    UNKNOWN,
    WITHOUT_MARKUP,
    WITHOUT_TAGS,
    Destination,
    addresses_in_set,
    destination,
    holds_data,
    is_absolute,
)
from genui_core.domain.validation.markup.markup_rules import (
    ADDRESS_SETS,
    ADDRESSES,
    OFTEN_PLAIN,
    OTHER_FRAMES,
    asks_for_secret,
    is_handler,
    is_plain,
)
from genui_core.domain.validation.markup.source import markup_in_script, read_markup
from genui_core.domain.validation.script.properties import element_path
from genui_core.domain.validation.script.reach import FORBIDDEN_GLOBALS
from genui_core.domain.validation.script.values import NOTHING, Value
from genui_core.domain.validation.style_rules import DECORATIVE, style_rules

_LOADED_BY_HREF: Final = {"<image", "<use", "<feimage", "<mpath", "<textpath", "<pattern", "<filter"}
"""Elements that load their ``href`` without a click; each name stands after ``<``."""
_LOADED_BY_SOME: Final = frozenset({"action", "background"})
"""Attributes that load something on elements that the analysis often cannot identify."""
_STYLE_PROPERTIES: Final = {
    "csstext", "background", "backgroundimage", "liststyle", "liststyleimage", "cursor", "borderimage",
    "borderimagesource", "content", "mask", "maskimage", "filter", "clippath",
}  # fmt: skip


def is_style_property(name: str) -> bool:
    """Tell whether a property of a style may hold an address; the name may have hyphens or capitals."""
    return name.replace("-", "").lower() in _STYLE_PROPERTIES


def attribute_rules(name: str, value: Value, elements: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the rules against a value of an attribute, in lower case, on elements of these paths."""
    if is_handler(name):
        yield "handler.from_script"
    elif name == "srcdoc":
        yield "resource.element"
    elif name == "style":
        yield from style_value_rules(value)
    elif name in {"innerhtml", "outerhtml"}:
        yield from _markup_value_rules(value)
    elif any(asks_for_secret(name, each) for each in value.spelled):
        yield "input.secret"
    elif name == "target" and not OTHER_FRAMES.isdisjoint(each.lower() for each in value.spelled):
        yield "navigation"
    else:
        plain = is_plain(name, _names_of(elements)) and (elements or name not in _LOADED_BY_SOME)
        given, blocked = _absolute_addresses(value) if plain else value, _is_picture(name, elements)
        for rule in _address_rules(name, given, loaded=not elements.isdisjoint(_LOADED_BY_HREF)):
            yield "resource.blocked" if blocked and rule == "resource.external" else rule


def _is_picture(name: str, elements: frozenset[str]) -> bool:
    """Tell whether an attribute loads only a picture, film or sound, which the page's policy blocks.

    Other rules refuse the elements that load a script or a page by such an attribute.
    """
    if name in _LINKS:
        return bool(elements) and elements <= {"<image", "<feimage"}
    return name in {"src", "srcset", "poster"} and elements <= _PICTURES


_LINKS: Final = frozenset({"href", "xlink:href"})
_PICTURES: Final = frozenset({"<img", "<image", "<audio", "<video", "<source", "<track", "<input"})


def property_rules(name: str, value: Value, elements: frozenset[str], *, plain: bool) -> Iterator[str]:
    """Yield the rules against a value of a property; a ``plain`` one belongs to the script's own object."""
    if name == "webkittextsecurity":
        yield "input.secret"
    elif (
        name == "protocol"
        and not plain
        and any(each.strip(" :").lower() in CODE_SCHEMES for each in value.spelled)
    ):
        yield "url.script_made"
    elif name == "location" and not plain and any(map(is_absolute, value.spelled)):
        yield "navigation"
    else:
        whole = name in ADDRESSES and (plain or name in OFTEN_PLAIN)
        yield from attribute_rules(name, _absolute_addresses(value) if whole else value, elements)


def _member_rules(
    name: str, value: Value, elements: frozenset[str], *, assigned: bool, plain: bool
) -> Iterator[str]:
    """Yield the rules against a member of an object that may become an attribute or a property."""
    attribute = name.lower()
    if is_style_property(name) or "-" in name:
        yield from style_value_rules(value)
    if is_handler(attribute) and not value.holds_text:
        return
    if assigned:
        yield from property_rules(attribute, value, elements, plain=plain)
    else:
        whole = is_plain(attribute, _names_of(elements))
        yield from attribute_rules(attribute, _absolute_addresses(value) if whole else value, elements)


def _names_of(elements: frozenset[str]) -> Iterator[str]:
    return (each.removeprefix("<") for each in elements)


def _absolute_addresses(value: Value) -> Value:
    return Value(texts=frozenset(filter(is_absolute, value.spelled)))


def _markup_value_rules(value: Value) -> Iterator[str]:
    """Yield the rules that a value breaks as markup in the page."""
    probed = sorted(value.as_texts, key=len, reverse=True)[:_MOST_PROBED]
    for each in value.as_texts:
        if each and not each.strip(HOLE):
            yield "markup.from_call"
        elif holds_data(each) or (each in probed and _breaks_out(each)):  # a count may be data, too
            yield "markup.from_data"
    for written in {_filled(each) for each in value.as_texts if "<" in each}:
        yield from markup_in_script(written)


def _breaks_out(written: str) -> bool:
    """Tell whether an escaped text may become an attribute, because of missing or wrong quotes."""
    if WITHOUT_TAGS not in written and WITHOUT_MARKUP not in written:
        return False
    probed = written.replace(WITHOUT_TAGS, f"x\"{_PROBE}'{_PROBE}{_PROBE}")
    probed = probed.replace(WITHOUT_MARKUP, f"x{_PROBE}")
    names = {name for each in read_markup(probed).elements for name in each.attributes}
    return _PROBE.strip(" =1") in names


_MOST_PROBED: Final = 3
"""How many possible texts of markup are probed; they differ little from each other."""
_PROBE: Final = " zqz=1 "


def _filled(written: str) -> str:
    """Return markup or a style with an ``x`` for each hole.

    An address that begins with a hole stays unknown, unless an absolute address follows the hole.
    """
    return _HOLES.sub(lambda found: found[1] or "x", written)


_HOLES: Final = re.compile(
    rf"""((?:\s(?:href|src)\s*=\s*["']|\burl\(\s*["']?){HOLE})[{UNKNOWN[1:]}]?(?!\s*(?:[a-z][a-z\d+.\-]*:|[/\\]{{2}}))|{HOLE}[{UNKNOWN[1:]}]?""",
    re.IGNORECASE,
)


def style_value_rules(value: Value, *, loads: bool = False) -> Iterator[str]:
    """Yield the rules that a value breaks as a style; with ``loads``, it loads more than pictures."""
    for each in value.spelled:
        if "(" in each or "@" in each or "\\" in each or "-security" in each:
            written = _filled(each)
            outside = "resource.external" if loads or "@" in each else "resource.blocked"
            for met in (*style_rules(written), *style_rules(written, attribute=True)):
                if met.rule != "markup.too_complex":
                    yield outside if met.rule == DECORATIVE else met.rule


def _address_rules(name: str, value: Value, *, loaded: bool) -> Iterator[str]:
    if name not in ADDRESSES | ADDRESS_SETS:
        return
    for each in value.spelled:
        for address in addresses_in_set(each) if name in ADDRESS_SETS else [each]:
            where = destination(address)
            if where is Destination.CODE:
                yield "url.script_made"
            elif where is Destination.OUTSIDE:
                yield "resource.dynamic" if name in _LINKS and not loaded else "resource.external"


@frozen
class Call:
    """A call: the name of its function, and the values of its arguments.

    Attributes:
        elements: The names of the elements it may be called on, each after ``<``.
        styles: Whether it is called on a style, or on an object with the name of one.
    """

    name: str
    given: list[Value]
    elements: frozenset[str] = frozenset()
    styles: bool = False

    def at(self, index: int) -> Value:
        """Return one of the arguments."""
        return self.given[index] if index < len(self.given) else NOTHING


def call_rules(call: Call) -> Iterator[str]:
    """Yield the rules that a call breaks."""
    for check in (_address, _descriptor, _markup, _element, _attribute, _style, _builder, _set):
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
"""Functions that take styles in objects and lists."""
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
    for each in _markup_value_rules(call.given[at]):
        yield "markup.from_call" if inert and each == "markup.from_data" else each


XML_TYPES: Final = frozenset({"text/xml", "application/xml"})
"""Types of documents that are data and no page."""


def _element(call: Call) -> Iterator[str]:
    made = _made_elements(call)
    if not made.isdisjoint(_LOADING):
        yield "resource.element"
    if "<style" in made:
        for each in call.given[1:]:
            yield from style_value_rules(each)


def _made_elements(call: Call) -> frozenset[str]:
    at = _TAG_AT.get(call.name)
    if at is None or not call.given:
        return frozenset()
    return frozenset(map(element_path, call.given[min(at, len(call.given) - 1)].exact))


def _attribute(call: Call) -> Iterator[str]:
    at = _NAME_AT.get(call.name)
    if at is not None:
        for name in call.at(at).spelled:
            yield from attribute_rules(name.lower().replace(HOLE, "xxx"), call.at(at + 1), call.elements)


def _style(call: Call) -> Iterator[str]:
    if call.name == "replace":  # of a style sheet, with one argument, or of a text, with two
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
    """Check attributes in an object, the argument of ``ui.el`` and similar functions."""
    for each in call.given if call.name in _BUILDERS else ():
        for key, value in each.members or ():
            yield from _document_rules(call, key)
            if key == "style":
                yield from (rule for one in value.elements for rule in style_value_rules(one))
            assigned, elements = call.name == "assign", _made_elements(call) | call.elements
            # Object.assign(state, …) changes the script's own object, and no element.
            plain = assigned and call.at(0).members is not None and not call.at(0).paths
            yield from _member_rules(key, value, elements, assigned=assigned, plain=plain)


def _set(call: Call) -> Iterator[str]:
    """Check ``Reflect.set(x, "innerHTML", markup)``."""
    if call.name == "set" and len(call.given) > _SET_VALUE_AT:
        for each in call.given[1].exact:
            yield from _document_rules(call, each)
            yield from attribute_rules(each.lower(), call.given[_SET_VALUE_AT])
            if is_style_property(each):
                yield from style_value_rules(call.given[_SET_VALUE_AT])


def _document_rules(call: Call, key: str) -> Iterator[str]:
    if key == "location" and ("document",) in call.at(0).paths:
        yield "navigation"


def _descriptor(call: Call) -> Iterator[str]:
    """Check whether a script reads the setter of ``innerHTML``, which hides its assignments."""
    asked = call.name in _DESCRIBING and any(not each.exact.isdisjoint(_HIDDEN) for each in call.given)
    paths = (each for value in call.given for each in value.paths)
    if asked or (call.name == "getOwnPropertyDescriptors" and any("prototype" in each for each in paths)):
        yield "sink.roundabout"


def _address(call: Call) -> Iterator[str]:
    """Check ``new Image(address)`` and ``document.execCommand("insertImage", false, address)``."""
    if call.name in {"Image", "Audio"} and call.given:
        yield from attribute_rules("src", call.given[0])
    elif call.name == "execCommand":
        for each in call.at(0).exact & _COMMANDS.keys():
            yield from attribute_rules(_COMMANDS[each], call.at(2))


_COMMANDS: Final[Mapping[str, str]] = {"insertImage": "src", "createLink": "href"}
