"""How much of something that may come without end is let through."""


class Allowance:
    """Lets a number through at once, and then so many a second.

    Args:
        most: How many at once.
        per_s: How many a second from then on.
    """

    def __init__(self, most: int, per_s: float) -> None:
        self._most, self._per_s = most, per_s
        self._left: float = most
        self._counted_at_s: float | None = None

    def take(self, now_s: float) -> bool:
        """Take one, if there is one at this moment of a clock that never goes back; say whether there was."""
        passed_s = 0.0 if self._counted_at_s is None else now_s - self._counted_at_s
        self._left = min(self._most, self._left + passed_s * self._per_s)
        self._counted_at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True
