"""A line too long to be held: it passes, or is dropped, piece by piece, and only its ends are kept."""

from genui_core.domain.glance import END_BYTES, Glance, glance_at_ends


class Passage:
    """A long line that is under way.

    Args:
        piece: All that has come of it so far.

    Attributes:
        is_dropped: Whether its pieces go nowhere.
    """

    def __init__(self, piece: bytes, *, is_dropped: bool) -> None:
        self.is_dropped = is_dropped
        self._head = piece[:END_BYTES]
        self._tail = piece[-END_BYTES:]

    def add(self, piece: bytes) -> None:
        """Take note of the next piece."""
        tail = piece[-END_BYTES:]
        self._tail = tail if len(tail) == END_BYTES else (self._tail + tail)[-END_BYTES:]

    def glance(self) -> Glance | None:
        """Return what the line was, after its last piece; None where its ends do not tell."""
        return glance_at_ends(self._head, self._tail)
