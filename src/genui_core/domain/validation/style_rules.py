"""The rules for styles: what they load or run; and the repair that removes addresses outside the page."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

import tinycss2

from genui_core.domain.validation.addresses import Destination, destination, is_page
from genui_core.domain.validation.rule_match import RuleMatch

_DEEPEST: Final = 60
_ADDRESSED: Final = frozenset({"url", "src"})
_IMAGES: Final = frozenset({"image-set", "-webkit-image-set", "image", "cross-fade", "-webkit-cross-fade"})
DECORATIVE: Final = "resource.decorative"
"""The rule against an address outside the page in a style; its repair removes only the address."""
_HOSTILE = {
    Destination.OUTSIDE: DECORATIVE,
    Destination.CODE: "url.script_made",
    Destination.UNKNOWN: "resource.dynamic",
}

_NOWHERE: Final = tinycss2.parse_one_component_value('url("data:,")')
_INNER: Final = ("content", "arguments")
_LINE_BREAK: Final = re.compile(r"\r\n|[\n\r\f]")
"""A line break in a style sheet."""
_DECLARATION_END: Final = re.compile(r"[;{}\n\r\f]")

RuleNode = tuple[str, Any]
"""The id of a rule, and the node of a style that breaks it."""


@lru_cache(maxsize=64)
def style_rules(source: str, *, attribute: bool = False) -> tuple[RuleMatch, ...]:
    """Return the places where a style sheet, or the value of a style attribute, breaks a rule.

    The last results are cached: two parsers find each style, and each repair validates the view again.
    """
    read = tinycss2.parse_component_value_list if attribute else tinycss2.parse_stylesheet
    ended = [RuleMatch("resource.external", 0, 1)] if "</style" in source.lower() else []
    lines = [0, *(each.end() for each in _LINE_BREAK.finditer(source))]
    return (*ended, *(_match(rule, node, lines, source) for rule, node in _rule_nodes(read(source))))


def _match(rule: str, node: Any, lines: list[int], source: str) -> RuleMatch:
    """Return the match from a node, whose line and column start at 1, to the end of its declaration."""
    start = min(lines[min(node.source_line, len(lines)) - 1] + node.source_column - 1, len(source))
    end = _DECLARATION_END.search(source, start + 1)
    return RuleMatch(rule, start, len(source) if end is None else end.start())


def _rule_nodes(top: Iterable[Any]) -> Iterator[RuleNode]:
    top = [node for node in top if not _names_a_vocabulary(node)]
    yield from _pages_as_pictures(top)
    waiting = [(node, 0) for node in top]
    while waiting:
        node, depth = waiting.pop()
        if depth > _DEEPEST:
            yield "markup.too_complex", node
            return
        yield from ((rule, node) for rule in _node_rules(node))
        inner: list[Any] = []
        for part in ("prelude", "content", "arguments", "value"):
            if isinstance(held := getattr(node, part, None), list):
                inner += held
        if node.type != "() block":  # a condition loads nothing
            yield from _pages_as_pictures(inner)
        waiting.extend((each, depth + 1) for each in inner)


def _pages_as_pictures(nodes: list[Any]) -> Iterator[RuleNode]:
    """Yield the places that load the page itself as a picture: ``background: url(#x)``.

    In filters, masks and paints, such an address names a part of the page and loads nothing.
    """
    name = before = ""
    for node in nodes:
        if node == ":":
            name = before
        elif node == ";" or node.type == "{} block":
            name = ""
        elif name in _PICTURED and is_page(_address_of(node)):
            yield "resource.external", node
        if node.type not in ("whitespace", "comment"):
            before = node.lower_value if node.type == "ident" else ""


_PICTURED: Final = {
    "background", "background-image", "list-style", "list-style-image", "content", "border-image",
    "border-image-source", "cursor", "shape-outside",
}  # fmt: skip
"""Properties that load their address as a picture."""


def _address_of(node: Any) -> str:
    if node.type == "url":
        return str(node.value)
    if node.type != "function" or node.lower_name not in _ADDRESSED:
        return ""
    return next((str(each.value) for each in node.arguments if each.type == "string"), "")


def _names_a_vocabulary(node: Any) -> bool:
    """Tell whether a node is ``@namespace url(http://www.w3.org/2000/svg);``, which loads nothing."""
    if node.type != "at-rule" or node.lower_at_keyword != "namespace" or node.content is not None:
        return False
    return any(each.type == "url" and each.value.startswith("http://www.w3.org/") for each in node.prelude)


def _node_rules(node: Any) -> Iterator[str]:
    if node.type == "url":
        yield from _address_rules(node.value)
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
    if name not in _ADDRESSED | _IMAGES:
        return
    for each in node.arguments:
        if each.type == "string":
            yield from _address_rules(each.value)
        elif (each.type == "function" and each.lower_name in {"var", "attr", "env", "if"}) or (
            name in _ADDRESSED and each.type not in ("whitespace", "comment")
        ):
            yield "resource.external"


def _address_rules(address: str) -> Iterator[str]:
    """Yield the rule that forbids to load an address, if there is one."""
    rule = _HOSTILE.get(destination(address))
    if rule is None and is_page(address) and not address.strip().startswith("#"):
        rule = "resource.external"
    if rule is not None:
        yield rule


def without_outside(style: str) -> str:
    """Return a style without imports, and with empty addresses for those outside the page."""
    return str(tinycss2.serialize(_cleaned(tinycss2.parse_component_value_list(style))))


def _cleaned(nodes: Iterable[Any]) -> list[Any]:
    kept: list[Any] = []
    importing = False
    for node in nodes:
        importing = importing or (node.type == "at-keyword" and node.lower_value == "import")
        if not importing:
            kept.append(_without_address(node))
        importing = importing and node != ";" and node.type != "{} block"
    return kept


def _without_address(node: Any) -> Any:
    """Return a node of a style with an empty address for each one outside the page."""
    if node.type == "url":
        return _NOWHERE if _is_outside(node.value) else node
    if node.type == "function" and node.lower_name in _ADDRESSED:
        return _NOWHERE if any(_is_outside_text(each) for each in node.arguments) else node
    images = node.type == "function" and node.lower_name in _IMAGES
    for name in _INNER:
        inner = getattr(node, name, None)
        if isinstance(inner, list):
            inner[:] = [_NOWHERE if images and _is_outside_text(each) else each for each in _cleaned(inner)]
    return node


def _is_outside_text(node: Any) -> bool:
    return node.type == "string" and _is_outside(node.value)


def _is_outside(address: str) -> bool:
    return DECORATIVE in _address_rules(address)
