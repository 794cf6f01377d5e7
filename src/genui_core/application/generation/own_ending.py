"""Distinguishes the cancellation of a task from an error of the code that it called."""

from math import inf

import anyio


def is_own_ending(error: BaseException) -> bool:
    """Whether an error means that this task is being cancelled, so that the caller must raise it again.

    A provider of another package may raise a cancellation that no caller asked for (one of its own
    tasks was cancelled), or `SystemExit`. This task then continues, and reports an error to its callers.

    Args:
        error: As it was caught in the task, inside of the scope that may have been cancelled.
    """
    if isinstance(error, GeneratorExit):
        return True
    is_cancellation = isinstance(error, anyio.get_cancelled_exc_class())
    return is_cancellation and anyio.current_effective_deadline() == -inf
