"""A minimal event loop for the relay, and readers and writers of descriptors on it.

asyncio's loop costs more: its import takes a fifth of the time until the first tools are listed, and
its work around each callback takes as long as a message.
"""

import contextlib
import os
import select
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from sched import scheduler
from typing import TYPE_CHECKING, Literal, Protocol, Union

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

Step = Callable[[], object]


END_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
)
"""The signals that end this process."""


@contextlib.contextmanager
def handled(numbers: Iterable[signal.Signals], step: Step) -> Iterator[None]:
    """Call a function at each of these signals, even inside another function. Main thread only."""
    before = {number: signal.signal(number, lambda *_: step()) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_READ, _WRITE = getattr(select, "POLLIN", 1), getattr(select, "POLLOUT", 4)  # Windows has neither
_WAKE_BYTES = 4096


class Schedule(scheduler):
    """The functions that a loop calls, each at its time."""

    def __init__(self) -> None:
        super().__init__(time.monotonic, lambda _delay_s: None)

    def add(self, delay_s: float, step: Step) -> Step:
        """Add a function to call after some seconds; return a function that cancels the call."""
        event = self.enter(delay_s, 0, step)

        def cancel() -> None:
            with contextlib.suppress(ValueError):  # it was called
                self.cancel(event)

        return cancel


class Timers(Protocol):
    """The methods of a loop that call a function later; asyncio's loops have them too."""

    def call_later(self, delay: float, callback: Step, /) -> object:
        """Call a function after some seconds."""

    def call_soon_threadsafe(self, callback: Step, /) -> object:
        """Call a function soon; may be called from any thread."""


READ_BYTES = 65536


def read_some(fd: int) -> bytes | None:
    """Return the available bytes: none at the end of the data, or None if there is no data yet."""
    try:
        return os.read(fd, READ_BYTES)
    except BlockingIOError:
        return None
    except OSError:
        return b""


class _Watched:
    """The callbacks of one descriptor. A removed callback is not called, even if it was due."""

    __slots__ = ("read", "write")

    def __init__(self) -> None:
        self.read: Step | None = None
        self.write: Step | None = None

    @property
    def events(self) -> int:
        return (_READ if self.read else 0) | (_WRITE if self.write else 0)


class DescriptorLoop:
    """Calls functions one after the other, in the thread that runs it. An error of one ends the run."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._watched: dict[int, _Watched] = {}
        self._schedule = Schedule()
        self._posted: deque[Step] = deque()
        self._is_stopped = self._is_closed = False
        self._closing = threading.Lock()
        self._woken_fd, self._wake_fd = os.pipe()
        for fd in (self._woken_fd, self._wake_fd):
            os.set_blocking(fd, False)
        self.add_reader(self._woken_fd, self._take_posted)

    def run(self) -> None:
        """Run until a function stops the loop."""
        idle_s: float | None = 0.0
        while not self._is_stopped:
            # One callback may close a descriptor, and the system may reuse its number before its turn comes.
            polled = self._poll.poll(None if idle_s is None else idle_s * 1000)
            ready = [(self._watched[fd], events) for fd, events in polled]
            for watched, events in ready:
                if events & ~_WRITE and watched.read is not None:  # an end, or a fault, concerns both
                    watched.read()
                if events & ~_READ and watched.write is not None:
                    watched.write()
            idle_s = self._schedule.run(blocking=False)

    def stop(self) -> None:
        """Stop the loop after the present function; a loop that does not run yet ends at once."""
        self._is_stopped = True
        self.call_soon_threadsafe(lambda: None)

    def close(self) -> None:
        """Close the loop. A function that is posted later is not called."""
        with self._closing:
            self._is_closed = True
            os.close(self._woken_fd)
            os.close(self._wake_fd)

    # --- descriptors --------------------------------------------------------------------

    def add_reader(self, fd: int, callback: Step) -> None:
        """Call a function whenever a descriptor has data or its end to read."""
        self._watch(fd, "read", callback)

    def remove_reader(self, fd: int) -> None:
        """Stop watching a descriptor for this, if it is watched."""
        self._watch(fd, "read", None)

    def add_writer(self, fd: int, callback: Step) -> None:
        """Call a function whenever a descriptor can be written, or its reader has closed it."""
        self._watch(fd, "write", callback)

    def remove_writer(self, fd: int) -> None:
        """Stop watching a descriptor for this, if it is watched."""
        self._watch(fd, "write", None)

    def _watch(self, fd: int, way: Literal["read", "write"], step: Step | None) -> None:
        watched = self._watched.get(fd) or _Watched()
        setattr(watched, way, step)
        if watched.events:
            self._watched[fd] = watched
            self._poll.register(fd, watched.events)
        elif self._watched.pop(fd, None) is not None:
            self._poll.unregister(fd)

    # --- time, other threads, signals ---------------------------------------------------

    def call_later(self, delay: float, callback: Step) -> Step:
        """Call a function after some seconds; return a function that cancels the call."""
        return self._schedule.add(delay, callback)

    def call_soon_threadsafe(self, callback: Step) -> None:
        """Call a function soon. May be called from any thread; does nothing after the loop was closed."""
        with self._closing:
            if not self._is_closed:
                self._post(callback)

    @contextlib.contextmanager
    def on_signals(self, numbers: Iterable[signal.Signals], callback: Step) -> Iterator[None]:
        """Call a function at each of these signals inside the context. Main thread only."""
        with handled(numbers, lambda: self._post(callback)):
            waker = signal.set_wakeup_fd(self._wake_fd, warn_on_full_buffer=False)
            try:
                yield
            finally:
                signal.set_wakeup_fd(waker)

    def _post(self, callback: Step) -> None:
        self._posted.append(callback)
        with contextlib.suppress(BlockingIOError):  # a full pipe wakes the loop too
            os.write(self._wake_fd, b"\0")

    def _take_posted(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._woken_fd, _WAKE_BYTES)
        for _ in range(len(self._posted)):
            self._posted.popleft()()


EventLoop = Union[DescriptorLoop, "AbstractEventLoop"]
"""A loop that watches pipes."""
_MOST_LAST_READS = 64


class PausableReader:
    """Reads a descriptor whenever it has data, unless the reader is paused.

    Args:
        take: Takes the bytes that were read; empty bytes at the end, repeatedly until `stop`.
    """

    __slots__ = ("_fd", "_is_paused", "_loop", "_take", "is_open")

    def __init__(self, fd: int, loop: EventLoop, take: Callable[[bytes], None]) -> None:
        self._fd, self._loop, self._take = fd, loop, take
        self.is_open, self._is_paused = True, False
        loop.add_reader(fd, self._read)

    def pause(self) -> None:
        """Stop reading until `resume`."""
        if self.is_open and not self._is_paused:
            self._is_paused = True
            self._loop.remove_reader(self._fd)

    def resume(self) -> None:
        """Continue to read."""
        if self._is_paused:
            self._is_paused = False
            self._loop.add_reader(self._fd, self._read)

    def stop(self) -> None:
        """Stop reading for good."""
        if self.is_open:
            self.is_open = self._is_paused = False
            self._loop.remove_reader(self._fd)

    def finish(self, then: Step) -> None:
        """Take the remaining data, then call a function."""
        for data in self.rest():
            self._take(data)
        then()

    def rest(self) -> Iterator[bytes]:
        """Yield the remaining data of an ended process; blocks for a moment at most."""
        os.set_blocking(self._fd, False)
        for _ in range(_MOST_LAST_READS):  # a child that survived may go on writing
            data = read_some(self._fd)
            if not data:
                return
            yield data

    def _read(self) -> None:
        data = read_some(self._fd)
        if data is not None:
            self._take(data)


_MOST_AT_ONCE = 512
"""How many pieces one system call gets; systems take twice as many."""
_PAGE_BYTES = 1 << 18
"""More than a view's page needs. A pipe holds a quarter of it by default."""
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
        self._was_blocking, self._is_restored = os.get_blocking(fd), False
        os.set_blocking(fd, False)

    def widen(self) -> None:
        """Enlarge the pipe to hold a whole page, where the system allows it, so that neither side waits."""
        with contextlib.suppress(ImportError, AttributeError, OSError):
            import fcntl  # noqa: PLC0415 -- not on every system

            fcntl.fcntl(self.fd, fcntl.F_SETPIPE_SZ, _PAGE_BYTES)

    def restore(self) -> None:
        """Restore the descriptor's blocking mode, once: after it was closed, its number may be another's."""
        if not self._is_restored:
            self._is_restored = True
            self.loop.remove_writer(self.fd)
            with contextlib.suppress(OSError):
                os.set_blocking(self.fd, self._was_blocking)

    @property
    def pending_bytes(self) -> int:
        """How many bytes wait to be written."""
        return len(self._pending)

    @property
    def is_full(self) -> bool:
        """Whether so much waits that its source should pause."""
        return len(self._pending) > _MOST_PENDING_BYTES

    def write(self, pieces: list[bytes]) -> bool:
        """Write the pieces, keep what does not fit, and empty the list. Return whether all was written."""
        if self.broken or self._pending:
            self._pending += b"" if self.broken else b"".join(pieces)
            pieces.clear()
            return False
        size, written = sum(map(len, pieces)), self._try(pieces)
        if written < size and not self.broken:
            left = written
            for each in pieces:
                self._pending += memoryview(each)[left:]
                left = max(0, left - len(each))
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
