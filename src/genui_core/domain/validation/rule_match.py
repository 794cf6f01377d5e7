"""Turns matches of rules into findings, and findings into a report with a ruling (requirement V2)."""

import bisect
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from attrs import evolve, frozen

from genui_core.domain.validation.finding import (
    NOTED,
    RULES,
    Block,
    Consequence,
    Finding,
    Ruling,
    Severity,
    ValidationReport,
)

_LINE_BREAK = re.compile(r"\r\n|[\n\r\u2028\u2029]")
_EXCERPT: Final = 80
_SHOWN: Final = 100
_UNBLOCKED: Final = {"resource.blocked": "resource.external"}
"""For a rule about content that the page's policy blocks, the rule for a page without a policy."""

Repairs = Mapping[str, tuple[str, Callable[[str, Any], str]]]
"""For each rule, the name of its repair, and the repair: a function of a text and its report."""


@frozen
class RuleMatch:
    """A place in a text that breaks a rule.

    Attributes:
        start: The offset in the validated text, in characters.
    """

    rule: str
    start: int = 0
    end: int = 0

    def moved(self, by: int) -> "RuleMatch":
        """Return the match with its offsets shifted, for a text that contains the validated one."""
        return RuleMatch(self.rule, self.start + by, self.end + by)


@frozen
class SourceText:
    """A validated text, which turns offsets of matches into lines and columns of findings."""

    text: str
    block: Block

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(each.end() for each in _LINE_BREAK.finditer(self.text))]

    def finding(self, rule_match: RuleMatch, *, strict: bool = True) -> Finding:
        """Return the finding for a match; without ``strict``, code made from text is only a warning."""
        rule = RULES[rule_match.rule]
        lenient = rule.id == "code.from_text" and not strict
        line = bisect.bisect_right(self._starts, rule_match.start)
        return Finding(
            rule=rule.id,
            severity=Severity.WARNING if lenient else rule.severity,
            message=rule.message,
            block=self.block,
            line=line,
            column=rule_match.start - self._starts[line - 1] + 1,
            excerpt=self.text[rule_match.start : min(rule_match.end, rule_match.start + _EXCERPT)],
            advice=rule.advice,
        )

    def findings(
        self, rule_matches: Iterable[RuleMatch], *, strict: bool = True, page_policy: bool = True
    ) -> tuple[Finding, ...]:
        """Return the findings in the order of their places, without duplicates, at most 100.

        If there are more than 100, errors come before warnings. In a page without a policy, a finding about
        blocked content becomes one about loaded content.
        """
        if not page_policy:
            rule_matches = (evolve(each, rule=_UNBLOCKED.get(each.rule, each.rule)) for each in rule_matches)
        distinct = sorted(set(rule_matches), key=lambda each: (each.start, each.rule, each.end))
        found = [self.finding(each, strict=strict) for each in distinct]
        if len(found) > _SHOWN:
            found.sort(key=lambda each: each.severity is Severity.WARNING)
        return tuple(found[:_SHOWN])


def removed_findings(before: Sequence[Finding], after: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that a repair removed, but not those that it only moved."""
    gone = Counter((each.rule, each.block) for each in before)
    gone.subtract((each.rule, each.block) for each in after)
    for each in before:
        if gone[each.rule, each.block] > 0:
            gone[each.rule, each.block] -= 1
            yield each


def report_on(
    source: str,
    found: Iterable[Finding],
    blocks: Mapping[Block, str],
    repairs: Iterable[str],
    dropped: Iterable[Finding],
) -> ValidationReport:
    """Return the report on a view after its repairs; a finding that still asks for a repair refuses it.

    The findings that refuse the view come first, because people see the first finding. Each removed part of
    the view has a warning. The model may repair each of ``blocks`` alone.
    """
    noted = (evolve(each, severity=Severity.WARNING) for each in dropped if each.rule in NOTED)
    findings = tuple(sorted((*found, *noted), key=lambda each: _ORDER.index(RULES[each.rule].consequence)))
    repairs = tuple(repairs)
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if not errors:
        ruling = Ruling.REPAIRED if repairs else Ruling.ACCEPTED
        return ValidationReport(ruling=ruling, source=source, findings=findings, repairs=repairs)
    if any(RULES[each.rule].consequence is not Consequence.ASK for each in errors):
        return ValidationReport(ruling=Ruling.REFUSED, source="", findings=findings)
    broken = errors[0].block
    return ValidationReport(
        ruling=Ruling.FIXABLE,
        source=source,
        findings=findings,
        repairs=repairs,
        broken=broken,
        excerpt=blocks.get(broken, source),
    )


def first_repair(
    text: str, report: Any, repairs: Repairs, met: Container[str], done: Container[str] = ()
) -> tuple[str, str]:
    """Apply the first repair that changes a text; return the text and the repair's name, or ""."""
    for rule, (name, repair) in repairs.items():
        if rule in met and name not in done and (changed := repair(text, report)) != text:
            return changed, name
    return text, ""


_ORDER: Final = (Consequence.REFUSE, Consequence.REPAIR, Consequence.ASK, Consequence.WARN)


def report_without_view(
    rule_match: RuleMatch, answer: str = "", ruling: Ruling = Ruling.REFUSED
) -> ValidationReport:
    """Return the report on an answer without a view; if it is fixable, the wrapper asks the model again."""
    finding = SourceText(answer, Block.DOCUMENT).finding(rule_match)
    return ValidationReport(ruling=ruling, source="", findings=(finding,))


def unfinished() -> ValidationReport:
    """Return the report on an answer whose validation did not finish."""
    return report_without_view(RuleMatch("view.unjudged"))


_SHORTEST_NONCE: Final = 6
_FENCED: Final = r"data|end|code|findings|refinements?|source|view"
_FENCE = re.compile(rf"<<<\s*(?:{_FENCED})\b[^<>\n]{{0,80}}>>>")
_TALK = re.compile(
    r"\b(?:here\s+is|this\s+is|reveal(?:ing)?|print(?:ing)?)\s+(?:my|the|your)\s+system\s+prompt"
    r"|\bmy\s+(?:system\s+prompt|instructions)\s+(?:is|are|say|says|were)\b"
    r"|\bas\s+an?\s+(?:ai|artificial\s+intelligence|large)\s+(?:language\s+)?(?:model|assistant)\b"
    r"|\b(?:i\s+(?:cannot|can't|am\s+unable\s+to)|i'm\s+unable\s+to)\s+(?:comply|assist|help\s+with\s+that|fulfil)",
    re.IGNORECASE,
)


def leaks(text: str, nonce: str) -> Iterator[RuleMatch]:
    """Yield the places that contain a fence of the prompt, or the code of its fences."""
    if len(nonce) >= _SHORTEST_NONCE:
        for found in re.finditer(re.escape(nonce), text, re.IGNORECASE):
            yield RuleMatch("hijack.nonce", found.start(), found.start())
    for found in _FENCE.finditer(text):
        yield RuleMatch("hijack.fence", found.start(), found.end())


def hijack_rules(text: str, nonce: str) -> Iterator[RuleMatch]:
    """Yield the leaks, and the places where a view mentions the instructions of its model."""
    yield from leaks(text, nonce)
    for found in _TALK.finditer(text):
        yield RuleMatch("hijack.talk", found.start(), found.end())
