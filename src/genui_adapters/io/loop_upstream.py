"""A running upstream on an event loop, with its pipes."""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from attrs import define, field

from genui_adapters.io.descriptor_loop import EventLoop, Step, Timers, read_some
from genui_adapters.io.process import UpstreamProcess
from genui_adapters.io.upstream_log import LAST_WORDS_S, UpstreamLog

_MOST_LAST_READS = 64


class PausableReader:
    """Reads a descriptor whenever there is something to read, unless it is paused.

    Args:
        take: Takes what was read; nothing at the end, and again until the reader is stopped.
    """

    __slots__ = ("_fd", "_is_paused", "_loop", "_take", "is_open")

    def __init__(self, fd: int, loop: EventLoop, take: Callable[[bytes], None]) -> None:
        self._fd, self._loop, self._take = fd, loop, take
        self.is_open, self._is_paused = True, False
        loop.add_reader(fd, self._read)

    def pause(self) -> None:
        """Read nothing for now."""
        if self.is_open and not self._is_paused:
            self._is_paused = True
            self._loop.remove_reader(self._fd)

    def resume(self) -> None:
        """Read on."""
        if self._is_paused:
            self._is_paused = False
            self._loop.add_reader(self._fd, self._read)

    def stop(self) -> None:
        """Read nothing any more."""
        if self.is_open:
            self.is_open = self._is_paused = False
            self._loop.remove_reader(self._fd)

    def finish(self, then: Step) -> None:
        """Take what is left, and then call a function."""
        for data in self.rest():
            self._take(data)
        then()

    def rest(self) -> Iterator[bytes]:
        """Yield what is left of an ended process; blocks for a moment at most."""
        os.set_blocking(self._fd, False)
        for _ in range(_MOST_LAST_READS):  # a child that got away may go on writing
            data = read_some(self._fd)
            if not data:
                return
            yield data

    def _read(self) -> None:
        data = read_some(self._fd)
        if data is not None:
            self._take(data)


_MOST_AT_ONCE = 512
"""How many pieces are handed over in one call; systems take twice as many."""
_PAGE_BYTES = 1 << 18
"""More than a page needs. A pipe holds a quarter of it by default."""
_MOST_PENDING_BYTES = 1 << 20


class PipeWriter:
    """Writes to a descriptor without ever blocking; keeps what does not fit.

    Attributes:
        broken: Whether the reader has closed the pipe; writes are then dropped.
    """

    def __init__(self, fd: int, loop: EventLoop, on_drained: Callable[[], None]) -> None:
        """Make the descriptor non-blocking."""
        self.fd = fd
        self.loop = loop
        self.on_drained = on_drained
        self.broken = False
        self._pending = bytearray()
        self._was_blocking = os.get_blocking(fd)
        os.set_blocking(fd, False)

    def widen(self) -> None:
        """Have the pipe hold a page at once, where the system lets us, so that neither side waits for the other."""
        with contextlib.suppress(ImportError, AttributeError, OSError):
            import fcntl  # noqa: PLC0415 -- not everywhere

            fcntl.fcntl(self.fd, fcntl.F_SETPIPE_SZ, _PAGE_BYTES)

    def restore(self) -> None:
        """Leave the descriptor as it was found."""
        self.loop.remove_writer(self.fd)
        with contextlib.suppress(OSError):
            os.set_blocking(self.fd, self._was_blocking)

    @property
    def pending_bytes(self) -> int:
        """How much waits to be written."""
        return len(self._pending)

    @property
    def is_full(self) -> bool:
        """Whether so much waits that what feeds the pipe should wait too."""
        return len(self._pending) > _MOST_PENDING_BYTES

    def write(self, pieces: list[bytes]) -> bool:
        """Write the pieces, or keep what does not fit now; the list is emptied. Say whether all was written."""
        if self.broken or self._pending:
            self._pending += b"" if self.broken else b"".join(pieces)
            pieces.clear()
            return False
        size, written = sum(map(len, pieces)), self._try(pieces)
        if written < size and not self.broken:
            self._pending += memoryview(b"".join(pieces))[written:]
            self.loop.add_writer(self.fd, self._write_pending)
        pieces.clear()
        return written == size

    def _write_pending(self) -> None:
        del self._pending[: self._try([self._pending])]
        if self.broken:
            self._pending.clear()
        if not self._pending:
            self.loop.remove_writer(self.fd)
            self.on_drained()

    def _try(self, pieces: Sequence[bytes | bytearray]) -> int:
        try:
            if len(pieces) == 1:
                return os.write(self.fd, pieces[0])
            return os.writev(self.fd, pieces[:_MOST_AT_ONCE])
        except BlockingIOError:
            return 0
        except OSError:
            self.broken = True
            return 0


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
            self.on_end(self)

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
            self.on_end(self)
