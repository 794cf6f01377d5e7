"""An error as the log has it (SPEC §15): its kind, what it says, and where it came from."""

from typing import Final

_MOST_STACK_CHARACTERS: Final = 1200


def logged_error(error: BaseException) -> dict[str, object]:
    """Return the ``error`` of an event: ``code``, ``message`` and ``stack``, the end of it where it is long."""
    from traceback import format_tb  # noqa: PLC0415 -- slow to load, and all may go well

    stack = "".join(format_tb(error.__traceback__))[-_MOST_STACK_CHARACTERS:]
    return {"code": type(error).__name__, "message": str(error), "stack": stack or None}
