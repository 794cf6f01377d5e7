"""What there is to say about a piece of markup."""

from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from genui_core.domain.validation.markup.bounds import within_bounds
from genui_core.domain.validation.markup.elements import HTML, Element, elements, plain_elements
from genui_core.domain.validation.markup.labels import name_for, unlabelled
from genui_core.domain.validation.markup.markup_rules import element_rules, runs
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


@frozen
class MarkupReport:
    """What was seen in a piece of markup.

    Attributes:
        rule_matches: What the rules met.
        elements: What it holds; as either parser sees it, so mostly twice.
    """

    rule_matches: tuple[RuleMatch, ...]
    elements: tuple[Element, ...] = ()


def read_markup(source: str, *, document: bool = False) -> MarkupReport:
    """Return the report on a piece of markup, without its scripts."""
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
    located = [seen for rule, where in broken.items() for seen in _located(source, rule, where)]
    return MarkupReport((*located, *_labels(source, found)), tuple(found))


def _located(source: str, rule: str, where: list[Element]) -> Iterator[RuleMatch]:
    """Yield a match for each element with a position; without any such element, one for them all."""
    placed = [each for each in where if each.start is not None]
    for each in placed or where[:1]:
        yield _rule_match(source, rule, each.start or 0)


def _rule_match(source: str, rule: str, start: int) -> RuleMatch:
    end = source.find(">", start, start + _LONGEST_TAG)
    return RuleMatch(rule, start, end + 1 if end >= 0 else min(len(source), start + _LONGEST_TAG))


def _labels(source: str, found: list[Element]) -> Iterator[RuleMatch]:
    placed = [each for each in found if each.start is not None]
    for each in unlabelled(placed):
        yield _rule_match(source, "label.missing" if name_for(each) else "label.unclear", each.start or 0)


@lru_cache(maxsize=128)
def markup_in_script(source: str) -> tuple[str, ...]:
    """Return the rules that markup breaks which a script puts into the page.

    The last results are cached: a script often puts the same markup into several places, and each repair
    reads it again.
    """
    plain = plain_elements(source)
    if plain is not None and not any(rule for each in plain for rule in element_rules(each)):
        return ()
    return tuple(_in_script(source))


def _in_script(source: str) -> Iterator[str]:
    """Yield the rules; a tag that is left open may be ended by what is put after it."""
    report = read_markup(source + _ENDS_ANY_TAG)
    for each in report.rule_matches:
        if not each.rule.startswith("label."):
            yield _OF_SCRIPTS.get(each.rule, each.rule)
    if any(each.name == "style" and _AT in each.text for each in report.elements) and any(
        each.rule == DECORATIVE for each in report.rule_matches
    ):
        yield "resource.external"
    if any(each.name == "script" and each.namespace == HTML and runs(each) for each in report.elements):
        yield "resource.element"
