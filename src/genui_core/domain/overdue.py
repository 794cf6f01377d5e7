"""Reports requests that have waited too long for their answers, with one timer for all of them."""

from collections.abc import Callable

from genui_core.domain.in_flight import AGES, Asked, InFlight
from genui_core.domain.jsonrpc import RequestId
from genui_core.domain.link import Later


class OverdueWatch:
    """Counts the age of pending requests in steps of 3 % of the limit.

    It reports a request up to one step late, and never early.

    Args:
        in_flight: The pending requests.
        later: Calls a function after some seconds.
        tell: Called with each request that is overdue.
    """

    def __init__(self, in_flight: InFlight, later: Later, tell: Callable[[RequestId, Asked], None]) -> None:
        self._in_flight = in_flight
        self._later = later
        self._tell = tell
        self._runs = False

    def run(self, limit_s: float) -> None:
        """Watch as long as a request is pending; may be called again."""
        if not self._runs:
            self._runs = True
            self._later(limit_s / AGES, lambda: self._count(limit_s))

    def _count(self, limit_s: float) -> None:
        self._runs = False
        for request_id, asked in self._in_flight.grow_older():
            self._tell(request_id, asked)
        if not self._in_flight.is_empty:
            self.run(limit_s)
