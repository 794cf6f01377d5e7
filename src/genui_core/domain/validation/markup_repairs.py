"""Repairs of markup, and of the frame of a document: doctype, html element and head."""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from genui_core.domain.mcp.json_text import spliced
from genui_core.domain.validation.addresses import Destination, addresses_in_set, destination, is_page
from genui_core.domain.validation.document_plan import Edit
from genui_core.domain.validation.markup.elements import Element, StartTag, meaning, tag_at
from genui_core.domain.validation.markup.markup_rules import (
    ADDRESS_SETS,
    ADDRESSES,
    FETCHED,
    PAINTS,
    name_for,
    unlabelled,
)
from genui_core.domain.validation.markup.source import MarkupReport
from genui_core.domain.validation.rule_match import Repairs
from genui_core.domain.validation.style_rules import DECORATIVE, without_outside

_DOES_NOTHING = re.compile(r"\s*javascript:\s*(?:void\s*\(?\s*0?\s*\)?)?\s*;?\s*", re.IGNORECASE)
_FETCHED = {*FETCHED, "href", "xlink:href"}
_SENT = {"action", "formaction", "data", "code", "codebase", "archive", "classid", "manifest"}
_STYLE_END: Final = re.compile(r"</style", re.IGNORECASE)
_LEADS_OUT = {"href", "xlink:href", "target", "formtarget", "ping", "download"}
_VIEWPORT: Final = '<meta name="viewport" content="width=device-width, initial-scale=1">'
_DOCTYPE = re.compile(r"\s*<!doctype\s+html\s*>", re.IGNORECASE)


def label_controls(source: str, report: MarkupReport) -> str:
    """Label each control without a label with its placeholder or name."""
    values = ((each, name_for(each)) for each in unlabelled(report.elements))
    return _with_attribute(source, "aria-label", values)


def _with_attribute(source: str, name: str, values: Iterable[tuple[Element, str]]) -> str:
    """Return the markup with an attribute added to the tags of some elements; empty values are skipped."""
    placed = ((tag_at(source, each.start), value) for each, value in values if value)
    tags = ((tag.name_end, value) for tag, value in placed if tag is not None)
    return spliced(source, [(at, at, f' {name}="{html.escape(value)}"') for at, value in tags])


def drop_outside(source: str, report: MarkupReport) -> str:
    """Remove addresses of pictures, fonts and styles outside the page, but keep their elements."""
    edits: list[Edit] = []
    for tag in _tags(DECORATIVE, source, report):
        is_style = source[tag.start : tag.name_end].lower() == "<style"
        if is_style and (closing := _STYLE_END.search(source, tag.end)) is not None:
            edits.append((tag.end, closing.start(), without_outside(source[tag.end : closing.start()])))
        for name, begin, end in tag.attributes:
            value = meaning(source[begin:end])
            if name == "style" or name in PAINTS:
                edits.append((begin, end, f' {name}="{html.escape(without_outside(value))}"'))
            elif _names_outside(name, value):
                edits.append((begin, end, ""))
    return spliced(source, edits)


def _tags(rule: str, source: str, report: MarkupReport) -> Iterator[StartTag]:
    """Yield the tags that break a rule."""
    starts = {each.start for each in report.rule_matches if each.rule == rule}
    return filter(None, (tag_at(source, start) for start in starts))


def _without_attributes(
    rule: str, unwanted: Callable[[str, str], bool], source: str, report: MarkupReport
) -> str:
    """Remove the attributes whose name and value are unwanted from the tags that break a rule."""
    written = (each for tag in _tags(rule, source, report) for each in tag.attributes)
    dropped = ((begin, end, "") for name, begin, end in written if unwanted(name, meaning(source[begin:end])))
    return spliced(source, dropped)


def _without_tags(rule: str, source: str, report: MarkupReport) -> str:
    """Remove the tags that break a rule."""
    return spliced(source, ((tag.start, tag.end, "") for tag in _tags(rule, source, report)))


def _names_page(name: str, value: str) -> bool:
    return name in _FETCHED and any(map(is_page, [value, *addresses_in_set(value)]))


def _names_outside(name: str, value: str) -> bool:
    if name in _SENT or not (name in ADDRESSES | ADDRESS_SETS or name.endswith(":href")):
        return False
    addresses = addresses_in_set(value) if name in ADDRESS_SETS else [value]
    return any(destination(each) is Destination.OUTSIDE for each in addresses)


MARKUP_REPAIRS: Final[Repairs] = {
    "label.missing": ("controls_labelled", label_controls),
    "link.direct": (
        "links_closed",
        partial(_without_attributes, "link.direct", lambda name, _: name in _LEADS_OUT),
    ),
    "url.script": (
        "empty_code_dropped",
        partial(
            _without_attributes, "url.script", lambda _, value: _DOES_NOTHING.fullmatch(value) is not None
        ),
    ),
    "resource.itself": ("own_address_dropped", partial(_without_attributes, "resource.itself", _names_page)),
    "hint.external": ("hints_dropped", partial(_without_tags, "hint.external")),
    "document.policy": ("policies_dropped", partial(_without_tags, "document.policy")),
    "link.external": ("link_elements_dropped", partial(_without_tags, "link.external")),
    DECORATIVE: ("outside_addresses_dropped", drop_outside),
}


def frame_rules(source: str, report: MarkupReport) -> Iterator[str]:
    """Yield the rules that a document breaks because its frame lacks a part."""
    if _DOCTYPE.match(source) is None:
        yield "document.doctype"
    whole = report.written("html")
    if whole is None:
        yield "document.html"
    elif not whole.attributes.get("lang", "").strip():
        yield "document.lang"
    metas = [each.attributes for each in report.elements if each.name == "meta"]
    if not any("charset" in each or each.get("http-equiv", "").lower() == "content-type" for each in metas):
        yield "document.charset"
    if not any(each.get("name", "").lower() == "viewport" for each in metas):
        yield "document.viewport"
    if not any(each.name == "title" and each.namespace == "html" for each in report.elements):
        yield "document.title"


def with_doctype(source: str, _report: MarkupReport) -> str:
    """Begin with the HTML doctype, and remove any other doctype."""
    rest = re.sub(r"^\s*<!doctype[^<>]*>", "", source, count=1, flags=re.IGNORECASE)
    return f"<!DOCTYPE html>\n{rest.lstrip()}"


def with_html(source: str, _report: MarkupReport) -> str:
    """Add an html element after the doctype."""
    doctype = _DOCTYPE.match(source)
    at = 0 if doctype is None else doctype.end()
    return f'{source[:at]}\n<html lang="en">{source[at:]}'


def with_lang(source: str, report: MarkupReport) -> str:
    """Declare English, because the wrapper does not know the language of the text."""
    whole = report.written("html")
    return source if whole is None else _with_attribute(source, "lang", [(whole, "en")])


def _in_head(markup: str, source: str, report: MarkupReport) -> str:
    """Insert markup at the start of the head."""
    around = report.written("head") or report.written("html")
    tag = None if around is None else tag_at(source, around.start)
    return source if tag is None else f"{source[: tag.end]}\n{markup}{source[tag.end :]}"


FRAME_REPAIRS: Final[Repairs] = {
    "document.doctype": ("doctype_added", with_doctype),
    "document.html": ("html_added", with_html),
    "document.lang": ("lang_added", with_lang),
    "document.charset": ("charset_added", partial(_in_head, '<meta charset="utf-8">')),
    "document.viewport": ("viewport_added", partial(_in_head, _VIEWPORT)),
    "document.title": ("title_added", partial(_in_head, "<title>View</title>")),
}
