"""What a style loads or runs."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

import tinycss2

from genui_core.domain.validation.addresses import Destination, destination, is_page

_DEEPEST: Final = 60
ADDRESSED: Final = frozenset({"url", "src"})
IMAGES: Final = frozenset({"image-set", "-webkit-image-set", "image", "cross-fade", "-webkit-cross-fade"})
DECORATIVE: Final = "resource.decorative"
"""The rule against what a style names outside the page: it is taken out, and the style stays."""
_HOSTILE = {
    Destination.OUTSIDE: DECORATIVE,
    Destination.CODE: "url.script_made",
    Destination.UNKNOWN: "resource.dynamic",
}

Seen = tuple[str, int, int]
"""The id of a rule, and the line and column it met something at, from 1."""


@lru_cache(maxsize=64)
def style_rules(source: str, *, attribute: bool = False) -> tuple[Seen, ...]:
    """Return what a style sheet, or the value of a style attribute, loads or runs.

    The last results are cached: two parsers see each style, and each repair reads the view again.
    """
    read = tinycss2.parse_component_value_list if attribute else tinycss2.parse_stylesheet
    ended: list[Seen] = [("resource.external", 1, 1)] if "</style" in source.lower() else []
    return (*ended, *_in(read(source)))


def _in(top: Iterable[Any]) -> Iterator[Seen]:
    top = [node for node in top if not _names_a_vocabulary(node)]
    yield from _pages_as_pictures(top)
    waiting = [(node, 0) for node in top]
    while waiting:
        node, depth = waiting.pop()
        if depth > _DEEPEST:
            yield "markup.too_complex", node.source_line, node.source_column
            return
        yield from ((rule, node.source_line, node.source_column) for rule in _of(node))
        inner: list[Any] = []
        for part in ("prelude", "content", "arguments", "value"):
            if isinstance(held := getattr(node, part, None), list):
                inner += held
        if node.type != "() block":  # a condition, which loads nothing
            yield from _pages_as_pictures(inner)
        waiting.extend((each, depth + 1) for each in inner)


def _pages_as_pictures(nodes: list[Any]) -> Iterator[Seen]:
    """Yield where the page itself would be loaded as a picture: ``background: url(#x)``.

    Filters, masks and paints find a part of the page so, and load nothing.
    """
    name = before = ""
    for node in nodes:
        if node == ":":
            name = before
        elif node == ";" or node.type == "{} block":
            name = ""
        elif name in _PICTURED and is_page(_address_of(node)):
            yield "resource.external", node.source_line, node.source_column
        if node.type not in ("whitespace", "comment"):
            before = node.lower_value if node.type == "ident" else ""


_PICTURED: Final = {
    "background", "background-image", "list-style", "list-style-image", "content", "border-image",
    "border-image-source", "cursor", "shape-outside",
}  # fmt: skip
"""Properties whose addresses are those of pictures."""


def _address_of(node: Any) -> str:
    if node.type == "url":
        return str(node.value)
    if node.type != "function" or node.lower_name not in ADDRESSED:
        return ""
    return next((str(each.value) for each in node.arguments if each.type == "string"), "")


def _names_a_vocabulary(node: Any) -> bool:
    """``@namespace url(http://www.w3.org/2000/svg);`` loads nothing."""
    if node.type != "at-rule" or node.lower_at_keyword != "namespace" or node.content is not None:
        return False
    return any(each.type == "url" and each.value.startswith("http://www.w3.org/") for each in node.prelude)


def _of(node: Any) -> Iterator[str]:
    if node.type == "url":
        yield from address_rules(node.value)
    elif node.type == "function":
        yield from _function(node)
    elif (node.type == "at-rule" and node.lower_at_keyword == "import") or (
        node.type == "at-keyword" and node.lower_value == "import"
    ):
        yield DECORATIVE
    elif node.type == "ident" and node.lower_value == "-moz-binding":
        yield "url.script_made"
    elif node.type == "ident" and node.lower_value == "-webkit-text-security":
        yield "input.secret"
    elif node.type == "error" and node.kind == "bad-url":
        yield "resource.external"


def _function(node: Any) -> Iterator[str]:
    name = node.lower_name
    if name in {"expression", "-moz-binding", "behavior"}:
        yield "url.script_made"
    if name not in ADDRESSED | IMAGES:
        return
    for each in node.arguments:
        if each.type == "string":
            yield from address_rules(each.value)
        elif (each.type == "function" and each.lower_name in {"var", "attr", "env", "if"}) or (
            name in ADDRESSED and each.type not in ("whitespace", "comment")
        ):
            yield "resource.external"


def address_rules(address: str) -> Iterator[str]:
    """Yield the rule that forbids to load from an address, if one does."""
    rule = _HOSTILE.get(destination(address))
    if rule is None and is_page(address) and not address.strip().startswith("#"):
        rule = "resource.external"
    if rule is not None:
        yield rule
