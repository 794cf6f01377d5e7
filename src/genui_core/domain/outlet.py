"""One side of the relay to write to: whole lines, and never one inside another."""


class Outlet:
    """Pieces to be written to one peer, in order.

    Attributes:
        pieces: What a driver writes and empties.
        line_open: Whether the last piece ends in the middle of a line that is passing through.
    """

    __slots__ = ("_held", "line_open", "pieces")

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.line_open = False
        self._held: list[bytes] = []

    def pass_on(self, data: bytes) -> None:
        """Pass on bytes of the other peer that begin a line."""
        self.pieces.append(data)
        self.line_open = not data.endswith(b"\n")

    def pass_rest(self, data: bytes) -> bytes:
        """Pass on the rest of the open line and return what comes after it."""
        end = data.find(b"\n") + 1
        self.pieces.append(data[:end] if end else data)
        if not end:
            return b""
        self.line_open = False
        self.pieces += self._held
        self._held.clear()
        return data[end:]

    def say(self, *line: bytes) -> None:
        """Send a line of our own, given whole or in pieces, as soon as no other one is open."""
        (self._held if self.line_open else self.pieces).extend(line)

    def cut(self) -> None:
        """End an open line where it is: nothing more of it will come."""
        if self.line_open:
            self.pass_rest(b"\n")

    def clear(self) -> None:
        """Let go of all that waits to be written: its reader is gone."""
        self.pieces.clear()
        self._held.clear()
        self.line_open = False
