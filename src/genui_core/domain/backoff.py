"""How long to wait before something that failed is tried again."""

from attrs import frozen

_JITTER = 0.2
"""The share of a delay that chance may take away, so that many clients do not come back at once."""


@frozen
class Backoff:
    """Delays that grow from one failure to the next, up to a limit.

    Attributes:
        initial_ms: The first delay.
        maximum_ms: No delay is longer.
        multiplier: How much longer each delay is than the one before.
    """

    initial_ms: int = 1000
    maximum_ms: int = 30_000
    multiplier: float = 2

    def delay_ms(self, number: int, chance: float = 0) -> float:
        """Return the delay of that number.

        Args:
            number: Counts from one; the delay before the first is none.
            chance: Where in the jitter this wait falls, from 0 (all of the delay) to 1.
        """
        if number < 1:
            return 0
        longest = float(self.initial_ms)
        for _ in range(number - 1):
            if longest >= self.maximum_ms:
                break
            longest *= self.multiplier
        return min(longest, float(self.maximum_ms)) * (1 - _JITTER * chance)
