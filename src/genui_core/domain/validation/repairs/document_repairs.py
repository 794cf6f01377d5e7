"""Repairs of what every document has around its content."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from genui_core.domain.validation.markup.elements import Element
from genui_core.domain.validation.markup.source import MarkupReport
from genui_core.domain.validation.markup.tags import tag_at, with_attribute

_DOCTYPE = re.compile(r"\s*<!doctype\s+html\s*>", re.IGNORECASE)


def frame_rules(source: str, report: MarkupReport) -> Iterator[str]:
    """Yield the rules for what a document lacks."""
    if _DOCTYPE.match(source) is None:
        yield "document.doctype"
    whole = _written(report, "html")
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
    """Begin with the doctype; another one gives way."""
    rest = re.sub(r"^\s*<!doctype[^<>]*>", "", source, count=1, flags=re.IGNORECASE)
    return f"<!DOCTYPE html>\n{rest.lstrip()}"


def with_html(source: str, _report: MarkupReport) -> str:
    """Put an html element in."""
    doctype = _DOCTYPE.match(source)
    at = 0 if doctype is None else doctype.end()
    return f'{source[:at]}\n<html lang="en">{source[at:]}'


def with_lang(source: str, report: MarkupReport) -> str:
    """Declare the language, which views are asked to be written in."""
    whole = _written(report, "html")
    return (
        source if whole is None or whole.start is None else with_attribute(source, whole.start, "lang", "en")
    )


def with_charset(source: str, report: MarkupReport) -> str:
    """Declare the charset."""
    return _in_head(source, report, '<meta charset="utf-8">')


def with_viewport(source: str, report: MarkupReport) -> str:
    """Declare the viewport."""
    return _in_head(source, report, '<meta name="viewport" content="width=device-width, initial-scale=1">')


def with_title(source: str, report: MarkupReport) -> str:
    """Give it a title."""
    return _in_head(source, report, "<title>View</title>")


def _in_head(source: str, report: MarkupReport, markup: str) -> str:
    around = _written(report, "head") or _written(report, "html")
    tag = None if around is None or around.start is None else tag_at(source, around.start)
    if tag is None:
        return source
    return f"{source[: tag.end]}\n{markup}{source[tag.end :]}"


def _written(report: MarkupReport, name: str) -> Element | None:
    return next((each for each in report.elements if each.name == name and each.start is not None), None)


FRAME_REPAIRS: Final[Mapping[str, tuple[str, Callable[[str, MarkupReport], str]]]] = {
    "document.doctype": ("doctype_added", with_doctype),
    "document.html": ("html_added", with_html),
    "document.lang": ("lang_added", with_lang),
    "document.charset": ("charset_added", with_charset),
    "document.viewport": ("viewport_added", with_viewport),
    "document.title": ("title_added", with_title),
}
"""For each rule, the name of its repair and the repair."""
