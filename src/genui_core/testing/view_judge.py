"""A judge for tests: it goes by the first word of what it reads."""

from attrs import Factory, define

from genui_core.domain.finding import Block, Finding, Ruling, Severity, Verdict
from genui_core.ports.view_judge import JudgeBrief, ViewJudge


@define
class FirstWordJudge(ViewJudge):
    """Rules ``broken …`` fixable, ``evil …`` refused, ``sloppy …`` repaired, and accepts the rest.

    Attributes:
        briefs: What it was told, in order.
    """

    briefs: list[JudgeBrief] = Factory(list)

    async def judge(self, text: str, brief: JudgeBrief) -> Verdict:
        """Rule by the first word."""
        self.briefs.append(brief)
        first = text.split(maxsplit=1)[0] if text.split() else ""
        if first == "broken":
            return Verdict(
                ruling=Ruling.FIXABLE,
                source=text,
                findings=(_finding(text),),
                broken=Block.SCRIPT,
                excerpt=text,
            )
        if first == "evil":
            return Verdict(ruling=Ruling.REFUSED, source="", findings=(_finding(text),))
        if first == "sloppy":
            return Verdict(ruling=Ruling.REPAIRED, source=text, repairs=("tidied",))
        return Verdict(ruling=Ruling.ACCEPTED, source=text)


def _finding(text: str) -> Finding:
    return Finding(
        rule="test.first_word",
        severity=Severity.ERROR,
        message=f"It begins with {text.split(maxsplit=1)[0]}.",
        block=Block.SCRIPT,
        line=1,
        column=1,
        excerpt=text[:40],
    )
