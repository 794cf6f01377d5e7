"""Parses markup and reports the rules that it breaks.

Bounds are checked first, in linear time, because parsers take longer for hostile nesting.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from attrs import frozen

from genui_core.domain.validation.finding import MAX_BYTES
from genui_core.domain.validation.markup.elements import HTML, Element, elements, plain_elements
from genui_core.domain.validation.markup.markup_rules import element_rules, name_for, runs, unlabelled
from genui_core.domain.validation.rule_match import RuleMatch
from genui_core.domain.validation.style_rules import DECORATIVE

_LONGEST_TAG = 200
_ENDS_ANY_TAG = "\"'>"
_AT = "@"
_OF_SCRIPTS = {
    "handler.inline": "markup.handler",
    "url.script": "url.script_made",
    "link.direct": "navigation",
    "resource.itself": "resource.external",
    "resource.decorative": "resource.blocked",
    "link.external": "resource.element",
}
"""For a rule with a repair, the rule for markup in a script, which that repair cannot change."""
_MOST_TAGS: Final = 4_000
_DEEPEST: Final = 128
_MOST_ATTRIBUTES: Final = 64
_MOST_SCRIPTS: Final = 20

_TAG = re.compile(r"<!--|<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE_START = re.compile(r"[\s/\"'][^\s/\"'>=]")
_RAW = (
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext",
)  # fmt: skip
_UNNESTED = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "rp", "rt",
    "path", "rect", "circle", "line", "polyline", "polygon", "use", "stop", "ellipse", "image",
}  # fmt: skip


@frozen
class MarkupReport:
    """The elements of markup, and the places that break rules.

    Attributes:
        elements: The elements from both parsers, so most of them twice.
    """

    rule_matches: tuple[RuleMatch, ...]
    elements: tuple[Element, ...] = ()

    def written(self, name: str) -> Element | None:
        """Return the first element of a name whose tag is in the source, not added by a parser."""
        return next((each for each in self.elements if each.name == name and each.start is not None), None)


def read_markup(source: str, *, document: bool = False) -> MarkupReport:
    """Parse markup and return the report on it; the content of scripts is not read."""
    if not within_bounds(source):
        return MarkupReport((RuleMatch("markup.too_complex"),))
    try:
        found = elements(source, document=document)
    except (RecursionError, AssertionError, IndexError, AttributeError, KeyError, TypeError, ValueError):
        return MarkupReport((RuleMatch("markup.too_complex"),))
    broken: dict[str, list[Element]] = {}
    for each in found:
        for rule in element_rules(each):
            broken.setdefault(rule, []).append(each)
    for each in unlabelled(found):
        broken.setdefault("label.missing" if name_for(each) else "label.unclear", []).append(each)
    located = (seen for rule, where in broken.items() for seen in _located(source, rule, where))
    return MarkupReport(tuple(located), tuple(found))


def _located(source: str, rule: str, where: list[Element]) -> Iterator[RuleMatch]:
    """Yield a match for each element with an offset; if none has one, yield a single match."""
    placed = [each for each in where if each.start is not None]
    for each in placed or where[:1]:
        start = each.start or 0
        end = source.find(">", start, start + _LONGEST_TAG)
        yield RuleMatch(rule, start, end + 1 if end >= 0 else min(len(source), start + _LONGEST_TAG))


@lru_cache(maxsize=128)
def markup_in_script(source: str) -> tuple[str, ...]:
    """Return the rules that markup breaks if a script puts it into the page.

    The last results are cached: a script often puts the same markup into several places, and each repair
    validates it again.
    """
    plain = plain_elements(source)
    if plain is not None and not any(rule for each in plain for rule in element_rules(each)):
        return ()
    report = read_markup(source + _ENDS_ANY_TAG)  # the text after the markup may end an open tag
    met = [each.rule for each in report.rule_matches if not each.rule.startswith("label.")]
    found = [_OF_SCRIPTS.get(rule, rule) for rule in met]
    if DECORATIVE in met and any(each.name == "style" and _AT in each.text for each in report.elements):
        found.append("resource.external")
    if any(each.name == "script" and each.namespace == HTML and runs(each) for each in report.elements):
        found.append("resource.element")
    return tuple(found)


def within_bounds(source: str) -> bool:
    """Tell whether markup is small and flat enough for the parsers."""
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
    """Return the offsets of the end tags of raw-text elements, by name; accepted markup has few."""
    found: dict[str, list[int]] = {}
    for end in re.finditer(r"</(\w+)", source):
        if end[1].lower() in _RAW:
            found.setdefault(end[1].lower(), []).append(end.start())
    return found


def _end_of_tag(source: str, start: int) -> tuple[int, int, bool]:
    """Return where a tag ends, at most how many attributes it has, and whether it closes itself."""
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
