"""Writing to a pipe from a thread of its own."""

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable

from attrs import define, field

_MAX_PENDING_BYTES = 1 << 20


@define(eq=False)
class WriterThread:
    """Writes pieces to a descriptor in the order they were handed in.

    Who hands in never waits for the reader at the other end; `wait_for_room` does, where it may.

    Attributes:
        fd: Where to write.
        owns_fd: Whether the descriptor is closed when the thread ends. No other code may
            close it: the system could reuse its number while this thread still writes to it.
        on_broken: Called when the reader has closed the descriptor.
        broken: Whether the reader has closed the descriptor; writes are then dropped.
    """

    fd: int
    owns_fd: bool = False
    on_broken: Callable[[], None] = lambda: None
    broken: bool = False
    _pending: deque[bytes] = field(factory=deque)
    _pending_bytes: int = 0
    _ending: bool = False
    _changed: threading.Condition = field(factory=threading.Condition)
    _thread: threading.Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, daemon=True, name=f"writer-{self.fd}")
        self._thread.start()

    def put(self, pieces: list[bytes]) -> None:
        """Hand in pieces; the list is emptied."""
        if pieces:
            with self._changed:
                self._pending += pieces
                self._pending_bytes += sum(map(len, pieces))
                self._changed.notify_all()
            pieces.clear()

    def wait_for_room(self) -> None:
        """Wait until no more than a little is pending."""
        with self._changed:
            self._changed.wait_for(lambda: self.broken or self._pending_bytes <= _MAX_PENDING_BYTES)

    def end(self, timeout_s: float | None = None) -> None:
        """Write what was handed in, and end; wait for that at most so long."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        self._thread.join(timeout_s)

    def abandon(self) -> None:
        """Write nothing more, and end as soon as the write that is under way lets it."""
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
                threading.Event().wait(0.001)  # a descriptor that somebody made non-blocking
            except OSError:
                self.broken = True
                self.on_broken()
