"""Judges in a process of its own, which is ended where it takes too long."""

import signal
from functools import partial
from typing import Final

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process
from attrs import Factory, frozen

from genui_core.domain.finding import Verdict
from genui_core.domain.judging.judge import judge, unjudged
from genui_core.ports.view_judge import JudgeBrief, ViewJudge

_START_WITHIN_S: Final = 30.0
_WAIT_FACTOR: Final = 5
"""How much longer than the work itself it may take where the machine has other things to do."""


def _one() -> CapacityLimiter:
    return CapacityLimiter(1)


@frozen
class WorkerProcessJudge(ViewJudge):
    """Judges one text after the other, in a process that stays for the next.

    Waiting for a turn, and for the process to start, does not count against the deadline.

    Attributes:
        deadline_ms: The most work that a judgement is, in processor time; whatever is more is refused.
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
                with anyio.move_on_after(_WAIT_FACTOR * self.deadline_ms / 1000):
                    work = partial(_judged, text, brief, self.deadline_ms / 1000)
                    return await to_process.run_sync(work, cancellable=True, limiter=worker)
            except BrokenWorkerProcess:
                return unjudged()
            return unjudged()


class _TooMuchWork(BaseException):
    """The processor time is used up. No part of a judge takes it for a fault of its own."""


def _judged(text: str, brief: JudgeBrief, work_s: float) -> Verdict:
    """Judge in the worker process, within so much processor time where the system can count it."""
    if not hasattr(signal, "setitimer"):
        return judge(text, brief)
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, work_s)
    try:
        return judge(text, brief)
    except _TooMuchWork:
        return unjudged()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop(_number: int, _frame: object) -> None:
    raise _TooMuchWork


def _ready() -> None:
    """Do nothing: by then the process has started, and read the modules that judge."""
