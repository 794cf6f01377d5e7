"""The stdio driver with one thread a direction, for systems whose pipes cannot be watched."""

import contextlib
import os
import signal
import threading
from collections import deque
from collections.abc import Callable

from attrs import define, field

from genui_adapters.host.stdio_events import READ_BYTES, UPSTREAM_DIED, UpstreamLog
from genui_adapters.upstream.process import END_GRACE_S, TERMINATE_GRACE_S, UpstreamProcess
from genui_core.domain.relay import Relay

_SIGNAL_GRACE_S = 0.5
_KILLED_GRACE_S = 0.5


@define(eq=False)
class OrderedWriter:
    """Writes pieces to a descriptor in the order they were handed in, by whichever thread comes first.

    A thread that finds another one writing leaves its pieces to it: no thread waits for a
    reader while another could go on.
    """

    fd: int
    broken: bool = False
    _queue: deque[bytes] = field(factory=deque)
    _turn: threading.Lock = field(factory=threading.Lock)

    def put(self, pieces: list[bytes]) -> None:
        """Hand in pieces; the list is emptied. Call under the lock that orders them."""
        self._queue += pieces
        pieces.clear()

    def write(self) -> None:
        """Write what was handed in, unless another thread is at it."""
        while self._queue and self._turn.acquire(blocking=False):
            try:
                while self._queue:
                    self._write_all(self._queue.popleft())
            finally:
                self._turn.release()

    def finish(self, timeout_s: float) -> None:
        """Write what is left after whoever is writing now, unless that takes too long."""
        if self._turn.acquire(timeout=timeout_s):
            self._turn.release()
            self.write()

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view and not self.broken:
            try:
                view = view[os.write(self.fd, view) :]
            except OSError:
                self.broken = True


@define(eq=False)
class ThreadDriver:
    """Moves bytes between a host's two descriptors and an upstream, until one of them ends.

    Attributes:
        host_left: Whether the host went first.
    """

    relay: Relay
    upstream: UpstreamProcess
    log: UpstreamLog
    host_in: int = 0
    host_out: int = 1
    host_left: bool = False
    _order: threading.RLock = field(init=False, factory=threading.RLock)
    _finished: threading.Event = field(init=False, factory=threading.Event)
    _timers: list[threading.Timer] = field(init=False, factory=list)
    _to_host: OrderedWriter = field(init=False)
    _to_upstream: OrderedWriter = field(init=False)

    def run(self) -> None:
        """Relay until the upstream has said its last word or was ended. Call from the main thread."""
        self._to_host = OrderedWriter(self.host_out)
        self._to_upstream = OrderedWriter(self.upstream.stdin_fd)
        self._watch_signals()
        for body in (self._read_host, self._read_upstream, self._read_stderr):
            threading.Thread(target=body, daemon=True, name=body.__name__).start()
        self._finished.wait()
        for timer in self._timers:
            timer.cancel()
        self._to_host.finish(_SIGNAL_GRACE_S)

    def _read_host(self) -> None:
        while data := _read(self.host_in):
            self._feed(self.relay.host_sent, data)
        with self._order:
            self.relay.host_closed()
        self._write()
        self._leave(END_GRACE_S)

    def _read_upstream(self) -> None:
        while data := _read(self.upstream.stdout_fd):
            self._feed(self.relay.upstream_sent, data)
        with self._order:
            self.relay.upstream_closed(UPSTREAM_DIED)
        self._write()
        self._finished.set()

    def _read_stderr(self) -> None:
        while data := _read(self.upstream.stderr_fd):
            self.log.stderr_sent(data)
        self.log.stderr_closed()

    def _feed(self, take: Callable[[bytes], None], data: bytes) -> None:
        with self._order:
            take(data)
        self._write()

    def _write(self) -> None:
        with self._order:
            self._to_upstream.put(self.relay.to_upstream)
            self._to_host.put(self.relay.to_host)
            self.log.noise(self.relay)
        self._to_upstream.write()
        self._to_host.write()
        if self._to_host.broken:
            self._leave(_SIGNAL_GRACE_S)

    def _leave(self, grace_s: float) -> None:
        """The host is gone: close the upstream's input, and insist step by step where that does not end it."""
        with self._order:
            if self.host_left:
                return
            self.host_left = True
        self._to_upstream.broken = True
        self.upstream.close_stdin()
        killed_s = grace_s + TERMINATE_GRACE_S
        for delay_s, step in (
            (grace_s, self.upstream.terminate),
            (killed_s, self.upstream.kill),
            (killed_s + _KILLED_GRACE_S, self._finished.set),
        ):
            timer = threading.Timer(delay_s, step)
            timer.daemon = True
            self._timers.append(timer)
            timer.start()

    def _watch_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._leave(_SIGNAL_GRACE_S))


def _read(fd: int) -> bytes:
    with contextlib.suppress(OSError):
        return os.read(fd, READ_BYTES)
    return b""
