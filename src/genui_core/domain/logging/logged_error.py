"""An error as the log has it (SPEC §15): its kind, what it says, and where it came from."""

from collections.abc import Mapping
from typing import Final

_MOST_STACK_CHARACTERS: Final = 1200


def logged_error(error: BaseException) -> dict[str, object]:
    """Return the ``error`` of an event: ``code``, ``message`` and ``stack``, the end of it where it is long."""
    from traceback import format_tb  # noqa: PLC0415 -- slow to load, and all may go well

    stack = "".join(format_tb(error.__traceback__))[-_MOST_STACK_CHARACTERS:]
    return {"code": type(error).__name__, "message": str(error), "stack": stack or None}


def logged_error_object(error: Mapping[str, object]) -> dict[str, object]:
    """Return the ``error`` of an event for a JSON-RPC error object: its ``errorType`` as the code."""
    data = error.get("data")
    kind = data.get("errorType") if isinstance(data, Mapping) else None
    return {"code": kind or error.get("code"), "message": error.get("message"), "stack": None}
