"""Extracts a view from a model's answer, validates it and makes mechanical repairs (SPEC §7)."""

from abc import abstractmethod
from typing import Protocol

from genui_core.domain.finding import Verdict
from genui_core.domain.judging.brief import JudgeBrief

__all__ = ["JudgeBrief", "ViewJudge"]


class ViewJudge(Protocol):
    """Validates models' answers.

    Judgements may be asked for at the same time, in one event loop, which they do not hold up:
    parsing happens elsewhere, within a limit. The same text under the same brief gets the same
    verdict.
    """

    async def prepare(self) -> None:
        """Set up in advance if that takes time: a text to validate will follow soon."""
        return

    @abstractmethod
    async def judge(self, text: str, brief: JudgeBrief) -> Verdict:
        """Return the report on a model's answer. A text that takes too long to validate is refused."""
        ...
