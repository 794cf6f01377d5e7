"""A running upstream on an event loop: its pipes, and the log of its output outside the protocol."""

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
"""The bytes of which keys and tokens consist."""
_MAX_WORD_BYTES = 4096
LAST_OUTPUT_S = 0.3
"""How long to read the last output of an ended upstream."""

_LINES_AT_ONCE, _LINES_A_SECOND = 2000, 200
_LAST_LINES = 20


class Allowance:
    """A rate limit, which allows a number at once and then so many a second."""

    def __init__(self, most: int, per_s: float) -> None:
        self._most, self._per_s = most, per_s
        self._left: float = most
        self._counted_at_s: float | None = None

    def take(self, now_s: float) -> bool:
        """Use one unit at this monotonic time; return whether one was left."""
        passed_s = 0.0 if self._counted_at_s is None else now_s - self._counted_at_s
        self._left = min(self._most, self._left + passed_s * self._per_s)
        self._counted_at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True


class UpstreamLog:
    """Logs what one process of an upstream writes outside the protocol, one event per line.

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
        """Take bytes from the upstream's standard error."""
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
        """Return the unfinished line up to its last word: a secret that is cut would not be redacted."""
        held = self._lines.take()
        end = len(held.rstrip(_WORD_BYTES))
        if not end or len(held) - end > _MAX_WORD_BYTES:
            return held
        self._lines.feed(held[end:])
        return held[:end]

    def stderr_closed(self) -> None:
        """Log the last lines when the upstream's standard error ends."""
        last = [*self._left_out, self._lines.take()]
        self._lines_left_out -= len(self._left_out)
        self._left_out.clear()
        for line in last:
            self._log(line)

    def ended(self, exit_code: int) -> None:
        """Log the end of the upstream."""
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
    """Log output of an upstream that is no message."""
    text = data.decode(errors="replace").strip()
    event_log.record(Level.WARN, "relay", "not_a_message", upstream=upstream_name, text=text)


Reading = Callable[[int, Callable[[bytes], None]], PausableReader]


class Streams(NamedTuple):
    """The constructors of a loop's readers and writers."""

    reader: Reading
    log_reader: Reading
    writer: Callable[[int, Callable[[], None]], PipeWriter]


def watched_streams(loop: EventLoop) -> Streams:
    """Return the constructors for pipes that the loop itself watches."""

    def reader(fd: int, take: Callable[[bytes], None]) -> PausableReader:
        return PausableReader(fd, loop, take)

    return Streams(reader, reader, lambda fd, on_drained: PipeWriter(fd, loop, on_drained))


@define(eq=False, repr=False)
class LoopUpstream:
    """A running upstream, whose pipes a loop serves."""

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
    _is_input_closed: bool = False

    def __attrs_post_init__(self) -> None:
        """Watch the upstream's output, its log and its end."""
        streams, process = self._streams, self.process
        self.writer = streams.writer(process.stdin_fd, self._drained)
        self.output = streams.reader(process.stdout_fd, self._read_output)
        self._log_output = streams.log_reader(process.stderr_fd, self._read_log)
        self.process.on_end(self._process_ended)

    def write(self, pieces: list[bytes]) -> bool:
        """Write to the upstream, and keep what does not fit; return whether all was written.

        An upstream that has closed its input has ended, once its last output is read.
        """
        is_written = self.writer.write(pieces)
        if not is_written:
            self._note_closed_input()
        return is_written

    def close_input(self) -> None:
        """Close the upstream's input, since no message follows."""
        self._is_input_closed = self.writer.broken = True
        self.writer.restore()
        self.process.close_stdin()

    def detach(self) -> None:
        """Stop watching the upstream."""
        self.output.stop()
        self._log_output.stop()
        self.writer.restore()

    def end(self) -> int:
        """End the upstream and log its last output. Blocks; after `detach`, any thread may call it."""
        exit_code = self.process.end()
        for data in self._log_output.rest():
            self._log.stderr_sent(data)
        self._log.stderr_closed()
        self._log.ended(exit_code)
        self.process.close()
        return exit_code

    def _drained(self) -> None:
        self._note_closed_input()
        self.on_drained()

    def _note_closed_input(self) -> None:
        if self.writer.broken and not self._is_input_closed:
            self._is_input_closed = True
            self._loop.call_later(LAST_OUTPUT_S, self._finish_reading)

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
        """Read the last output and report the end, even if a child of the upstream keeps the output open."""
        if self.output.is_open:
            self.output.finish(self._finished)

    def _finished(self) -> None:
        if self.output.is_open:
            self.output.stop()
            self.on_end(self)
