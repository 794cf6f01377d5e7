"""The settings of the upstream, and the delays before the wrapper restarts it."""

from attrs import define, field, frozen

from genui_core.domain.settings.setting import section, setting

_JITTER = 0.2
"""The share of a delay that chance may take away, so that many wrappers do not reconnect at once."""


@frozen(field_transformer=section("upstream"))
class UpstreamSettings:
    """How long to wait for the upstream, and when to start or connect to it again (``upstream``).

    Each field has its own description.
    """

    start_timeout_ms: int = setting(
        120_000, "The time limit from the upstream's start to its first answer.", least=1
    )
    call_timeout_ms: int | None = setting(
        None, "The time limit for an answer to a request.", least=1, fallback="no limit"
    )
    max_line_bytes: int = setting(
        32 * 1024 * 1024, "The longest message that the wrapper reads as a whole.", least=1024
    )
    reconnect_delay_ms: int = setting(
        1000, "The delay before a restart, and before a second reconnection.", least=100
    )
    max_reconnect_delay_ms: int = setting(30_000, "The longest delay.", least=1000)
    reconnect_backoff_multiplier: float = setting(2.0, "The factor between one delay and the next.", least=1)

    def delay_ms(self, number: int, chance: float = 0) -> float:
        """Return the milliseconds before a restart; they grow with its number up to the longest delay.

        Args:
            number: The number of the restart, from 1; 0 has no delay.
            chance: A random number from 0 (the whole delay) to 1 (the delay without its jitter).
        """
        if number < 1:
            return 0
        longest = float(self.reconnect_delay_ms)
        for _ in range(number - 1):
            if longest >= self.max_reconnect_delay_ms:
                break
            longest *= self.reconnect_backoff_multiplier
        return min(longest, float(self.max_reconnect_delay_ms)) * (1 - _JITTER * chance)


STABLE_AFTER_S = 30.0
"""How long an upstream must run after its first line for its next death to count as the first."""

PATIENCE_S = 5.0
"""How long a request waits for an upstream that is starting again, if its method may wait."""


@define(eq=False, repr=False)
class Restarts:
    """The delays between the deaths of an upstream and its restarts.

    An upstream that ran for long restarts at once. One that died early restarts after a delay, which
    grows with each death up to the longest. So an upstream that dies at its start restarts at most six
    times a minute. A lost connection costs no process: with ``in_a_row`` 0, the first reconnect happens
    at once.

    Attributes:
        count: The number of deaths and failed starts.
    """

    _settings: UpstreamSettings
    _in_a_row: int = 1
    count: int = field(default=0, init=False)

    def died(self, chance: float = 0) -> float:
        """Record a death or a failed start; return the seconds, less by chance, until the next start."""
        delay_ms = self._settings.delay_ms(self._in_a_row, chance)
        self._in_a_row += 1
        self.count += 1
        return delay_ms / 1000

    def was_stable(self) -> None:
        """Record that the upstream ran long enough for its next death to count as the first."""
        self._in_a_row = 0
