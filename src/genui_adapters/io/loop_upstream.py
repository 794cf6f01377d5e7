"""A running upstream on an event loop: its pipes, and what it writes outside the protocol, in our log."""

import contextlib
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from attrs import define, field

from genui_adapters.io.descriptor_loop import EventLoop, PausableReader, PipeWriter, Timers
from genui_adapters.io.process import UpstreamProcess
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


Reading = Callable[[int, Callable[[bytes], None]], PausableReader]


class Streams(NamedTuple):
    """How the pipes of a loop are read and written."""

    reader: Reading
    log_reader: Reading
    writer: Callable[[int, Callable[[], None]], PipeWriter]


def watched(loop: EventLoop) -> Streams:
    """Have a loop watch the pipes."""

    def reader(fd: int, take: Callable[[bytes], None]) -> PausableReader:
        return PausableReader(fd, loop, take)

    return Streams(reader, reader, lambda fd, on_drained: PipeWriter(fd, loop, on_drained))


@define(eq=False)
class LoopUpstream:
    """A running upstream, whose pipes are served on a loop."""

    process: UpstreamProcess
    _log: UpstreamLog
    _loop: Timers
    on_output: Callable[[bytes], None]
    on_end: Callable[["LoopUpstream"], None]
    on_drained: Callable[[], None]
    _streams: Streams
    writer: PipeWriter = field(init=False)
    output: PausableReader = field(init=False)
    _log_output: PausableReader = field(init=False)
    _is_deaf: bool = False

    def __attrs_post_init__(self) -> None:
        """Watch its output, its log and its end."""
        streams, process = self._streams, self.process
        self.writer = streams.writer(process.stdin_fd, self._drained)
        self.output = streams.reader(process.stdout_fd, self._read_output)
        self._log_output = streams.log_reader(process.stderr_fd, self._read_log)
        self.process.on_end(self._process_ended)

    def write(self, pieces: list[bytes]) -> bool:
        """Write to it, or keep what does not fit now; say whether all was written.

        One that reads no more has ended, once its last words are read.
        """
        is_written = self.writer.write(pieces)
        if not is_written:
            self._note_deafness()
        return is_written

    def close_input(self) -> None:
        """Tell it that nothing more will come."""
        self._is_deaf = self.writer.broken = True
        self.writer.restore()
        self.process.close_stdin()

    def detach(self) -> None:
        """Watch it no longer."""
        self.output.stop()
        self._log_output.stop()
        self.writer.restore()

    def end(self) -> int:
        """End it and log its last words; blocks, and may be called from another thread once it is detached."""
        exit_code = self.process.end()
        for data in self._log_output.rest():
            self._log.stderr_sent(data)
        self._log.stderr_closed()
        self._log.ended(exit_code)
        self.process.close()
        return exit_code

    def _drained(self) -> None:
        self._note_deafness()
        self.on_drained()

    def _note_deafness(self) -> None:
        if self.writer.broken and not self._is_deaf:
            self._is_deaf = True
            self._loop.call_later(LAST_WORDS_S, self._finish_reading)

    def _read_output(self, data: bytes) -> None:
        if data:
            self.on_output(data)
        else:
            self._finished()

    def _read_log(self, data: bytes) -> None:
        if data:
            self._log.stderr_sent(data)
        else:
            self._log_output.stop()

    def _process_ended(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended before it
            self._loop.call_soon_threadsafe(self._finish_reading)

    def _finish_reading(self) -> None:
        """Its end counts even when a child of its own keeps its output open; what it wrote last is read first."""
        if self.output.is_open:
            self.output.finish(self._finished)

    def _finished(self) -> None:
        if self.output.is_open:
            self.output.stop()
            self.on_end(self)
