"""Calls of tools, as the log has them: how each ended, and how long it took."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from genui_core.application.requests.host_request import HostRequest
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import Result


@contextmanager
def counted_call(event_log: EventLog, request: HostRequest) -> Iterator[Callable[[Result], Result]]:
    """Record a request that is a call of a tool, once it has ended; its result passes through what is yielded.

    Args:
        event_log: Where it is recorded.
        request: Any request; others than calls are none of our business here.
    """
    if request.method != "tools/call":
        yield lambda result: result
        return
    began_s, outcome = time.monotonic(), ["failed"]

    def took(result: Result) -> Result:
        outcome.append("error" if result.get("isError") else "ok")
        return result

    try:
        yield took
    finally:
        record_call(event_log, request.params.get("name"), began_s, outcome[-1])


def record_call(event_log: EventLog, tool_name: object, began_s: float, outcome: str) -> None:
    """Log a call of a tool that has ended.

    Args:
        event_log: The log.
        tool_name: The tool.
        began_s: When it began, on the monotonic clock.
        outcome: ``ok``, ``error`` (the tool says so) or ``failed``.
    """
    event_log.record(
        Level.DEBUG,
        "tool_proxy",
        "tool_called",
        tool_name=tool_name,
        duration_ms=round(1000 * (time.monotonic() - began_s), 1),
        outcome=outcome,
    )
