"""Asking others that promise never to raise, and may be anybody's: reads of views must not fail for them."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from genui_core.ports.event_log import EventLog, Level

Answer = TypeVar("Answer")


async def guarded(
    event_log: EventLog, operation: str, ask: Callable[[], Awaitable[Answer]], otherwise: Answer
) -> Answer:
    """Return what is answered, or something else where asking raises; then the event log is told why."""
    try:
        return await ask()
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is none of the reader's business
        event_log.record(Level.WARN, "cache", "store_failed", operation=operation, reason=f"{error!r}")
        return otherwise
