"""A judge without a process of its own: the default of a `Wrapper` with nothing given."""

from genui_core.domain.finding import Verdict
from genui_core.ports.view_judge import JudgeBrief, ViewJudge


class InProcessJudge(ViewJudge):
    """Judges on the spot, and holds the event loop of the studio up meanwhile."""

    async def judge(self, text: str, brief: JudgeBrief) -> Verdict:
        """Return the verdict."""
        from genui_core.domain.judging.judge import judge  # noqa: PLC0415 -- parsers: not before they are needed

        return judge(text, brief)
