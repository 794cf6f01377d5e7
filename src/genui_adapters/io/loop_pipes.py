"""Reads and writes pipes on an event loop."""

import contextlib
import os
from collections.abc import Callable, Sequence

from attrs import define, field

from genui_adapters.io.event_loop import EventLoop, read_some


class PausableReader:
    """Reads a descriptor whenever there is something to read, unless it is paused.

    Attributes:
        is_open: Whether it was not stopped yet.

    Args:
        fd: What is read.
        loop: Watches it.
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

    def _read(self) -> None:
        data = read_some(self._fd)
        if data is not None:
            self._take(data)


_MOST_AT_ONCE = 512
"""How many pieces are handed over in one call; systems take twice as many."""
_PAGE_BYTES = 1 << 18
"""More than a page needs. A pipe holds a quarter of it by default."""


@define(eq=False)
class PipeWriter:
    """Writes to a descriptor without ever blocking; keeps what does not fit.

    Attributes:
        broken: Whether the reader has closed the pipe; writes are then dropped.
    """

    fd: int
    loop: EventLoop
    on_drained: Callable[[], None]
    broken: bool = False
    _pending: bytearray = field(factory=bytearray)

    _was_blocking: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Make the descriptor non-blocking."""
        self._was_blocking = os.get_blocking(self.fd)
        os.set_blocking(self.fd, False)

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
