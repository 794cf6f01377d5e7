"""A validator in a worker process, which is killed if a validation takes too long.

Only the worker process loads the parsers: loading them blocks all threads of a process.
"""

import gc
import signal
from functools import partial
from typing import Final

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process
from attrs import Factory, frozen

from genui_core.domain.validation.finding import ValidationReport
from genui_core.domain.validation.rule_match import unfinished
from genui_core.ports.view_validator import ValidationContext, ViewValidator

_START_WITHIN_S: Final = 30.0
_COLLECT_AFTER: Final = 50_000
"""The new objects after which the garbage collector runs: the tree of a page has about as many."""
_WAIT_FACTOR: Final = 5
"""How many times its processor time a validation may take on a busy machine."""


@frozen
class WorkerProcessValidator(ViewValidator):
    """Validates one text after the other, in a process that stays for the next text.

    Waiting for a turn, and for the process to start, does not count against the deadline.

    Attributes:
        deadline_ms: The processor time of a validation in milliseconds; a text that needs more is refused.
        turn: Held by the running validation.
    """

    deadline_ms: int = 2_000
    turn: CapacityLimiter = Factory(lambda: CapacityLimiter(1))

    async def prepare(self) -> None:
        """Start the process.

        Cancelling a validation would also stop a process that is still starting; on a slow machine the
        next validation would then wait as long again.
        """
        async with self.turn:
            await _wait_for_process()

    async def validate(self, text: str, context: ValidationContext) -> ValidationReport:
        """Return the report, or a refusal if the validation takes too long."""
        async with self.turn:
            worker = CapacityLimiter(1)
            try:
                await _wait_for_process()
                with anyio.move_on_after(_WAIT_FACTOR * self.deadline_ms / 1000):
                    work = partial(_validate_in_worker, text, context, self.deadline_ms / 1000)
                    return await to_process.run_sync(work, cancellable=True, limiter=worker)
            except BrokenWorkerProcess:
                return unfinished()
            return unfinished()


async def _wait_for_process() -> None:
    """Wait for the process; the event loop keeps it for the next validation."""
    with anyio.move_on_after(_START_WITHIN_S):
        await to_process.run_sync(prepare_process, cancellable=True, limiter=CapacityLimiter(1))


class _TooMuchWork(BaseException):
    """The processor time is used up. Not an `Exception`, so that the validator's handlers let it pass."""


def _validate_in_worker(text: str, context: ValidationContext, work_s: float) -> ValidationReport:
    """Validate in the worker process, with a limit on processor time if the system can measure it."""
    from genui_core.domain.validation.validate import validate  # noqa: PLC0415 -- in the worker process only

    if not hasattr(signal, "setitimer"):
        return validate(text, context)
    signal.signal(signal.SIGVTALRM, _stop_work)
    signal.setitimer(signal.ITIMER_VIRTUAL, work_s)
    try:
        return validate(text, context)
    except _TooMuchWork:
        return unfinished()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop_work(_number: int, _frame: object) -> None:
    raise _TooMuchWork


def prepare_process() -> None:
    """Load the validator's modules, which shows that the process has started.

    The modules stay loaded, so the garbage collector skips them. It also runs less often, since the tree of a
    script stays until the validation ends.
    """
    import genui_core.domain.validation.validate  # noqa: F401, PLC0415 -- in the worker process only

    if not gc.get_freeze_count():
        gc.freeze()
        gc.set_threshold(_COLLECT_AFTER)
