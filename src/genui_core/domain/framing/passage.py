"""A line too long to be held: it passes, or is dropped, piece by piece, and only its ends are kept."""

from typing import TYPE_CHECKING

from genui_core.domain.framing.peek import END_BYTES, Peek, answers_by_tail, peek_at_ends, read_closely
from genui_core.domain.mcp.jsonrpc import PARSE_DEPTH_ERRORS

if TYPE_CHECKING:
    from genui_core.domain.framing.outline import Outline


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
        self._outline = None if is_dropped or _tells(self._head) else _outlined(piece)

    def add(self, piece: bytes) -> None:
        """Add the next piece to the outline."""
        if self._outline is not None:
            self._outline.add(piece)
        tail = piece[-END_BYTES:]
        self._tail = tail if len(tail) == END_BYTES else (self._tail + tail)[-END_BYTES:]

    def peek(self) -> Peek | None:
        """Return what the line was, after its last piece; None where that cannot be told."""
        seen = peek_at_ends(self._head, self._tail)
        if seen is not None or self._outline is None:
            return seen
        try:
            return read_closely(self._outline.text)
        except PARSE_DEPTH_ERRORS:
            return None


def _outlined(piece: bytes) -> "Outline":
    from genui_core.domain.framing.outline import Outline  # noqa: PLC0415 -- next to no line needs it

    outline = Outline()
    outline.add(piece)
    return outline


def _tells(head: bytes) -> bool:
    """Whether the ends of a line that begins so will most likely tell what it is, so that nothing more is needed."""
    return peek_at_ends(head, b"}") is not None or answers_by_tail(head)
