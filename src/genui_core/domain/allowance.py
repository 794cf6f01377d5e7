"""How much of something that may come without end is let through."""

from attrs import define, field


@define
class Allowance:
    """Lets a number through at once, and then so many a second.

    Attributes:
        most: How many at once.
        per_s: How many a second from then on.
    """

    most: int
    per_s: float
    _left: float = field(init=False)
    _counted_at_s: float | None = None

    def __attrs_post_init__(self) -> None:
        """Begin with all of it."""
        self._left = self.most

    def take(self, now_s: float) -> bool:
        """Take one, if there is one at this moment of a clock that never goes back; say whether there was."""
        passed_s = 0.0 if self._counted_at_s is None else now_s - self._counted_at_s
        self._left = min(self.most, self._left + passed_s * self.per_s)
        self._counted_at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True
