"""Repairs of styles."""

from collections.abc import Iterable
from typing import Any, Final

import tinycss2

from genui_core.domain.validation.style_rules import DECORATIVE, address_rules

_NOWHERE: Final = tinycss2.parse_one_component_value('url("data:,")')
_ADDRESSES: Final = frozenset({"url", "src"})
_IMAGES: Final = frozenset({"image-set", "-webkit-image-set", "image", "cross-fade", "-webkit-cross-fade"})
_INNER: Final = ("content", "arguments")


def without_outside(style: str) -> str:
    """Return a style without its imports, and with nothing in the place of addresses outside the page."""
    nodes = tinycss2.parse_component_value_list(style)
    return str(tinycss2.serialize(_cleaned(nodes)))


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
    """Return a node of a style with nothing in the place of each address outside the page."""
    if node.type == "url":
        return _NOWHERE if _is_outside(node.value) else node
    if node.type == "function" and node.lower_name in _ADDRESSES:
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
    return DECORATIVE in address_rules(address)
