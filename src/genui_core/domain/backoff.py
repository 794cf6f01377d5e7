"""How long to wait before something that failed is tried again."""

from attrs import frozen

_JITTER = 0.2
"""The share of a delay that chance may take away, so that many clients do not come back at once."""


@frozen
class Backoff:
    """Delays that grow from one failure to the next, up to a limit.

    Attributes:
        initial_ms: The delay after the first failure.
        maximum_ms: No delay is longer.
        multiplier: How much longer each delay is than the one before.
    """

    initial_ms: int = 1000
    maximum_ms: int = 30_000
    multiplier: float = 2

    def delay_ms(self, failures: int, chance: float = 0) -> float:
        """Return how long to wait after so many failures in a row.

        Args:
            failures: One or more; nothing is waited for none.
            chance: Where in the jitter this wait falls, from 0 (all of the delay) to 1.
        """
        if failures < 1:
            return 0
        longest = float(self.initial_ms)
        for _ in range(failures - 1):
            if longest >= self.maximum_ms:
                break
            longest *= self.multiplier
        return min(longest, float(self.maximum_ms)) * (1 - _JITTER * chance)

    def failures_after(self, failures: int, lived_ms: float) -> int:
        """Return how many failures in a row it is now that something that lived this long has ended.

        What lived longer than the longest delay has worked; its end is the first failure.
        """
        return 1 if lived_ms > self.maximum_ms else failures + 1
