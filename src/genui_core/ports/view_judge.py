"""Whoever takes a view out of what a model wrote, checks it and mends what can be mended (SPEC §7)."""

from abc import abstractmethod
from typing import Protocol

from genui_core.domain.finding import Verdict
from genui_core.domain.judging.brief import JudgeBrief

__all__ = ["JudgeBrief", "ViewJudge"]


class ViewJudge(Protocol):
    """Judges what models write.

    Judgements may be asked for at the same time, in one event loop, which they do not hold up:
    parsing happens elsewhere, within a limit. The same text under the same brief gets the same
    verdict.
    """

    async def prepare(self) -> None:
        """Get ready, where that takes a while: there will be something to judge soon."""
        return

    @abstractmethod
    async def judge(self, text: str, brief: JudgeBrief) -> Verdict:
        """Return the verdict on a model's answer. A text that cannot be judged in time is refused."""
        ...
