"""A loop with threads that read and write, for files and for systems without `select.poll`."""

import contextlib
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from genui_adapters.io.descriptor_loop import (
    READ_BYTES,
    PausableReader,
    PipeWriter,
    Schedule,
    Step,
    Timers,
    handled,
    read_some,
)
from genui_adapters.io.loop_upstream import LAST_OUTPUT_S, Streams

_RETRY_S = 0.001
"""How long to wait before a retry, if another process has made a descriptor non-blocking."""


class ThreadLoop:
    """Calls functions one after the other, in the thread that runs it, and watches no descriptor."""

    def __init__(self) -> None:
        self._schedule = Schedule()
        self._changed = queue.SimpleQueue[None]()  # a signal's handler may use it at any time
        self._is_stopped = False

    def run(self) -> None:
        """Run until a function stops the loop."""
        while not self._is_stopped:
            with contextlib.suppress(queue.Empty):
                self._changed.get(timeout=self._schedule.run(blocking=False))

    def stop(self) -> None:
        """Stop the loop after the present function; a loop that does not run yet ends at once."""
        self._is_stopped = True
        self.call_soon_threadsafe(lambda: None)

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def call_later(self, delay: float, callback: Step) -> Step:
        """Call a function after some seconds; return a function that cancels the call. For any thread."""
        cancel = self._schedule.add(delay, callback)
        self._changed.put(None)
        return cancel

    def call_soon_threadsafe(self, callback: Step) -> None:
        """Call a function soon. May be called from any thread."""
        self.call_later(0, callback)

    @contextlib.contextmanager
    def on_signals(self, numbers: Iterable[signal.Signals], callback: Step) -> Iterator[None]:
        """Call a function at each of these signals inside the context. Main thread only."""
        with handled(numbers, lambda: self.call_later(0, callback)):
            yield


class ThreadReader(PausableReader):
    """Reads a copy of a descriptor in a thread. The loop takes the data before the thread reads more."""

    def __init__(self, fd: int, timers: Timers, take: Callable[[bytes], None]) -> None:
        self._fd, self._timers, self._take = os.dup(fd), timers, take
        self.is_open, self._is_paused = True, False
        self._may_read = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name=f"reader-{fd}")
        self._thread.start()

    def pause(self) -> None:
        """Stop reading until `resume`."""
        self._is_paused = True

    def resume(self) -> None:
        """Continue to read."""
        self._is_paused = False
        self._may_read.set()

    def stop(self) -> None:
        """Take no more data; the thread ends after its next read."""
        self.is_open = False
        self._may_read.set()

    def finish(self, then: Step) -> None:
        """Call a function after a time in which the remaining data is read."""
        self._timers.call_later(LAST_OUTPUT_S, then)

    def _run(self) -> None:
        for data in _chunks(self._fd):
            self._deliver(data)
            if not self.is_open:
                break
        else:
            self._deliver(b"")
        os.close(self._fd)

    def _deliver(self, data: bytes) -> None:
        self._may_read.clear()
        with contextlib.suppress(RuntimeError):  # the loop may have ended before
            self._timers.call_soon_threadsafe(partial(self._take_in_loop, data))
            self._may_read.wait()

    def _take_in_loop(self, data: bytes) -> None:
        if self.is_open:
            self._take(data)
        if not self._is_paused:
            self._may_read.set()


class ThreadLogReader(ThreadReader):
    """A reader that takes the data in its own thread, without the loop, up to the end."""

    def stop(self) -> None:
        """Do nothing: the thread ends at the end of the data."""

    def rest(self) -> Iterator[bytes]:
        """Give the thread a moment to take the remaining data; yield nothing."""
        self._thread.join(LAST_OUTPUT_S)
        return iter(())

    def _deliver(self, data: bytes) -> None:
        if data:  # at the end there is nothing to stop, and the thread may run before its reader is stored
            self._take(data)


class ThreadWriter(PipeWriter):
    """Writes to a copy of a descriptor in a thread, which alone closes it."""

    def __init__(self, fd: int, timers: Timers, on_drained: Callable[[], None]) -> None:
        """Start the thread."""
        self.fd, self._timers, self.on_drained = os.dup(fd), timers, on_drained
        self.broken = False
        self._pending = bytearray()
        self._changed = threading.Condition()
        threading.Thread(target=self._run, daemon=True, name=f"writer-{fd}").start()

    def restore(self) -> None:
        """Write nothing more; the thread ends after the present write."""
        with self._changed:
            self.broken = True
            self._changed.notify()

    def write(self, pieces: list[bytes]) -> bool:
        """Queue the pieces for the thread, and empty the list. Return False: they are not written yet."""
        with self._changed:
            self._pending += b"" if self.broken else b"".join(pieces)
            self._changed.notify()
        pieces.clear()
        return False

    def _run(self) -> None:
        while data := self._next_piece():
            try:
                written = os.write(self.fd, data)
            except BlockingIOError:
                time.sleep(_RETRY_S)
                continue
            except OSError:
                self.broken, written = True, 0
            self._drop_written(written)
        os.close(self.fd)

    def _next_piece(self) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self.broken)
            return b"" if self.broken else bytes(self._pending[:READ_BYTES])

    def _drop_written(self, written: int) -> None:
        with self._changed:
            del self._pending[: None if self.broken else written]
            if self._pending:
                return
        with contextlib.suppress(RuntimeError):  # the loop may have ended before
            self._timers.call_soon_threadsafe(self.on_drained)


def _chunks(fd: int) -> Iterator[bytes]:
    """Yield the data of a descriptor until its end."""
    while (data := read_some(fd)) != b"":
        if data is None:
            time.sleep(_RETRY_S)
        else:
            yield data


def threaded_streams(timers: Timers) -> Streams:
    """Return the constructors for pipes that are served by one thread each."""
    return Streams(
        lambda fd, take: ThreadReader(fd, timers, take),
        lambda fd, take: ThreadLogReader(fd, timers, take),
        lambda fd, on_drained: ThreadWriter(fd, timers, on_drained),
    )
