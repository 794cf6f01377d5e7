"""The stdio driver with threads, for systems whose pipes cannot be watched."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator

from attrs import define, field

from genui_adapters.host.stdio_events import END_SIGNALS, LAST_WORDS_S, StdioConnection, read_some
from genui_adapters.upstream.process import END_GRACE_S, TERMINATE_GRACE_S

_SIGNAL_GRACE_S = 0.5
_KILLED_GRACE_S = 0.5
_MAX_PENDING_BYTES = 1 << 20


@define(eq=False)
class WriterThread:
    """Writes pieces to a descriptor in the order they were handed in, in a thread of its own.

    Who hands in never waits for the reader at the other end; `wait_for_room` does, where it may.
    """

    fd: int
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
        """Write what was handed in, and end."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._pending or self._ending)
                if not self._pending:
                    return
                piece = self._pending.popleft()
            self._write_all(piece)
            with self._changed:
                self._pending_bytes -= len(piece)
                self._changed.notify_all()

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view and not self.broken:
            try:
                view = view[os.write(self.fd, view) :]
            except BlockingIOError:
                threading.Event().wait(0.001)  # a descriptor that somebody made non-blocking
            except OSError:
                self.broken = True


@define(eq=False)
class ThreadDriver(StdioConnection):
    """Moves bytes between a host's two descriptors and an upstream, until one of them ends."""

    _order: threading.RLock = field(init=False, factory=threading.RLock)
    _finished: threading.Event = field(init=False, factory=threading.Event)
    _fault: BaseException | None = field(init=False, default=None)
    _timers: list[threading.Timer] = field(init=False, factory=list)
    _to_host: WriterThread = field(init=False)
    _to_upstream: WriterThread = field(init=False)

    def run(self) -> None:
        """Relay until the upstream has said its last word or was ended. Call from the main thread."""
        self._to_host = WriterThread(self.host_out)
        self._to_upstream = WriterThread(self.upstream.stdin_fd)
        self.relay.later = self._later
        for number in END_SIGNALS:
            signal.signal(number, lambda *_: self._leave(_SIGNAL_GRACE_S))
        self.upstream.on_end(lambda: self._later(LAST_WORDS_S, self._upstream_ended))
        for body in (self._read_host, self._read_upstream, self._read_stderr):
            threading.Thread(target=self._guarded, args=(body,), daemon=True, name=body.__name__).start()
        self._finished.wait()
        for timer in self._timers:
            timer.cancel()
        self._to_host.end(_SIGNAL_GRACE_S)
        if self._fault is not None:
            raise self._fault

    def _guarded(self, body: Callable[[], None]) -> None:
        """A fault of ours ends the connection; a relay that only seems alive would be worse."""
        try:
            body()
        except BaseException as fault:  # noqa: BLE001 -- raised again in the main thread
            self._fault = fault
            self._finished.set()

    def _read_host(self) -> None:
        for data in _chunks(self.host_in):
            self._feed(self.relay.host_sent, data)
            self._to_upstream.wait_for_room()
            self._to_host.wait_for_room()
        with self._order:
            self.relay.host_closed()
            self._hand_in()
        self._leave(END_GRACE_S)

    def _read_upstream(self) -> None:
        for data in _chunks(self.upstream.stdout_fd):
            self._feed(self.relay.upstream_sent, data)
            self._to_host.wait_for_room()
        self._upstream_ended()

    def _read_stderr(self) -> None:
        for data in _chunks(self.upstream.stderr_fd):
            self.log.stderr_sent(data)
        self.log.stderr_closed()

    def _feed(self, take: Callable[[bytes], None], data: bytes) -> None:
        with self._order:
            take(data)
            self._hand_in()
        if self._to_host.broken:
            self._leave(_SIGNAL_GRACE_S)

    def _hand_in(self) -> None:
        self._to_upstream.put(self.relay.to_upstream)
        self._to_host.put(self.relay.to_host)
        self.log.noise(self.relay)

    def _upstream_ended(self) -> None:
        with self._order:
            if not self._finished.is_set():
                self.relay.upstream_closed(self.log.upstream_ended(by_itself=not self.host_left))
                self._hand_in()
                self._finished.set()

    def _leave(self, grace_s: float) -> None:
        """The host is gone: close the upstream's input, and insist step by step where that does not end it."""
        with self._order:
            if self.host_left:
                return
            self.host_left = True
        killed_s = grace_s + TERMINATE_GRACE_S
        self._later(grace_s, self.upstream.terminate)
        self._later(killed_s, self.upstream.kill)
        self._later(killed_s + _KILLED_GRACE_S, self._finished.set)
        threading.Thread(target=self._close_upstream_input, daemon=True, name="close-input").start()

    def _close_upstream_input(self) -> None:
        self._to_upstream.end()
        self.upstream.close_stdin()

    def _later(self, delay_s: float, step: Callable[[], None]) -> None:
        def take_step() -> None:
            with self._order:
                step()
                self._hand_in()

        timer = threading.Timer(delay_s, self._guarded, (take_step,))
        timer.daemon = True
        self._timers.append(timer)
        timer.start()


def _chunks(fd: int) -> Iterator[bytes]:
    """Yield what a descriptor gives until its end."""
    while True:
        data = read_some(fd)
        if data == b"":
            return
        if data is None:
            threading.Event().wait(0.001)  # a descriptor that somebody made non-blocking
        else:
            yield data
