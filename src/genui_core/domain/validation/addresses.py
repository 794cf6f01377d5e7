"""Where an address leads; white space, control characters and case are read as browsers read them."""

import re
from enum import Enum, auto


class Destination(Enum):
    """Where an address leads."""

    NOWHERE = auto()
    """Into the page itself, or to inert content such as a picture that the address holds."""
    CODE = auto()
    """To code: a script that the address runs, or a page that it holds."""
    OUTSIDE = auto()
    UNKNOWN = auto()
    """Unknown, because of a `HOLE` near its beginning."""


HOLE = "\ufffc"
"""The placeholder for a part of a text that is known only while the view runs."""

WITHOUT_TAGS = f"{HOLE}\ufffa"
"""The placeholder for an unknown part that contains no ``<``."""
WITHOUT_MARKUP = f"{HOLE}\ufffb"
"""The same for a part that cannot end a quoted attribute either: an escaped text, or a number."""
COUNT = f"{HOLE}\ufff9"
"""The placeholder for the ``length`` of an unknown value: a number, unless the data has such a member."""
UNKNOWN = f"{HOLE}\ufff9\ufffa\ufffb"
"""All characters of the placeholders."""


def holds_data(written: str) -> bool:
    """Tell whether an unknown part of a text may hold markup."""
    return HOLE in written.replace(WITHOUT_TAGS, "").replace(WITHOUT_MARKUP, "")


_DROPPED = re.compile(r"[\t\n\r]")
_EDGE = "".join(map(chr, range(0x21)))
_SCHEME = re.compile(r"([a-z][a-z0-9+.\-]*):", re.IGNORECASE)
CODE_SCHEMES = {"javascript", "vbscript", "livescript", "mocha", "jscript"}
_INERT_DATA = re.compile(
    r"data:\s*(?:,|;|$|text/plain|text/csv|image/(?!svg)|audio/|video/|font/|application/(?:json|pdf|font|x-font|octet)"
    r"|image/svg\+xml)",
    re.IGNORECASE,
)


def destination(address: str) -> Destination:
    """Return where an address leads."""
    text = as_browsers_read(address)
    scheme = _SCHEME.match(text)
    if scheme is not None:
        return _by_scheme(scheme[1].lower(), text)
    if text.startswith((f"{HOLE}//", f"{HOLE}://")):
        return Destination.OUTSIDE
    if text.startswith(HOLE):
        return Destination.UNKNOWN
    if not text or text.startswith("#"):
        return Destination.NOWHERE
    return Destination.OUTSIDE


def is_absolute(address: str) -> bool:
    """Tell whether an address leads to the same place from every page; a plain word does not."""
    return _WHOLE.match(as_browsers_read(address)) is not None


_WHOLE = re.compile(
    rf"(?:[a-z][a-z0-9+.\-]*:)?[/\\]{{2}}|(?:https?|wss?|ftp|data|blob|{'|'.join(sorted(CODE_SCHEMES))}):",
    re.IGNORECASE,
)


def holds_content(address: str) -> bool:
    """Tell whether an address holds a document, which a link would show in place of the page."""
    scheme = _SCHEME.match(as_browsers_read(address))
    return scheme is not None and scheme[1].lower() in ("data", "blob", "filesystem", "about")


def is_page(address: str) -> bool:
    """Tell whether an address is that of the page itself or of an empty page, so no picture loads from it."""
    text = as_browsers_read(address)
    return text.startswith("#") or text[: len("about:")].lower() == "about:"


def as_browsers_read(address: str) -> str:
    """Return an address without the characters that browsers ignore."""
    return _DROPPED.sub("", address).strip(_EDGE)


def _by_scheme(scheme: str, text: str) -> Destination:
    if scheme in CODE_SCHEMES:
        return Destination.CODE
    if scheme == "data":
        if text[len("data:") :].startswith(HOLE):
            return Destination.UNKNOWN
        return Destination.NOWHERE if _INERT_DATA.match(text) else Destination.CODE
    if scheme in ("blob", "about"):
        return Destination.NOWHERE
    return Destination.OUTSIDE


def addresses_in_set(text: str) -> list[str]:
    """Return the addresses in a ``srcset``; a comma ends an address only before white space."""
    found: list[str] = []
    at = 0
    while (candidate := _CANDIDATE.match(text, at)) is not None:
        address = candidate[1]
        at = candidate.end()
        found.append(address.rstrip(","))
        if not address.endswith(","):
            rest = _DESCRIPTORS.match(text, at)
            at = at if rest is None else rest.end()
    return found


_CANDIDATE = re.compile(r"[\s,]*([^\s,]\S*)")
_DESCRIPTORS = re.compile(r"(?:\([^)]*\)?|[^,(])*")
