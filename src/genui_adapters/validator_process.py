"""A validator in a worker process, which is killed if a validation takes too long.

Only the worker process loads the parsers: loading them blocks all threads of a process. asyncio does not know
the process: as anyio ends its own workers, asyncio may find the exit code taken, and warns of an unknown child.
"""

import gc
import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any, Final

import anyio
from anyio import CapacityLimiter, to_thread
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
    _waiting: "list[subprocess.Popen[bytes]]" = Factory(list)

    async def prepare(self) -> None:
        """Start the process.

        Cancelling a validation would also stop a process that is still starting; on a slow machine the
        next validation would then wait as long again.
        """
        async with self.turn:
            await self._ask(_START_WITHIN_S)

    async def validate(self, text: str, context: ValidationContext) -> ValidationReport:
        """Return the report, or a refusal if the validation takes too long."""
        async with self.turn:
            await self._ask(_START_WITHIN_S)
            work_s = self.deadline_ms / 1000
            return await self._ask(_WAIT_FACTOR * work_s, work_s, text, context) or unfinished()

    async def _ask(self, within_s: float, work_s: float = 0, *view: object) -> ValidationReport | None:
        """Return the answer of the process; None if it ends, or gives none in time and is killed."""
        process = self._waiting.pop() if self._waiting else _start()
        if process.poll() is not None:
            _end(process)
            process = _start()
        try:
            with anyio.move_on_after(within_s), suppress(EOFError, OSError, pickle.UnpicklingError):
                answer = await to_thread.run_sync(_exchange, process, (work_s, *view), abandon_on_cancel=True)
                self._waiting.append(process)
                return answer
        finally:
            if not self._waiting:
                _end(process)
        return None

    def __del__(self) -> None:
        """End the process."""
        for each in self._waiting:
            _end(each)


def _start() -> "subprocess.Popen[bytes]":
    """Start the process, which finds modules where this one does, and does not run this one's main module."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command, pipe = [sys.executable, "-P", "-m", __name__], subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment)


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(OSError), process:  # which closes the pipes, perhaps before a text was read
        process.kill()


def _exchange(process: Any, question: tuple[object, ...]) -> ValidationReport | None:
    """Send a question and wait for the answer: a report, or None once the process has started."""
    pickle.dump(question, process.stdin)
    process.stdin.flush()
    report: ValidationReport | None = pickle.load(process.stdout)  # noqa: S301 -- our own process
    return report


def prepare_process() -> None:
    """Load the validator's modules, which shows that the process has started.

    The modules stay loaded, so the garbage collector skips them. It also runs less often, since the tree of a
    script stays until the validation ends.
    """
    import genui_core.domain.validation.validate  # noqa: F401, PLC0415 -- in the worker process only

    if not gc.get_freeze_count():
        gc.freeze()
        gc.set_threshold(_COLLECT_AFTER)


def _answer(work_s: float, *view: Any) -> ValidationReport | None:
    """Validate a view, if there is one; the process ends if it uses more processor time, unless that is 0."""
    from genui_core.domain.validation.validate import validate  # noqa: PLC0415 -- in the worker process only

    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, work_s)
    return validate(*view) if view else None


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    prepare_process()
    with suppress(EOFError):
        while True:
            question = pickle.load(sys.stdin.buffer)  # noqa: S301 -- from the process that started this one
            pickle.dump(_answer(*question), answers)
            answers.flush()
