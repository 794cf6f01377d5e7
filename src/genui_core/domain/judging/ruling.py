"""What becomes of an answer, given what was found in it (SPEC §7)."""

from collections.abc import Iterable

from attrs import frozen

from genui_core.domain.finding import Block, Finding, Ruling, Severity, Verdict
from genui_core.domain.judging.rules import RULES, Consequence
from genui_core.domain.judging.sighting import Sighting, SourceText


@frozen(kw_only=True)
class Examined:
    """A view, and what was found in it.

    Attributes:
        source: The view.
        findings: All of them.
        excerpts: The source of each block that a model may be asked to mend.
    """

    source: str
    findings: tuple[Finding, ...]
    excerpts: dict[Block, str]


def verdict(examined: Examined, repairs: Iterable[str]) -> Verdict:
    """Return the verdict on a view after its repairs: what still asks for a repair was beyond them."""
    findings, repairs = _worst_first(examined.findings), tuple(repairs)
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if not errors:
        ruling = Ruling.REPAIRED if repairs else Ruling.ACCEPTED
        return Verdict(ruling=ruling, source=examined.source, findings=findings, repairs=repairs)
    if any(RULES[each.rule].consequence is not Consequence.ASK for each in errors):
        return Verdict(ruling=Ruling.REFUSED, source="", findings=findings)
    broken = errors[0].block
    return Verdict(
        ruling=Ruling.FIXABLE,
        source=examined.source,
        findings=findings,
        repairs=repairs,
        broken=broken,
        excerpt=examined.excerpts.get(broken, examined.source),
    )


def refused(finding: Finding) -> Verdict:
    """Return the verdict on an answer that is not even a view."""
    return Verdict(ruling=Ruling.REFUSED, source="", findings=(finding,))


def without_view(finding: Finding) -> Verdict:
    """Return the verdict on an answer without any part of a view: the model may be asked for the view once more."""
    return Verdict(ruling=Ruling.FIXABLE, source="", findings=(finding,))


def unjudged() -> Verdict:
    """Return the verdict on an answer that nobody came to the end of."""
    return refused(SourceText("", Block.DOCUMENT).finding(Sighting("view.unjudged")))


def _worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """What is beyond help comes first, as the first of them is what a person is told."""
    return tuple(sorted(findings, key=lambda each: _ORDER[RULES[each.rule].consequence]))


_ORDER = {Consequence.REFUSE: 0, Consequence.REPAIR: 1, Consequence.ASK: 2, Consequence.WARN: 3}
