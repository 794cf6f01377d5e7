"""What an upstream writes outside the protocol, in our log."""

import time
from collections import deque

from genui_core.domain.framing.lines import LineBuffer
from genui_core.ports.event_log import EventLog, Level

_MAX_LINE_BYTES = 8192
_WORD_BYTES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_.~-%"
"""What keys and tokens are written with."""
_MAX_WORD_BYTES = 4096
LAST_WORDS_S = 0.3
"""How long it may take to read what an ended upstream wrote last."""

_LINES_AT_ONCE, _LINES_A_SECOND = 2000, 200
_LAST_LINES = 20


class Allowance:
    """Lets a number through at once, and then so many a second."""

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


class UpstreamLog:
    """Brings what one life of an upstream writes outside the protocol into our log, a line an event.

    Of a flood it logs the beginning, then a part, the number of dropped lines, and the last lines: an
    upstream that blocks on its standard error answers no request, and logging every line takes seconds.
    """

    def __init__(self, name: str, event_log: EventLog) -> None:
        self.name = name
        self.event_log = event_log
        self._lines = LineBuffer()
        self._allowance = Allowance(_LINES_AT_ONCE, _LINES_A_SECOND)
        self._left_out: deque[bytes] = deque(maxlen=_LAST_LINES)
        self._lines_left_out = 0

    def stderr_sent(self, data: bytes) -> None:
        """Take bytes from its standard error."""
        lines = self._lines.feed(data)
        if self._lines.size > _MAX_LINE_BYTES:
            lines.append(self._part())
        now_s = time.monotonic()
        for line in lines:
            if self._allowance.take(now_s):
                self._left_out.clear()
                self._log(line)
            else:
                self._left_out.append(line)
                self._lines_left_out += 1

    def _part(self) -> bytes:
        """Return the line without an end up to its last word: a secret must not be cut, or it is not found."""
        held = self._lines.take()
        end = len(held.rstrip(_WORD_BYTES))
        if not end or len(held) - end > _MAX_WORD_BYTES:
            return held
        self._lines.feed(held[end:])
        return held[:end]

    def stderr_closed(self) -> None:
        """Handle the end of its standard error."""
        last = [*self._left_out, self._lines.take()]
        self._lines_left_out -= len(self._left_out)
        self._left_out.clear()
        for line in last:
            self._log(line)

    def ended(self, exit_code: int) -> None:
        """Log its end."""
        self.event_log.record(Level.DEBUG, "relay", "upstream_ended", upstream=self.name, exit_code=exit_code)

    def _log(self, line: bytes) -> None:
        if self._lines_left_out:
            lines, self._lines_left_out = self._lines_left_out, 0
            self.event_log.record(
                Level.WARN, "relay", "upstream_stderr_left_out", upstream=self.name, lines=lines
            )
        text = line.decode(errors="replace").rstrip()
        if text:
            self.event_log.record(Level.INFO, "relay", "upstream_stderr", upstream=self.name, text=text)


def log_noise(event_log: EventLog, upstream_name: str, data: bytes) -> None:
    """Log what an upstream wrote in the place of a message."""
    text = data.decode(errors="replace").strip()
    event_log.record(Level.WARN, "relay", "not_a_message", upstream=upstream_name, text=text)
