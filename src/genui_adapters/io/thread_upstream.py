"""A running upstream whose streams are read and written by threads, and the threads that write and keep time."""

import contextlib
import heapq
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count

from attrs import define, field

from genui_adapters.io.descriptor_loop import read_some
from genui_adapters.io.process import UpstreamProcess
from genui_adapters.io.upstream_log import LAST_WORDS_S, UpstreamLog

Step = Callable[[], None]

_MAX_PENDING_BYTES = 1 << 20


class Alarm:
    """Runs steps when they are due, one after the other, in a thread of its own."""

    def __init__(self, take: Callable[[Step], None]) -> None:
        self._take = take
        self._due: list[tuple[float, int, Step]] = []
        self._numbers = count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def after(self, delay_s: float, step: Step) -> None:
        """Call a function after some seconds."""
        with self._changed:
            heapq.heappush(self._due, (time.monotonic() + delay_s, next(self._numbers), step))
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="alarm")
                self._thread.start()

    def _run(self) -> None:
        while True:
            self._take(self._next_step())

    def _next_step(self) -> Step:
        with self._changed:
            while not self._due or (wait_s := self._due[0][0] - time.monotonic()) > 0:
                self._changed.wait(wait_s if self._due else None)
            return heapq.heappop(self._due)[2]


class WriterThread:
    """Writes pieces to a descriptor, in order.

    `put` never waits for the reader at the other end; `wait_for_room` does.

    Attributes:
        owns_fd: Whether the descriptor is closed when the thread ends. No other code may
            close it: the system could reuse its number while this thread still writes to it.
        broken: Whether the reader has closed the descriptor; writes are then dropped.
    """

    def __init__(
        self, fd: int, *, owns_fd: bool = False, on_broken: Callable[[], None] = lambda: None
    ) -> None:
        """Start the thread."""
        self.fd = fd
        self.owns_fd = owns_fd
        self.on_broken = on_broken
        self.broken = False
        self._pending: deque[bytes] = deque()
        self._pending_bytes = 0
        self._ending = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, daemon=True, name=f"writer-{self.fd}")
        self._thread.start()

    def put(self, pieces: list[bytes]) -> None:
        """Queue pieces; empties the list."""
        if pieces:
            with self._changed:
                self._pending += pieces
                self._pending_bytes += sum(map(len, pieces))
                self._changed.notify_all()
            pieces.clear()

    def wait_for_room(self) -> None:
        """Wait until at most 1 MiB is pending."""
        with self._changed:
            self._changed.wait_for(lambda: self.broken or self._pending_bytes <= _MAX_PENDING_BYTES)

    def end(self, timeout_s: float | None = None) -> None:
        """Write what is queued, and end; wait for the end at most ``timeout_s``."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        self._thread.join(timeout_s)

    def abandon(self) -> None:
        """Write nothing more, and end after the write that is under way."""
        with self._changed:
            self.broken = self._ending = True
            self._changed.notify_all()

    def _run(self) -> None:
        while piece := self._next_piece():
            self._write_all(piece)
            with self._changed:
                self._pending_bytes -= len(piece)
                self._changed.notify_all()
        if self.owns_fd:
            with contextlib.suppress(OSError):
                os.close(self.fd)

    def _next_piece(self) -> bytes | None:
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._ending)
            return self._pending.popleft() if self._pending else None

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view and not self.broken:
            try:
                view = view[os.write(self.fd, view) :]
            except BlockingIOError:
                threading.Event().wait(0.001)  # another process made the descriptor non-blocking
            except OSError:
                self.broken = True
                self.on_broken()


@define(eq=False)
class ThreadUpstream:
    """A running upstream, and a thread for each of its streams.

    Each thread works on a copy of the descriptor, which it alone closes.
    """

    process: UpstreamProcess
    _log: UpstreamLog
    guarded: Callable[[Callable[[], None]], None]
    on_output: Callable[["ThreadUpstream", bytes], None]
    on_end: Callable[["ThreadUpstream"], None]
    on_exit: Callable[["ThreadUpstream"], None]
    writer: WriterThread = field(init=False)
    _log_reader: threading.Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Copy the descriptors and start the threads."""
        self.writer = WriterThread(
            os.dup(self.process.stdin_fd), owns_fd=True, on_broken=lambda: self.on_exit(self)
        )
        self.process.close_stdin()
        output, log = os.dup(self.process.stdout_fd), os.dup(self.process.stderr_fd)
        self._thread("read-upstream", lambda: self._read_output(output))
        self._log_reader = self._thread("read-log", lambda: self._read_log(log))
        self.process.on_end(lambda: self.on_exit(self))

    def close_input(self) -> None:
        """Close its input, when what is queued was written."""
        self._thread("close-input", self.writer.end)

    def detach(self) -> None:
        """Do nothing: the threads end with the process, and the driver drops what they still read."""

    def end(self) -> int:
        """End the process, and wait until its standard error is logged; blocks."""
        self.writer.abandon()
        exit_code = self.process.end()
        self._log_reader.join(LAST_WORDS_S)
        self._log.ended(exit_code)
        self.process.close()
        return exit_code

    def _read_output(self, fd: int) -> None:
        for data in chunks(fd):
            self.on_output(self, data)
        self.on_end(self)

    def _read_log(self, fd: int) -> None:
        for data in chunks(fd):
            self._log.stderr_sent(data)
        self._log.stderr_closed()

    def _thread(self, name: str, body: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=self.guarded, args=(body,), daemon=True, name=name)
        thread.start()
        return thread


def chunks(fd: int, *, owns_fd: bool = True) -> Iterator[bytes]:
    """Yield what is read from a descriptor until its end, and then close it if ``owns_fd``."""
    while (data := read_some(fd)) != b"":
        if data is None:
            threading.Event().wait(0.001)  # another process made the descriptor non-blocking
        else:
            yield data
    if owns_fd:
        with contextlib.suppress(OSError):
            os.close(fd)
