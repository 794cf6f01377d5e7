"""The rules for elements, and the attributes that hold addresses or handlers."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from genui_core.domain.validation.addresses import (
    Destination,
    addresses_in_set,
    destination,
    holds_content,
    is_absolute,
    is_page,
)
from genui_core.domain.validation.markup.elements import HTML, SVG, Element
from genui_core.domain.validation.style_rules import DECORATIVE, style_rules

ADDRESSES: Final = frozenset(
    {
        "href", "src", "action", "formaction", "data", "poster", "background", "ping", "manifest", "longdesc",
        "lowsrc", "dynsrc", "code", "codebase", "archive", "classid", "profile", "icon", "attributionsrc",
        "xlink:href", "xml:base", "filter-src",
    }
)  # fmt: skip
"""Attributes that hold an address."""

OFTEN_PLAIN: Final = frozenset(
    {"action", "archive", "background", "code", "codebase", "data", "icon", "manifest", "profile"}
)
"""Attributes that hold an address on a few elements, and data of the view on all others."""

_LOADED_BY: Final = {
    "action": frozenset({"form"}),
    "background": frozenset(
        {"body", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "col", "colgroup"}
    ),
    "manifest": frozenset({"html"}),
}

_CONTROLS = {"input", "select", "textarea"}
_NAMED_BY_THEMSELVES: Final = {"hidden", "submit", "button", "reset", "image"}
_NAMING = ("aria-label", "aria-labelledby", "title")


def is_plain(name: str, elements: Iterable[str]) -> bool:
    """Tell whether an attribute holds an address on none of some elements, but data of the view.

    The elements that load the other attributes of `OFTEN_PLAIN` are refused everywhere.
    """
    return name in OFTEN_PLAIN and _LOADED_BY.get(name, frozenset()).isdisjoint(elements)


ADDRESS_SETS: Final = frozenset({"srcset", "imagesrcset"})
"""Attributes that hold several addresses."""

FETCHED: Final = frozenset(
    {"src", "poster", "background", "lowsrc", "dynsrc", "action", "formaction", *ADDRESS_SETS}
)
"""Attributes whose address browsers fetch, even if it is a place in the page."""

PAINTS: Final = frozenset(
    {
        "fill", "stroke", "filter", "mask", "clip-path", "marker", "marker-start", "marker-mid", "marker-end",
        "cursor", "color-profile",
    }
)  # fmt: skip
"""Attributes of SVG that may hold a ``url()``."""

_HANDLER = re.compile(r"on[a-z][a-z\d]{2,}")
_WORDS = {
    "onboarded", "onboarding", "once", "ongoing", "onhold", "online", "only", "onsale", "onset", "onsite", "ontime",
    "onto", "ontrack", "onward", "onwards",
}  # fmt: skip


def is_handler(name: str) -> bool:
    """Tell whether an attribute holds a handler; the name is in lower case."""
    return name not in _WORDS and _HANDLER.fullmatch(name) is not None


OTHER_FRAMES: Final = frozenset({"_top", "_parent", "_unfencedtop"})
"""Targets of a link outside the frame, in lower case."""

_SECRETS: Final = frozenset(
    {"password", "current-password", "new-password", "one-time-code", "cc-number", "cc-csc"}
)


def asks_for_secret(name: str, value: str) -> bool:
    """Tell whether an attribute makes a control ask for a password or another secret."""
    words = value.strip().lower().split()
    return (
        words == ["password"] if name == "type" else name == "autocomplete" and not _SECRETS.isdisjoint(words)
    )


def unlabelled(found: Iterable[Element]) -> Iterator[Element]:
    """Yield the controls without a label, among the elements whose offset is known."""
    placed = [each for each in found if each.start is not None]
    labelled = {
        each.attributes["for"] for each in placed if each.name == "label" and "for" in each.attributes
    }
    for each in placed:
        if each.name not in _CONTROLS or each.namespace != HTML or "label" in each.within:
            continue
        if each.attributes.get("type", "").strip().lower() in _NAMED_BY_THEMSELVES:
            continue
        named = any(each.attributes.get(name, "").strip() for name in _NAMING)
        if not named and each.attributes.get("id") not in labelled:
            yield each


def name_for(control: Element) -> str:
    """Return a label for a control from its placeholder, name or id; "" if it has none of them."""
    given = (control.attributes.get(each, "").strip() for each in ("placeholder", "name", "id"))
    words = next(filter(None, given), "")
    spaced = words.replace("_", " ").replace("-", " ").strip()
    return spaced[:1].upper() + spaced[1:]


_LOADING = {
    "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe", "base", "bgsound",
    "plaintext", "isindex", "noembed", "noframes", "xmp", "model", "webview", "controlledframe",
    "permission", "geolocation", "usermedia", "install",
}  # fmt: skip
_ANIMATING = {"animate", "set", "animatetransform", "animatemotion", "animatecolor", "discard"}
_ANIMATED = ("to", "from", "by", "values")
_LINKS = {"a", "area"}
_PICTURES = {"img", "audio", "video", "source", "track"}
"""Elements that show or play the content of an address and never run it, for any type."""
_SHOWN = {*_PICTURES, "image", "feimage", "input"}
"""Elements that show or play the content of an address; a repair removes addresses outside the page."""
_SENDS = {"action", "formaction"}
_INERT_SCRIPTS = {"application/json", "application/ld+json", "text/plain", "text/template", "text/html"}
_RUN_SCRIPTS = {"", "module", "text/javascript", "application/javascript"}
_HOSTILE_METAS = {"refresh", "set-cookie", "default-style"}
_POLICIES = {"content-security-policy", "x-dns-prefetch-control"}
_HINTS = {"preconnect", "dns-prefetch"}
_MENTIONS = {"author", "canonical", "help", "license", "me", "shortlink"}
"""Relations of a link element that load nothing."""


def element_rules(element: Element) -> Iterator[str]:
    """Yield the rules that an element breaks."""
    if element.name in _LOADING:
        yield "resource.element"
    check = _BY_NAME.get(element.name)
    if check is not None:
        yield from check(element)
    for name, value in element.attributes.items():
        yield from _attribute(element, name, value)


def _attribute(element: Element, name: str, value: str) -> Iterator[str]:
    local = name.rpartition(":")[2]
    if is_handler(local):
        yield "handler.inline"
    elif name == "srcdoc":
        yield "resource.element"
    elif name == "style" or name in PAINTS:
        yield from (each.rule for each in style_rules(value, attribute=True))
    elif name in ADDRESS_SETS:
        yield from (rule for each in addresses_in_set(value) for rule in _address(element, name, each))
    elif name in ADDRESSES or local == "href":
        yield from _address(element, name, value)
    elif name in ("target", "formtarget") and value.lower() in OTHER_FRAMES:
        yield "link.direct"


def _address(element: Element, name: str, address: str) -> Iterator[str]:
    if is_plain(name, (element.name,)) and not is_absolute(address):
        return
    where = destination(address)
    local = name.rpartition(":")[2]
    if element.name == "script" and local in ("src", "href"):
        yield "resource.external"
    elif (name in FETCHED or (element.name == "image" and local == "href")) and is_page(address):
        yield "resource.itself"
    elif where is Destination.CODE:
        if not (element.name in _PICTURES and holds_content(address)):
            yield "url.script"
    elif element.name in _LINKS and local == "href" and _leaves(element, where, address):
        yield "link.direct"
    elif (
        (where is Destination.OUTSIDE and element.name != "link" and name != "profile")
        or (element.name == "use" and local == "href" and not address.strip().startswith("#"))
        or (name in _SENDS and holds_content(address))
    ):
        shown = element.name in _SHOWN or name == "background"
        yield DECORATIVE if shown and name not in _SENDS else "resource.external"


def _leaves(link: Element, where: Destination, address: str) -> bool:
    """Tell whether a click on a link replaces the page in the frame, rather than saves a file."""
    return where is Destination.OUTSIDE or (holds_content(address) and "download" not in link.attributes)


def _meta(element: Element) -> Iterator[str]:
    said = element.attributes.get("http-equiv", "").strip().lower()
    if said in _HOSTILE_METAS:
        yield "navigation"
    elif said in _POLICIES:
        yield "document.policy"


def _link(element: Element) -> Iterator[str]:
    relations = set(element.attributes.get("rel", "").lower().split())
    where = destination(element.attributes.get("href", ""))
    if relations and relations <= _HINTS:
        yield "hint.external"
    elif relations and relations <= _MENTIONS and where is not Destination.CODE:
        return
    elif (
        where is not Destination.NOWHERE
        or "imagesrcset" in element.attributes
        or _is_fetched(relations, element.attributes.get("href", ""))
    ):
        yield "link.external"


def _is_fetched(relations: set[str], address: str) -> bool:
    """Tell whether a link element fetches an address although it leads nowhere."""
    if is_page(address):
        return not relations <= {"expect"}
    return bool(address.strip()) and not relations.isdisjoint(_FETCHED_AS)


_FETCHED_AS: Final = {"stylesheet", "preload", "modulepreload", "prefetch", "prerender", "manifest"}


def _noscript(element: Element) -> Iterator[str]:
    """Check the text of a ``noscript``, which becomes elements if a script parses the markup."""
    if _MORE_THAN_WORDS.search(element.text) is not None:
        yield "resource.element"


_MORE_THAN_WORDS: Final = re.compile(r"<(?!/?(?:p|div|span|strong|em|b|i|h[1-6]|br ?/?)>)", re.IGNORECASE)
"""Any tag besides those of harmless elements without attributes."""


def _control(element: Element) -> Iterator[str]:
    if any(asks_for_secret(name, value) for name, value in element.attributes.items()):
        yield "input.secret"


def _form(element: Element) -> Iterator[str]:
    yield from _control(element)
    if destination(element.attributes.get("action", "")) is not Destination.NOWHERE:
        yield "resource.external"


def _script(element: Element) -> Iterator[str]:
    kind = element.attributes.get("type", "").strip().lower().partition(";")[0].strip()
    if element.namespace != HTML:
        yield "resource.element"
    elif kind in ("importmap", "speculationrules", "webbundle"):
        yield "import.dynamic"


def _style(element: Element) -> Iterator[str]:
    if element.namespace in (HTML, SVG):
        yield from (each.rule for each in style_rules(element.text))


def _animation(element: Element) -> Iterator[str]:
    animated = element.attributes.get("attributename", "").strip().lower()
    if animated.rpartition(":")[2] == "href" or is_handler(animated):
        yield "url.script_made"
    for value in (element.attributes.get(each, "") for each in _ANIMATED):
        if any(destination(part) is Destination.CODE for part in value.split(";")):
            yield "url.script_made"
        yield from (each.rule for each in style_rules(value, attribute=True))


def runs(script: Element) -> bool:
    """Tell whether browsers run the content of a script element."""
    kind = script.attributes.get("type", "").strip().lower().partition(";")[0].strip()
    return kind in _RUN_SCRIPTS or ("script" in kind and kind not in _INERT_SCRIPTS)


_BY_NAME: Final[Mapping[str, Callable[[Element], Iterator[str]]]] = {
    "meta": _meta,
    "link": _link,
    "noscript": _noscript,
    **dict.fromkeys(("input", "textarea", "select"), _control),
    "form": _form,
    "script": _script,
    "style": _style,
    **dict.fromkeys(_ANIMATING, _animation),
}
