"""Values that no code may put into an attribute, a style, an address or markup."""

import re
from collections.abc import Iterator
from typing import Final

from genui_core.domain.validation.addresses import (
    CODE_SCHEMES,
    HOLE,
    UNSAID,
    WITHOUT_MARKUP,
    WITHOUT_TAGS,
    Destination,
    addresses_in_set,
    brings_data,
    destination,
    is_whole,
)
from genui_core.domain.validation.markup.attributes import (
    ADDRESS_SETS,
    ADDRESSES,
    OFTEN_PLAIN,
    OTHER_FRAMES,
    asks_for_secret,
    is_handler,
    is_plain,
)
from genui_core.domain.validation.markup.source import markup_in_script, read_markup
from genui_core.domain.validation.script.values import Value
from genui_core.domain.validation.style_rules import DECORATIVE, style_rules

_MARKUP_ATTRIBUTES: Final = {"innerhtml", "outerhtml"}
_LOADED_BY_HREF: Final = {"<image", "<use", "<feimage", "<mpath", "<textpath", "<pattern", "<filter"}
"""Elements whose ``href`` is loaded, and waits for no click."""
_LOADED_BY_SOME: Final = frozenset({"action", "background"})
"""What loads something on elements that a script may well hold without telling which they are."""
_STYLE_PROPERTIES: Final = {
    "csstext", "background", "backgroundimage", "liststyle", "liststyleimage", "cursor", "borderimage",
    "borderimagesource", "content", "mask", "maskimage", "filter", "clippath",
}  # fmt: skip


def is_style_property(name: str) -> bool:
    """Tell whether a property of a style, in either spelling, may hold an address."""
    return name.replace("-", "").lower() in _STYLE_PROPERTIES


def attribute_rules(name: str, value: Value, elements: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield what forbids to give an attribute, in lower case, a value, on elements of these paths."""
    if is_handler(name):
        yield "handler.from_script"
    elif name == "srcdoc":
        yield "resource.element"
    elif name == "style":
        yield from style_value_rules(value)
    elif name in _MARKUP_ATTRIBUTES:
        yield from markup_value_rules(value)
    elif any(asks_for_secret(name, each) for each in value.spelled):
        yield "input.secret"
    elif name == "target" and not OTHER_FRAMES.isdisjoint(each.lower() for each in value.spelled):
        yield "navigation"
    elif is_plain(name, _names_of(elements)) and (elements or name not in _LOADED_BY_SOME):
        yield from _address(name, _whole_addresses(value), loaded=False)
    else:
        blocked = _is_picture(name, elements)
        for rule in _address(name, value, loaded=not elements.isdisjoint(_LOADED_BY_HREF)):
            yield "resource.blocked" if blocked and rule == "resource.external" else rule


def _is_picture(name: str, elements: frozenset[str]) -> bool:
    """Tell whether the page's policy stops what an attribute names outside the page: a picture, film or sound.

    What loads a script or another page by such an attribute is not made, and no markup holds it.
    """
    if name in _LINKS:
        return bool(elements) and elements <= _PICTURES_BY_HREF
    return name in _PICTURED and elements <= _PICTURES


_LINKS: Final = frozenset({"href", "xlink:href"})
_PICTURES_BY_HREF: Final = frozenset({"<image", "<feimage"})
_PICTURES: Final = frozenset({"<img", "<image", "<audio", "<video", "<source", "<track", "<input"})
_PICTURED: Final = frozenset({"src", "srcset", "poster"})


def property_rules(name: str, value: Value, elements: frozenset[str], *, plain: bool) -> Iterator[str]:
    """Yield what forbids to give a property a value; a plain one is of an object written in the script."""
    if name == "webkittextsecurity":
        yield "input.secret"
    elif (
        name == "protocol"
        and not plain
        and any(each.strip(" :").lower() in CODE_SCHEMES for each in value.spelled)
    ):
        yield "url.script_made"
    elif name == "location" and not plain and any(map(is_whole, value.spelled)):
        yield "navigation"
    elif name in ADDRESSES and (plain or name in OFTEN_PLAIN):
        yield from attribute_rules(name, _whole_addresses(value), elements)
    else:
        yield from attribute_rules(name, value, elements)


def member_rules(
    name: str, value: Value, elements: frozenset[str] = frozenset(), *, assigned: bool, plain: bool
) -> Iterator[str]:
    """Yield the rules against passing on an object's member that may become an attribute, or a property."""
    attribute = name.lower()
    if is_style_property(name) or "-" in name:
        yield from style_value_rules(value)
    if is_handler(attribute) and not value.holds_text:
        return
    if assigned:
        yield from property_rules(attribute, value, elements, plain=plain)
    elif attribute in ADDRESSES and is_plain(attribute, _names_of(elements)):
        yield from attribute_rules(attribute, _whole_addresses(value), elements)
    else:
        yield from attribute_rules(attribute, value, elements)


def _names_of(elements: frozenset[str]) -> Iterator[str]:
    return (each.removeprefix("<") for each in elements)


def _whole_addresses(value: Value) -> Value:
    return Value(texts=frozenset(filter(is_whole, value.spelled)))


def markup_value_rules(value: Value) -> Iterator[str]:
    """Yield what is wrong with markup that is put into the page."""
    probed = sorted(value.as_texts, key=len, reverse=True)[:_MOST_PROBED]
    for each in value.as_texts:
        if each and not each.strip(HOLE):
            yield "markup.from_call"
        elif brings_data(each) or (  # a count is data, too
            each in probed and _breaks_out(each)
        ):
            yield "markup.from_data"
    for written in {_filled(each) for each in value.as_texts if "<" in each}:
        yield from markup_in_script(written)


def _breaks_out(written: str) -> bool:
    """Tell whether an escaped text may become an attribute, where no quotes or the wrong ones are around it."""
    if WITHOUT_TAGS not in written and WITHOUT_MARKUP not in written:
        return False
    probed = written.replace(WITHOUT_TAGS, f"x\"{_PROBE}'{_PROBE}{_PROBE}").replace(
        WITHOUT_MARKUP, f"x{_PROBE}"
    )
    names = {name for each in read_markup(probed).elements for name in each.attributes}
    return _PROBE.strip(" =1") in names


_MOST_PROBED: Final = 3
"""How many of the texts that markup can be are probed: they differ little from each other."""
_PROBE: Final = " zqz=1 "


def _filled(written: str) -> str:
    """Return markup or a style with something in its holes.

    An address that begins with one stays unknown, unless what follows says itself where it leads.
    """
    return _HOLES.sub(lambda found: found[1] or "x", written)


_HOLES: Final = re.compile(
    rf"""((?:\s(?:href|src)\s*=\s*["']|\burl\(\s*["']?){HOLE})[{UNSAID[1:]}]?(?!\s*(?:[a-z][a-z\d+.\-]*:|[/\\]{{2}}))|{HOLE}[{UNSAID[1:]}]?""",
    re.IGNORECASE,
)


def style_value_rules(value: Value, *, loads: bool = False) -> Iterator[str]:
    """Yield what is wrong with a style or one of its properties; ``loads``: it loads more than pictures."""
    for each in value.spelled:
        if "(" in each or "@" in each or "\\" in each or "-security" in each:
            written = _filled(each)
            rules = [*style_rules(written), *style_rules(written, attribute=True)]
            outside = "resource.external" if loads or "@" in each else "resource.blocked"
            yield from (
                outside if rule == DECORATIVE else rule
                for rule, _, _ in rules
                if rule != "markup.too_complex"
            )


def _address(name: str, value: Value, *, loaded: bool) -> Iterator[str]:
    if name not in ADDRESSES | ADDRESS_SETS:
        return
    for each in value.spelled:
        for address in addresses_in_set(each) if name in ADDRESS_SETS else [each]:
            rule = _LEADING.get(destination(address))
            link = name in ("href", "xlink:href") and not loaded and rule == "resource.external"
            if rule is not None:
                yield "resource.dynamic" if link else rule


_LEADING: Final = {
    Destination.OUTSIDE: "resource.external",
    Destination.CODE: "url.script_made",
}
