"""When an upstream that died is started, or connected to, again (SPEC W8, W9)."""

from attrs import Factory, define

from genui_core.domain.backoff import Backoff

STABLE_AFTER_S = 30.0
"""How long an upstream has to live after its first word for its death to count as the first."""


@define
class Restarts:
    """The waits between the deaths of an upstream and its starts.

    After a long life, the upstream starts again at once. After a short one it starts after a delay,
    which grows with each death up to the longest. So an upstream that dies at its start is started at
    most six times a minute. A lost connection costs no process: with ``in_a_row`` 0, the first
    reconnect happens at once.

    Attributes:
        count: How many deaths there were.
    """

    _backoff: Backoff = Factory(Backoff)
    _in_a_row: int = 1
    count: int = 0

    def died(self, chance: float = 0) -> float:
        """Record a death or a failed start; return the seconds to wait before the next start.

        Args:
            chance: Shortens the wait a little, as in `Backoff.delay_ms`.
        """
        delay_ms = self._backoff.delay_ms(self._in_a_row, chance)
        self._in_a_row += 1
        self.count += 1
        return delay_ms / 1000

    def was_stable(self) -> None:
        """Record that the upstream has lived long enough for its next death to count as the first."""
        self._in_a_row = 0
