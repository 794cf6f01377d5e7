"""The outermost object of a JSON text that comes in pieces and is too long to be held."""

import re

_REST_OF_STRING = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL).match
_MARK = re.compile(rb'["{}\[\]]').search
_MOST_KEPT_BYTES = 1 << 16


class Outline:
    """Keeps what stands in the outermost object itself, with ``null`` for each value that is nested in it.

    What it takes for broken text, or for an outline that is long itself, is no JSON.
    """

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._size = self._depth = 0
        self._is_in_string = self._is_escaped = False

    @property
    def text(self) -> str:
        """The outline as JSON text, after the last piece."""
        return b"".join(self._kept).decode(errors="replace")

    def add(self, piece: bytes) -> None:
        """Take the next piece."""
        at = 0
        while at < len(piece):
            at = self._through_string(piece, at) if self._is_in_string else self._to_next_mark(piece, at)

    def _through_string(self, piece: bytes, at: int) -> int:
        if self._is_escaped:
            self._is_escaped = False
            self._keep(piece[at : at + 1])
            return at + 1
        rest = _REST_OF_STRING(piece, at)
        end = rest.end() if rest else at
        self._keep(piece[at : end + 1])
        if end < len(piece):
            self._is_escaped = piece[end : end + 1] == b"\\"
            self._is_in_string = self._is_escaped
        return end + 1

    def _to_next_mark(self, piece: bytes, at: int) -> int:
        found = _MARK(piece, at)
        if found is None:
            self._keep(piece[at:])
            return len(piece)
        self._keep(piece[at : found.start()])
        self._take_mark(found[0])
        return found.end()

    def _take_mark(self, mark: bytes) -> None:
        if mark == b'"':
            self._is_in_string = True
            self._keep(mark)
        elif mark in b"{[":
            self._keep(mark if self._depth == 0 else b"null")
            self._depth += 1
        else:
            self._depth -= 1
            self._keep(mark if self._depth == 0 else b"")

    def _keep(self, data: bytes) -> None:
        if self._depth <= 1 and self._size <= _MOST_KEPT_BYTES:
            self._kept.append(data)
            self._size += len(data)
