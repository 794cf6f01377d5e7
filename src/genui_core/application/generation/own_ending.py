"""Tells the end of a task from a fault of what it called."""

from math import inf

import anyio


def is_own_ending(error: BaseException) -> bool:
    """Whether an error means that this task is being ended, and must be let through.

    What strangers write may raise a cancellation that no caller asked for (a task of its own was
    cancelled), or what ends a whole program: then nothing of ours is at its end, and whoever
    waits is to be told.

    Args:
        error: As it was caught in the task, inside of the scope that may have been cancelled.
    """
    if isinstance(error, GeneratorExit):
        return True
    is_cancellation = isinstance(error, anyio.get_cancelled_exc_class())
    return is_cancellation and anyio.current_effective_deadline() == -inf
