"""When an upstream that died is started again (SPEC W8)."""

from attrs import define

STABLE_AFTER_S = 10.0
"""How long an upstream has to live after its first word for its death to count as the first."""


@define
class Restarts:
    """The waits between the deaths of an upstream and its starts.

    After a life that was long enough it is started at once; where it dies again soon, after the
    first delay, which grows with each death up to the longest. All times in seconds.
    """

    _delay_s: float = 1.0
    _longest_delay_s: float = 30.0
    _multiplier: float = 2.0
    _next_delay_s: float = 0.0
    count: int = 0

    def died(self) -> float:
        """Take note of a death, or of a start that failed; return how long to wait before the next start."""
        delay_s = self._next_delay_s
        self._next_delay_s = min(max(delay_s * self._multiplier, self._delay_s), self._longest_delay_s)
        self.count += 1
        return delay_s

    def was_stable(self) -> None:
        """Take note that the upstream has lived long enough for its next death to be the first."""
        self._next_delay_s = 0.0
