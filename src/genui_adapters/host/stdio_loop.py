"""The stdio driver on the event loop: descriptors watched, nothing waited for."""

import asyncio
import contextlib
import os
from collections.abc import Callable
from typing import Any

from attrs import define, field

from genui_adapters.host.stdio_events import END_SIGNALS, LAST_WORDS_S, StdioConnection, read_some
from genui_adapters.upstream.process import END_GRACE_S, TERMINATE_GRACE_S

_MAX_PENDING_BYTES = 1 << 20
"""Above this, what feeds a full pipe is no longer read."""
_SIGNAL_GRACE_S = 0.5
_KILLED_GRACE_S = 0.5


@define(eq=False)
class PipeWriter:
    """Writes to a descriptor without ever blocking; keeps what does not fit.

    Attributes:
        broken: Whether nobody reads any more; what is written is then let go.
    """

    fd: int
    loop: asyncio.AbstractEventLoop
    on_drained: Callable[[], None]
    broken: bool = False
    _pending: bytearray = field(factory=bytearray)

    _was_blocking: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Make the descriptor non-blocking."""
        self._was_blocking = os.get_blocking(self.fd)
        os.set_blocking(self.fd, False)

    def restore(self) -> None:
        """Leave the descriptor as it was found."""
        self.loop.remove_writer(self.fd)
        with contextlib.suppress(OSError):
            os.set_blocking(self.fd, self._was_blocking)

    @property
    def pending_bytes(self) -> int:
        """How much waits to be written."""
        return len(self._pending)

    def write(self, pieces: list[bytes]) -> None:
        """Write the pieces, or keep what does not fit now; the list is emptied."""
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        if self.broken:
            return
        if self._pending:
            self._pending += data
            return
        written = self._try(data)
        if written < len(data) and not self.broken:
            self._pending += memoryview(data)[written:]
            self.loop.add_writer(self.fd, self._write_pending)

    def _write_pending(self) -> None:
        del self._pending[: self._try(self._pending)]
        if self.broken:
            self._pending.clear()
        if not self._pending:
            self.loop.remove_writer(self.fd)
            self.on_drained()

    def _try(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self.fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            self.broken = True
            return 0


@define(eq=False)
class LoopDriver(StdioConnection):
    """Moves bytes between a host's two descriptors and an upstream, until one of them ends."""

    _loop: asyncio.AbstractEventLoop = field(init=False)
    _to_host: PipeWriter = field(init=False)
    _to_upstream: PipeWriter = field(init=False)
    _finished: asyncio.Event = field(init=False)
    _fault: BaseException | None = field(init=False, default=None)
    _reading: set[int] = field(init=False, factory=set)
    _paused: set[int] = field(init=False, factory=set)

    async def run(self) -> None:
        """Relay until the upstream has said its last word or was ended; restores the host's descriptor."""
        self._loop = asyncio.get_running_loop()
        self._finished = asyncio.Event()
        self._to_host = PipeWriter(self.host_out, self._loop, self._resume)
        self._to_upstream = PipeWriter(self.upstream.stdin_fd, self._loop, self._resume)
        self.relay.wake = self._flush
        self.relay.later = self._later
        self._loop.set_exception_handler(self._on_fault)
        self._watch_signals()
        self._watch_process()
        self._read(self.upstream.stdout_fd, self._on_upstream)
        self._read(self.upstream.stderr_fd, self._on_stderr)
        self._read(self.host_in, self._on_host)
        try:
            await self._finished.wait()
        finally:
            self._release()
        if self._fault is not None:
            raise self._fault

    def _later(self, delay_s: float, step: Callable[[], None]) -> None:
        self._loop.call_later(delay_s, step)

    # --- reading ------------------------------------------------------------------------

    def _on_host(self) -> None:
        data = read_some(self.host_in)
        if data:
            self.relay.host_sent(data)
            self._flush()
        elif data is not None:
            self._stop_reading(self.host_in)
            self.relay.host_closed()
            self._flush()
            self._leave(END_GRACE_S)

    def _on_upstream(self) -> None:
        data = read_some(self.upstream.stdout_fd)
        if data:
            self.relay.upstream_sent(data)
            self._flush()
        elif data is not None:
            self._upstream_ended()

    def _on_stderr(self) -> None:
        data = read_some(self.upstream.stderr_fd)
        if data:
            self.log.stderr_sent(data)
        elif data is not None:
            self._stop_reading(self.upstream.stderr_fd)
            self.log.stderr_closed()

    # --- writing ------------------------------------------------------------------------

    def _flush(self) -> None:
        if self.relay.to_upstream:
            self._to_upstream.write(self.relay.to_upstream)
        if self.relay.to_host:
            self._to_host.write(self.relay.to_host)
        if self.relay.noise:
            self.log.noise(self.relay)
        if self._to_host.broken and not self.host_left:
            self._leave(_SIGNAL_GRACE_S)
        self._pace()

    def _pace(self) -> None:
        """Stop reading what would only pile up before a reader that does not read."""
        host_full = self._to_host.pending_bytes > _MAX_PENDING_BYTES
        upstream_full = self._to_upstream.pending_bytes > _MAX_PENDING_BYTES
        if host_full:
            self._pause(self.upstream.stdout_fd)
        if host_full or upstream_full:
            self._pause(self.host_in)

    def _pause(self, fd: int) -> None:
        if fd in self._reading and fd not in self._paused:
            self._loop.remove_reader(fd)
            self._paused.add(fd)

    def _resume(self) -> None:
        """Read on, each direction by its own rule: an upstream that waits to be read may be why it does not read."""
        host_has_room = not self._to_host.pending_bytes
        if host_has_room:
            self._read_on(self.upstream.stdout_fd, self._on_upstream)
        if host_has_room and self._to_upstream.pending_bytes <= _MAX_PENDING_BYTES:
            self._read_on(self.host_in, self._on_host)
        if self.host_left and not self._to_upstream.pending_bytes:
            self._close_upstream_input()
        if self.upstream.stdout_fd not in self._reading and host_has_room:
            self._finished.set()

    def _read_on(self, fd: int, callback: Callable[[], None]) -> None:
        if fd in self._paused:
            self._paused.discard(fd)
            if fd in self._reading:
                self._loop.add_reader(fd, callback)

    # --- ending -------------------------------------------------------------------------

    def _leave(self, grace_s: float) -> None:
        """The host is gone: close the upstream's input, and insist step by step where that does not end it."""
        if self.host_left:
            return
        self.host_left = True
        if not self._to_upstream.pending_bytes:
            self._close_upstream_input()
        self._loop.call_later(grace_s, self.upstream.terminate)
        self._loop.call_later(grace_s + TERMINATE_GRACE_S, self.upstream.kill)
        self._loop.call_later(grace_s + TERMINATE_GRACE_S + _KILLED_GRACE_S, self._finished.set)

    def _close_upstream_input(self) -> None:
        self._to_upstream.broken = True
        self.upstream.close_stdin()

    def _upstream_ended(self) -> None:
        """The upstream has said its last word."""
        if self.upstream.stdout_fd not in self._reading:
            return
        self._stop_reading(self.upstream.stdout_fd)
        self.relay.upstream_closed(self.log.upstream_ended(by_itself=not self.host_left))
        self._flush()
        if not self._to_host.pending_bytes:
            self._finished.set()

    def _watch_process(self) -> None:
        """Its end counts even when a child of its own keeps its output open; what it wrote last is read first."""

        def ended() -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended before it
                self._loop.call_soon_threadsafe(self._loop.call_later, LAST_WORDS_S, self._upstream_ended)

        self.upstream.on_end(ended)

    def _on_fault(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A fault of ours ends the connection; a relay that only seems alive would be worse."""
        self._fault = context.get("exception") or RuntimeError(str(context.get("message")))
        self._finished.set()

    def _watch_signals(self) -> None:
        for number in END_SIGNALS:
            self._loop.add_signal_handler(number, self._on_signal)

    def _on_signal(self) -> None:
        self._stop_reading(self.host_in)
        self._leave(_SIGNAL_GRACE_S)

    # --- descriptors --------------------------------------------------------------------

    def _read(self, fd: int, callback: Callable[[], None]) -> None:
        self._loop.add_reader(fd, callback)
        self._reading.add(fd)

    def _stop_reading(self, fd: int) -> None:
        if fd in self._reading:
            self._loop.remove_reader(fd)
            self._reading.discard(fd)

    def _release(self) -> None:
        for fd in tuple(self._reading):
            self._stop_reading(fd)
        self._to_host.restore()
        self._to_upstream.restore()
