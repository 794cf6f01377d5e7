"""Bounds of markup, checked in linear time: parsers are slower than that on hostile nesting."""

import re
from typing import Final

from genui_core.domain.validation.rules import MAX_BYTES

_MOST_TAGS: Final = 4_000
_DEEPEST: Final = 128
_MOST_ATTRIBUTES: Final = 64
_MOST_SCRIPTS: Final = 20

_TAG = re.compile(r"<!--|<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE_START = re.compile(r"[\s/\"'][^\s/\"'>=]")
_RAW = (
    "script",
    "style",
    "textarea",
    "title",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
)
_UNNESTED = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "rp", "rt",
    "path", "rect", "circle", "line", "polyline", "polygon", "use", "stop", "ellipse", "image",
}  # fmt: skip


def within_bounds(source: str) -> bool:
    """Tell whether markup may be given to the parsers."""
    if len(source) > MAX_BYTES or len(source.encode("utf-8", "replace")) > MAX_BYTES:
        return False
    tags = depth = scripts = at = 0
    raw_ends = _ends_of_raw_text(source)
    while (tag := _TAG.search(source, at)) is not None:
        if tag[2] is None:
            end = source.find("-->", tag.end() - 2)
            at = len(source) if end < 0 else end + 3
            continue
        name, closing = tag[2].lower(), bool(tag[1])
        at, attributes, self_closed = _end_of_tag(source, tag.end())
        tags += 1
        scripts += name == "script" and not closing
        if name not in _UNNESTED and not self_closed:
            depth = max(0, depth + (-1 if closing else 1))
        if tags > _MOST_TAGS or depth > _DEEPEST or attributes > _MOST_ATTRIBUTES or scripts > _MOST_SCRIPTS:
            return False
        if name in raw_ends and not closing:
            at = next((end for end in raw_ends[name] if end >= at), at)
    return True


def _ends_of_raw_text(source: str) -> dict[str, list[int]]:
    """Return where elements whose content is no markup end; the lists are few and short in what is accepted."""
    found: dict[str, list[int]] = {}
    for end in re.finditer(r"</(\w+)", source):
        if end[1].lower() in _RAW:
            found.setdefault(end[1].lower(), []).append(end.start())
    return found


def _end_of_tag(source: str, start: int) -> tuple[int, int, bool]:
    """Return where a tag ends, how many attributes it has at most, and whether it closes itself."""
    at, attributes = start, 0
    while at < len(source) and source[at] != ">":
        quote = source[at]
        if quote in "\"'" and source[at - 1] in "= \t\n":
            closing = source.find(quote, at + 1)
            if closing < 0:
                return len(source), attributes, False
            at = closing
        elif _ATTRIBUTE_START.match(source, at):
            attributes += 1
        if attributes > _MOST_ATTRIBUTES:
            return at, attributes, False
        at += 1
    return at, attributes, source[at - 1 : at] == "/"
