"""What becomes of an answer, given what was found in it (SPEC §7)."""

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from genui_core.domain.validation.finding import Block, Finding, Ruling, Severity, ValidationReport
from genui_core.domain.validation.rule_match import RuleMatch, SourceText
from genui_core.domain.validation.rules import NOTED, RULES, Consequence


@frozen(kw_only=True)
class Examined:
    """A view, and what was found in it.

    Attributes:
        source: The view.
        findings: All of them.
        excerpts: The source of each block that the model may repair.
    """

    source: str
    findings: tuple[Finding, ...]
    excerpts: dict[Block, str]


def report_on(
    examined: Examined, repairs: Iterable[str], dropped: Iterable[Finding] = ()
) -> ValidationReport:
    """Return the report on a view after its repairs: what still asks for a repair was beyond them.

    Args:
        examined: The view after its repairs.
        repairs: Their names.
        dropped: What was found in the parts that they took out.
    """
    findings, repairs = _worst_first((*examined.findings, *_noted(dropped))), tuple(repairs)
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if not errors:
        ruling = Ruling.REPAIRED if repairs else Ruling.ACCEPTED
        return ValidationReport(ruling=ruling, source=examined.source, findings=findings, repairs=repairs)
    if any(RULES[each.rule].consequence is not Consequence.ASK for each in errors):
        return ValidationReport(ruling=Ruling.REFUSED, source="", findings=findings)
    broken = errors[0].block
    return ValidationReport(
        ruling=Ruling.FIXABLE,
        source=examined.source,
        findings=findings,
        repairs=repairs,
        broken=broken,
        excerpt=examined.excerpts.get(broken, examined.source),
    )


def _noted(dropped: Iterable[Finding]) -> Iterator[Finding]:
    """Yield a warning for each thing that was taken out of the view."""
    for each in dropped:
        if each.rule in NOTED:
            yield evolve(each, severity=Severity.WARNING)


def refused(finding: Finding) -> ValidationReport:
    """Return the report on an answer that is not even a view."""
    return ValidationReport(ruling=Ruling.REFUSED, source="", findings=(finding,))


def without_view(finding: Finding) -> ValidationReport:
    """Return the report on an answer without any part of a view: the model may be asked for the view once more."""
    return ValidationReport(ruling=Ruling.FIXABLE, source="", findings=(finding,))


def unfinished() -> ValidationReport:
    """Return the report on an answer whose validation did not finish."""
    return refused(SourceText("", Block.DOCUMENT).finding(RuleMatch("view.unjudged")))


def _worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """What is beyond help comes first, as the first of them is what a person is told."""
    return tuple(sorted(findings, key=lambda each: _ORDER[RULES[each.rule].consequence]))


_ORDER = {Consequence.REFUSE: 0, Consequence.REPAIR: 1, Consequence.ASK: 2, Consequence.WARN: 3}
