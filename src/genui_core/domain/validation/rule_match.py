"""Where a rule met something, and how that becomes a finding with a line and a column."""

import bisect
import re
from collections.abc import Iterable
from typing import Final

from attrs import evolve, field, frozen

from genui_core.domain.validation.finding import Block, Finding, Severity
from genui_core.domain.validation.rules import RULES

_LINE_BREAK = re.compile(r"\r\n|[\n\r\u2028\u2029]")
_EXCERPT: Final = 80
_SHOWN: Final = 100
_UNBLOCKED: Final = {"resource.blocked": "resource.external"}
"""What each rule about what the policy of a page stops becomes in a page without one."""


@frozen
class RuleMatch:
    """A place where a rule met something.

    Attributes:
        rule: The rule's id.
        start: The offset within the validated text, in characters.
        end: Where the place ends.
    """

    rule: str
    start: int = 0
    end: int = 0

    def moved(self, by: int) -> "RuleMatch":
        """Return it with offsets in a text that contains the validated one."""
        return RuleMatch(self.rule, self.start + by, self.end + by)


@frozen
class SourceText:
    """A text that findings point into.

    Attributes:
        text: All of it.
        block: What it is.
    """

    text: str
    block: Block
    _starts: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        starts = [0, *(each.end() for each in _LINE_BREAK.finditer(self.text))]
        object.__setattr__(self, "_starts", starts)

    def finding(self, rule_match: RuleMatch, *, lenient: bool = False) -> Finding:
        """Return the finding for a match; a lenient one only warns."""
        rule = RULES[rule_match.rule]
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

        Without ``strict``, code from text is only noted. Errors come before warnings where there
        are too many of both. Where the page has no policy, what the policy would block is loaded.
        """
        if not page_policy:
            rule_matches = (evolve(each, rule=_UNBLOCKED.get(each.rule, each.rule)) for each in rule_matches)
        distinct = sorted(set(rule_matches), key=lambda each: (each.start, each.rule, each.end))
        found = [
            self.finding(each, lenient=each.rule == "code.from_text" and not strict) for each in distinct
        ]
        if len(found) <= _SHOWN:
            return tuple(found)
        errors = [each for each in found if each.severity is Severity.ERROR]
        warnings = [each for each in found if each.severity is Severity.WARNING]
        return tuple((errors + warnings)[:_SHOWN])


def offset_of(text: str, line: int, column: int) -> int:
    """Return the offset of a line and a column, both from 1, as style sheets count them."""
    at = 0
    for _ in range(line - 1):
        found = _STYLE_LINE.search(text, at)
        if found is None:
            break
        at = found.end()
    return min(at + column - 1, len(text))


_STYLE_LINE = re.compile(r"\r\n|[\n\r\f]")
