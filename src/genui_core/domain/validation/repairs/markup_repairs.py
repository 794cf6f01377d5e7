"""Repairs of markup."""

import html
import re
from collections.abc import Callable, Mapping
from typing import Final

from genui_core.domain.validation.addresses import Destination, addresses_in_set, destination, is_page
from genui_core.domain.validation.markup.attributes import ADDRESS_SETS, ADDRESSES, FETCHED, PAINTS
from genui_core.domain.validation.markup.elements import Element
from genui_core.domain.validation.markup.labels import name_for, unlabelled
from genui_core.domain.validation.markup.source import MarkupReport
from genui_core.domain.validation.markup.tags import (
    meaning,
    tag_at,
    with_attribute,
    without_attributes,
    without_tag,
)
from genui_core.domain.validation.repairs.style_repairs import without_outside
from genui_core.domain.validation.style_rules import DECORATIVE

_DOES_NOTHING = re.compile(r"\s*javascript:\s*(?:void\s*\(?\s*0?\s*\)?)?\s*;?\s*", re.IGNORECASE)
_FETCHED = {*FETCHED, "href", "xlink:href"}
_SENT = {"action", "formaction", "data", "code", "codebase", "archive", "classid", "manifest"}
_STYLE_END: Final = re.compile(r"</style", re.IGNORECASE)
_LEADS_OUT = {"href", "xlink:href", "target", "formtarget", "ping", "download"}


def _placed(report: MarkupReport) -> list[Element]:
    return [each for each in report.elements if each.start is not None]


def label_controls(source: str, report: MarkupReport) -> str:
    """Give controls without a label one that is made of their placeholder or name."""
    bare = [each for each in unlabelled(_placed(report)) if name_for(each)]
    for each in sorted(bare, key=_start, reverse=True):
        source = with_attribute(source, _start(each), "aria-label", name_for(each))
    return source


def close_links(source: str, report: MarkupReport) -> str:
    """Take the addresses from links that lead out of the frame; their words stay."""
    starts = [each.start for each in report.rule_matches if each.rule == "link.direct"]
    return without_attributes(source, starts, lambda name, _: name in _LEADS_OUT)


def drop_empty_code(source: str, report: MarkupReport) -> str:
    """Take away addresses such as ``javascript:void(0)``, which do nothing."""
    starts = [each.start for each in report.rule_matches if each.rule == "url.script"]
    return without_attributes(source, starts, lambda _, value: _DOES_NOTHING.fullmatch(value) is not None)


def drop_own_address(source: str, report: MarkupReport) -> str:
    """Take away the address from what would load or send to the page itself, as ``src="#"`` does."""
    starts = [each.start for each in report.rule_matches if each.rule == "resource.itself"]
    return without_attributes(
        source,
        starts,
        lambda name, value: name in _FETCHED and any(map(is_page, [value, *addresses_in_set(value)])),
    )


def drop_hints(source: str, report: MarkupReport) -> str:
    """Take away hints that prepare connections which are never made."""
    return _without_tags(source, report, "hint.external")


def drop_policies(source: str, report: MarkupReport) -> str:
    """Take away policies, which could keep the view from its runtime."""
    return _without_tags(source, report, "document.policy")


def drop_links(source: str, report: MarkupReport) -> str:
    """Take away link elements that load something."""
    return _without_tags(source, report, "link.external")


def drop_outside(source: str, report: MarkupReport) -> str:
    """Take away the addresses of pictures, fonts and styles outside the page; what shows them stays."""
    starts = {each.start for each in report.rule_matches if each.rule == DECORATIVE}
    for start in sorted(starts, reverse=True):
        source = _styled_inside(source, start)
    return without_attributes(source, starts, _names_outside)


def _names_outside(name: str, value: str) -> bool:
    if name in _SENT or not (name in ADDRESSES | ADDRESS_SETS or name.endswith(":href")):
        return False
    addresses = addresses_in_set(value) if name in ADDRESS_SETS else [value]
    return any(destination(each) is Destination.OUTSIDE for each in addresses)


def _styled_inside(source: str, start: int) -> str:
    """Return the markup with nothing from outside in the styles of the tag at an offset."""
    tag = tag_at(source, start)
    if tag is None:
        return source
    closing = _STYLE_END.search(source, tag.end) if source[start : tag.name_end].lower() == "<style" else None
    if closing is not None:
        style = without_outside(source[tag.end : closing.start()])
        source = source[: tag.end] + style + source[closing.start() :]
    for name, begin, end in reversed(tag.attributes):
        if name == "style" or name in PAINTS:
            value = html.escape(without_outside(meaning(source[begin:end])))
            source = f'{source[:begin]} {name}="{value}"{source[end:]}'
    return source


def _without_tags(source: str, report: MarkupReport, rule: str) -> str:
    starts = {each.start for each in report.rule_matches if each.rule == rule}
    for start in sorted(starts, reverse=True):
        source = without_tag(source, start)
    return source


def _start(element: Element) -> int:
    return element.start or 0


MarkupRepair = Callable[[str, MarkupReport], str]

MARKUP_REPAIRS: Final[Mapping[str, tuple[str, MarkupRepair]]] = {
    "label.missing": ("controls_labelled", label_controls),
    "link.direct": ("links_closed", close_links),
    "url.script": ("empty_code_dropped", drop_empty_code),
    "resource.itself": ("own_address_dropped", drop_own_address),
    "hint.external": ("hints_dropped", drop_hints),
    "document.policy": ("policies_dropped", drop_policies),
    "link.external": ("link_elements_dropped", drop_links),
    DECORATIVE: ("outside_addresses_dropped", drop_outside),
}
"""For each rule, the name of its repair and the repair."""
