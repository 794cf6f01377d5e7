"""Judges in a process of its own, which is ended where it takes too long."""

from typing import Final

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process
from attrs import Factory, frozen

from genui_core.domain.finding import Verdict
from genui_core.domain.judging.judge import judge, unjudged
from genui_core.ports.view_judge import JudgeBrief, ViewJudge

_START_WITHIN_S: Final = 30.0


def _one() -> CapacityLimiter:
    return CapacityLimiter(1)


@frozen
class WorkerProcessJudge(ViewJudge):
    """Judges one text after the other, in a process that stays for the next.

    Waiting for a turn, and for the process to start, does not count against the deadline.

    Attributes:
        deadline_ms: The longest a judgement takes; whatever takes longer is refused.
        turn: Held by the judgement under way.
    """

    deadline_ms: int = 2_000
    turn: CapacityLimiter = Factory(_one)

    async def judge(self, text: str, brief: JudgeBrief) -> Verdict:
        """Return the verdict, or a refusal where there is none in time."""
        async with self.turn:
            worker = CapacityLimiter(1)
            try:
                with anyio.move_on_after(_START_WITHIN_S):
                    await to_process.run_sync(_ready, cancellable=True, limiter=worker)
                with anyio.move_on_after(self.deadline_ms / 1000):
                    return await to_process.run_sync(judge, text, brief, cancellable=True, limiter=worker)
            except BrokenWorkerProcess:
                return unjudged()
            return unjudged()


def _ready() -> None:
    """Do nothing: by then the process has started, and read the modules that judge."""
