"""Messages out of an upstream's standard output, whatever else it writes there."""

import re

from attrs import define, field

from genui_adapters.upstream.link import Inbox
from genui_adapters.upstream.message import decoded
from genui_core.domain.framing.lines import LineBuffer
from genui_core.errors import UpstreamFailed
from genui_core.ports.event_log import EventLog, Level

_EDGE_BYTES = 200
"""As much of a line that is too long is looked at, at either end, for whose answer it is."""
_ID_FIRST = re.compile(rb'\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\b')
_ID_LAST = re.compile(rb'"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')


@define(eq=False)
class MessageLines:
    """Hands in the lines that are messages; the others go into the event log.

    A line that is too long is let go while it comes, and the request it would have answered fails.
    """

    inbox: Inbox
    event_log: EventLog
    upstream_name: str
    max_line_bytes: int
    _lines: LineBuffer = field(factory=LineBuffer)
    _tail: bytes | None = None

    def feed(self, data: bytes) -> None:
        """Take bytes."""
        if self._tail is not None:
            data = self._skip(self._tail + data)
        for line in self._lines.feed(data):
            self._line(line)
        if self._lines.size > self.max_line_bytes:
            self._refuse(self._lines.take())

    def _line(self, line: bytes) -> None:
        if line.isspace() or self.inbox.answered(line):
            return
        try:
            messages = decoded(line)
        except ValueError:
            text = line.decode(errors="replace").strip()
            self.event_log.record(
                Level.WARN, "relay", "not_a_message", upstream=self.upstream_name, text=text
            )
        else:
            for message in messages:
                self.inbox.arrived(message)

    def _refuse(self, beginning: bytes) -> None:
        limit = self.max_line_bytes
        self.event_log.record(
            Level.WARN, "relay", "line_too_long", upstream=self.upstream_name, limit_bytes=limit
        )
        self._fail(_ID_FIRST.match(beginning[:_EDGE_BYTES]))
        self._tail = beginning[-_EDGE_BYTES:]

    def _skip(self, data: bytes) -> bytes:
        """Let the rest of the line go; return what follows it."""
        line, newline, rest = data.partition(b"\n")
        if not newline:
            self._tail = line[-_EDGE_BYTES:]
            return b""
        self._fail(_ID_LAST.search(line[-_EDGE_BYTES:]))
        self._tail = None
        return rest

    def _fail(self, found: re.Match[bytes] | None) -> None:
        if found is not None:
            text = (
                f"The upstream's answer is longer than {self.max_line_bytes} bytes (upstream.maxLineBytes)."
            )
            self.inbox.failed(int(found[1]), UpstreamFailed({"code": -32000, "message": text}))
