"""Where a rule met something, the finding that it becomes, and the ruling on a view with such findings (requirement V2)."""

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
"""What each rule about what the policy of a page stops becomes in a page without one."""

Repairs = Mapping[str, tuple[str, Callable[[str, Any], str]]]
"""For each rule, the name of its repair, and the repair: of a text and the report on it."""


@frozen
class RuleMatch:
    """A place where a rule met something.

    Attributes:
        start: The offset within the validated text, in characters.
    """

    rule: str
    start: int = 0
    end: int = 0

    def moved(self, by: int) -> "RuleMatch":
        """Return it with offsets in a text that contains the validated one."""
        return RuleMatch(self.rule, self.start + by, self.end + by)


@frozen
class SourceText:
    """A text that findings point into."""

    text: str
    block: Block

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(each.end() for each in _LINE_BREAK.finditer(self.text))]

    def finding(self, rule_match: RuleMatch, *, strict: bool = True) -> Finding:
        """Return the finding for a match; without ``strict``, code from text is only noted."""
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
        """Return the findings in the order of their places, each once, and not more than anyone reads.

        Errors come before warnings where there are too many of both. Where the page has no policy,
        what the policy would block is loaded.
        """
        if not page_policy:
            rule_matches = (evolve(each, rule=_UNBLOCKED.get(each.rule, each.rule)) for each in rule_matches)
        distinct = sorted(set(rule_matches), key=lambda each: (each.start, each.rule, each.end))
        found = [self.finding(each, strict=strict) for each in distinct]
        if len(found) > _SHOWN:
            found.sort(key=lambda each: each.severity is Severity.WARNING)
        return tuple(found[:_SHOWN])


def taken_out(before: Sequence[Finding], after: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that a repair left fewer of; one that it only moved is not among them."""
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
    """Return the report on a view after its repairs: what still asks for a repair was beyond them.

    What is beyond help comes first, as the first finding is what a person is told. There is a warning for each
    thing that was taken out of the view. The model may repair each of the blocks alone.
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
    """Return a text after the first repair of a rule it breaks that changes it, and its name; "" for none."""
    for rule, (name, repair) in repairs.items():
        if rule in met and name not in done and (changed := repair(text, report)) != text:
            return changed, name
    return text, ""


_ORDER: Final = (Consequence.REFUSE, Consequence.REPAIR, Consequence.ASK, Consequence.WARN)


def without_view(
    rule_match: RuleMatch, answer: str = "", ruling: Ruling = Ruling.REFUSED
) -> ValidationReport:
    """Return the report on an answer that is no view; a fixable one has the model asked for the view once more."""
    finding = SourceText(answer, Block.DOCUMENT).finding(rule_match)
    return ValidationReport(ruling=ruling, source="", findings=(finding,))


def unfinished() -> ValidationReport:
    """Return the report on an answer whose validation did not finish."""
    return without_view(RuleMatch("view.unjudged"))


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
    """Yield the places that show a fence of the prompt, or the code of its fences."""
    if len(nonce) >= _SHORTEST_NONCE:
        for found in re.finditer(re.escape(nonce), text, re.IGNORECASE):
            yield RuleMatch("hijack.nonce", found.start(), found.start())
    for found in _FENCE.finditer(text):
        yield RuleMatch("hijack.fence", found.start(), found.end())


def hijack_rules(text: str, nonce: str) -> Iterator[RuleMatch]:
    """Yield the leaks, and the places where a view talks about instructions."""
    yield from leaks(text, nonce)
    for found in _TALK.finditer(text):
        yield RuleMatch("hijack.talk", found.start(), found.end())
