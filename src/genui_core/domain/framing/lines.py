"""Splits a stream into lines, peeks at lines without parsing, and forwards long lines between other lines."""

import json
import re
from typing import Literal, NamedTuple

from genui_core.domain.mcp.json_text import members
from genui_core.domain.mcp.jsonrpc import PARSE_DEPTH_ERRORS, RequestId
from genui_core.domain.mcp.results import VerbatimResult


class LineBuffer:
    """Collects chunks and returns whole lines, each with its newline.

    Attributes:
        size: The number of bytes of the unfinished line in the buffer.
    """

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self.size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Add a chunk and return the lines that it completes."""
        end = data.rfind(b"\n") + 1
        if not end:
            self._keep(data)
            return []
        complete = (self._chunks and b"".join((*self._chunks, data[:end]))) or data[:end]
        self._chunks.clear()
        self.size = 0
        self._keep(data[end:])
        if complete.find(b"\n") == len(complete) - 1:
            return [complete]
        return [line + b"\n" for line in complete[:-1].split(b"\n")]

    def take(self) -> bytes:
        """Remove the unfinished line from the buffer and return its bytes so far."""
        held = b"".join(self._chunks)
        self._chunks.clear()
        self.size = 0
        return held

    def peek(self, most: int) -> bytes:
        """Return at most this many bytes from the beginning of the unfinished line, which stays."""
        start = b""
        for chunk in self._chunks:
            start += chunk[:most]
            if len(start) >= most:
                break
        return start[:most]

    def _keep(self, data: bytes) -> None:
        if data:
            self._chunks.append(data)
            self.size += len(data)


Kind = Literal["answer", "request", "notification"]


class Peek(NamedTuple):
    """The kind of message in a line, with its id and method.

    Attributes:
        request_id: The id in the line; None in a notification, or if the id has no valid type.
    """

    kind: Kind
    request_id: RequestId | None
    method: str = ""


END_BYTES = 512
"""How many bytes to peek at from each end of a line, and to keep of a line too long to keep whole."""

_ID = rb'(-?\d{1,18}(?![\d.eE])|"[^"\\\x00-\x1f]{0,256}")'
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"'
_HEAD = re.compile(
    rb'\s*\{\s*(?:%b\s*,\s*)?(?:"id"\s*:\s*%b\s*,\s*(?:%b\s*,\s*)?)?'
    rb'"(?:result"|error"|method"\s*:\s*"([^"\\\x00-\x1f]*)")' % (_VERSION, _ID, _VERSION)
).match
_TAIL = re.compile(
    rb',\s*(?:%b\s*,\s*)?"id"\s*:\s*%b\s*(?:,\s*%b\s*)?\}\s*$' % (_VERSION, _ID, _VERSION)
).search
CLOSED = (b"}\n", b"}\r\n", b"}")

_PLAIN_ANSWERS = re.compile(
    rb'^(?:\{"jsonrpc": ?"2\.0", ?"id": ?(\d{1,15}), ?"(?:result|error)":[^\n]*\}'
    rb'|\{"(?:result|error)":[^\n]*, ?"jsonrpc": ?"2\.0", ?"id": ?(\d{1,15})\})\n',
    re.MULTILINE,
).findall
_SHORT_LINE_BYTES = 1024

_MARKS = frozenset(("jsonrpc", "method", "result", "error"))
"""The keys that distinguish a JSON-RPC message from other JSON: a message has at least one."""


def plain_answers(data: bytes) -> list[int]:
    """Return the ids in a chunk of whole, short lines, if each is an answer as most servers write it.

    Returns no ids for any other chunk: this is the fast path for the most common traffic.
    """
    lines = data.count(b"\n")
    if not data.endswith(b"}\n") or len(data) > lines * _SHORT_LINE_BYTES:
        return []
    found = _PLAIN_ANSWERS(data)
    return [int(first or last) for first, last in found] if len(found) == lines else []


def peek(line: bytes) -> Peek | None:
    """Return the kind, id and method of a whole line, or None if its ends do not show them."""
    return peek_at_ends(line, line)


def peek_at_ends(head: bytes, tail: bytes) -> Peek | None:
    """Return the kind, id and method of a line by its ends, or None if they do not show them."""
    found = _HEAD(head)
    if found is None or not tail.endswith(CLOSED):
        return None
    raw_id, raw_method = found.groups()
    try:
        method = "" if raw_method is None else raw_method.decode()
        if raw_id is None and method.startswith("notifications/"):
            return Peek("notification", None, method)
        at_end = _TAIL(tail, max(0, len(tail) - END_BYTES)) if raw_id is None else None
        raw_id = raw_id or (at_end[1] if at_end is not None else b"")
        request_id = str(json.loads(raw_id)) if raw_id[:1] == b'"' else int(raw_id)
    except ValueError:
        return None
    return Peek("answer" if raw_method is None else "request", request_id, method)


def answers_by_head(head: bytes) -> RequestId | None:
    """Return the id that a line answers, by its head alone; None if the head does not show it."""
    seen = peek_at_ends(head[:END_BYTES], b"}")
    return seen.request_id if seen is not None and seen.kind == "answer" else None


def answers_by_tail(head: bytes) -> bool:
    """Whether a line with this head is an answer whose id comes after its result."""
    found = _HEAD(head)
    return found is not None and found.groups() == (None, None)


_RESULT_HEAD = re.compile(rb'\{"jsonrpc": ?"2\.0", ?"id": ?(\d{1,15}), ?"result": ?\{').match
_RESULT_TAIL = re.compile(rb', ?"jsonrpc": ?"2\.0", ?"id": ?(\d{1,15})\}\r?\n?$').search
_BOTH_CLOSED = (b"}}\n", b"}}\r\n", b"}}")


def result_in(line: bytes) -> tuple[int, VerbatimResult] | None:
    """Return the id that a line answers and its result, if the ends of the line show both; else None."""
    found = _RESULT_HEAD(line) if line.endswith(_BOTH_CLOSED) else None
    if found is None and line.startswith((b'{"result":{', b'{"result": {')) and line.endswith(CLOSED):
        found = _RESULT_TAIL(line, max(0, len(line) - END_BYTES))
    if found is None or line.find(b"\r", 0, -2) >= 0:
        return None
    if not line.isascii():
        try:
            line.decode()
        except UnicodeDecodeError:
            return None
    is_first = found.start() == 0
    span = (found.end() - 1, line.rindex(b"}")) if is_first else (line.index(b"{", 1), found.start())
    return int(found[1]), VerbatimResult(line, found.span(1), span)


def peek_by_parsing(text: str) -> Peek | None:
    """Return the kind, id and method of a JSON text by parsing it; None if it is no JSON-RPC message.

    Raises:
        ValueError: It is not JSON.
        RecursionError: It is nested deeper than the scanner goes.
    """
    parts = {each.key: each.value for each in members(text)}
    if parts.keys().isdisjoint(_MARKS):
        return None
    request_id, method = parts.get("id"), parts.get("method")
    usable = request_id if type(request_id) in (str, int, float) else None
    if "method" not in parts:
        return Peek("answer", usable)  # type: ignore[arg-type]
    kind: Kind = "notification" if usable is None else "request"
    return Peek(kind, usable, method if isinstance(method, str) else "")  # type: ignore[arg-type]


class LongLine:
    """A long line that is forwarded in pieces; it is also kept if it has at most ``most_kept`` bytes.

    Attributes:
        is_dropped: Whether its pieces are dropped instead of forwarded.
    """

    def __init__(self, piece: bytes, *, is_dropped: bool, most_kept: int = 0) -> None:
        self.is_dropped = is_dropped
        self._kept: list[bytes] = []
        self._room = most_kept
        self._keep(piece)
        self._head = piece[:END_BYTES]
        self._tail = piece[-END_BYTES:]
        ends_suffice = peek_at_ends(self._head, b"}") is not None or answers_by_tail(self._head)
        self._outline = None if ends_suffice else Outline(piece)

    def add(self, piece: bytes) -> None:
        """Add the next piece."""
        self._keep(piece)
        if self._outline is not None:
            self._outline.add(piece)
        tail = piece[-END_BYTES:]
        self._tail = tail if len(tail) == END_BYTES else (self._tail + tail)[-END_BYTES:]

    def _keep(self, piece: bytes) -> None:
        self._room -= len(piece)
        if self._room >= 0:
            self._kept.append(piece)
        else:
            self._kept.clear()

    @property
    def line(self) -> bytes:
        """The whole line after its last piece; empty if it has more than ``most_kept`` bytes."""
        return b"".join(self._kept)

    def peek(self) -> Peek | None:
        """Return the kind, id and method of the line after its last piece, or None if unknown."""
        seen = peek_at_ends(self._head, self._tail)
        if seen is not None or self._outline is None:
            return seen
        try:
            return peek_by_parsing(self._outline.text)
        except PARSE_DEPTH_ERRORS:
            return None


class PeerBuffer:
    """The bytes to write to one peer, in order.

    Attributes:
        pieces: The bytes that a driver writes; the driver empties the list.
        line_open: Whether the last piece ends in the middle of a forwarded line.
    """

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.line_open = False
        self._held: list[bytes] = []

    def begin_line(self, data: bytes) -> None:
        """Forward bytes of the other peer that begin a line."""
        self.pieces.append(data)
        self.line_open = not data.endswith(b"\n")

    def continue_line(self, line: LongLine, data: bytes) -> bytes | None:
        """Forward more of a long line; return the bytes after its end, or None while it goes on."""
        end = data.find(b"\n") + 1
        piece = data[:end] if end else data
        line.add(piece)
        if not line.is_dropped:
            self._forward_piece(piece)
        return data[end:] if end else None

    def _forward_piece(self, piece: bytes) -> None:
        """Forward more of the open line; after its end, send the messages that waited for it."""
        self.pieces.append(piece)
        if piece.endswith(b"\n"):
            self.line_open = False
            self.pieces += self._held
            self._held.clear()

    def say(self, *line: bytes) -> None:
        """Send a line from the wrapper, whole or in pieces, as soon as no other line is open."""
        (self._held if self.line_open else self.pieces).extend(line)

    def cut(self) -> None:
        """End an open line where it is: its sender sends no more of it."""
        if self.line_open:
            self._forward_piece(b"\n")

    def clear(self) -> None:
        """Drop all bytes that wait to be written: the peer is gone."""
        self.pieces.clear()
        self._held.clear()
        self.line_open = False


_REST_OF_STRING = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL).match
_MARK = re.compile(rb'["{}\[\]]').search
_MOST_KEPT_BYTES = 1 << 16


class Outline:
    """The outermost object of a JSON text, fed in pieces, with ``null`` for each nested object or array.

    The outline of a broken text, and one of more than 64 KiB, is no valid JSON.
    """

    def __init__(self, piece: bytes = b"") -> None:
        self._kept: list[bytes] = []
        self._size = self._depth = 0
        self._is_in_string = self._is_escaped = False
        self.add(piece)

    @property
    def text(self) -> str:
        """The outline as JSON text, after the last piece."""
        return b"".join(self._kept).decode(errors="replace")

    def add(self, piece: bytes) -> None:
        """Add the next piece."""
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
