"""What the names of attributes mean, and whether they give controls names that people can read or hear."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from genui_core.domain.validation.markup.elements import HTML, Element

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
"""Addresses among the attributes whose names are words like others: they load something on few elements alone."""

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
    """Tell whether an attribute is no address on any of some elements, but whatever the view means by it.

    What loads the others among these attributes is refused wherever it stands.
    """
    return name in OFTEN_PLAIN and _LOADED_BY.get(name, frozenset()).isdisjoint(elements)


ADDRESS_SETS: Final = frozenset({"srcset", "imagesrcset"})
"""Attributes that hold several addresses."""

FETCHED: Final = frozenset(
    {"src", "poster", "background", "lowsrc", "dynsrc", "action", "formaction", *ADDRESS_SETS}
)
"""Attributes whose address is fetched, even where it is that of a place in the page."""

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
    """Tell whether an attribute, in lower case, holds a handler."""
    return name not in _WORDS and _HANDLER.fullmatch(name) is not None


OTHER_FRAMES: Final = frozenset({"_top", "_parent", "_unfencedtop"})
"""Targets that are not the frame itself, in lower case."""

_SECRETS: Final = frozenset(
    {"password", "current-password", "new-password", "one-time-code", "cc-number", "cc-csc"}
)


def asks_for_secret(name: str, value: str) -> bool:
    """Tell whether an attribute makes a control one for a password or the like."""
    words = value.strip().lower().split()
    return (
        words == ["password"] if name == "type" else name == "autocomplete" and not _SECRETS.isdisjoint(words)
    )


def unlabelled(found: Iterable[Element]) -> Iterator[Element]:
    """Yield the controls without a label."""
    everything = list(found)
    labelled = {
        each.attributes["for"] for each in everything if each.name == "label" and "for" in each.attributes
    }
    for each in everything:
        if each.name not in _CONTROLS or each.namespace != HTML or "label" in each.within:
            continue
        if each.attributes.get("type", "").strip().lower() in _NAMED_BY_THEMSELVES:
            continue
        named = any(each.attributes.get(name, "").strip() for name in _NAMING)
        if not named and each.attributes.get("id") not in labelled:
            yield each


def name_for(control: Element) -> str:
    """Return words for a control, made of its placeholder or its name; "" where it has neither."""
    given = (control.attributes.get(each, "").strip() for each in ("placeholder", "name", "id"))
    words = next(filter(None, given), "")
    spaced = words.replace("_", " ").replace("-", " ").strip()
    return spaced[:1].upper() + spaced[1:]
