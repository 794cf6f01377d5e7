"""The stdio driver on the event loop: descriptors watched, nothing waited for."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from attrs import define, field

from genui_adapters.host.descriptors import read_some
from genui_adapters.host.endings import Endings
from genui_adapters.host.loop_upstream import LoopUpstream
from genui_adapters.host.pipe_writer import PipeWriter
from genui_adapters.host.stdio_events import END_SIGNALS, KILLED_GRACE_S, SIGNAL_GRACE_S, StdioConnection
from genui_adapters.upstream.process import END_GRACE_S, TERMINATE_GRACE_S, CannotStart, UpstreamProcess

_MAX_PENDING_BYTES = 1 << 20
"""Above this, what feeds a full pipe is no longer read."""


@define(eq=False)
class LoopDriver(StdioConnection):
    """Moves bytes between a host's two descriptors and an upstream, until the host leaves or nothing can be done."""

    _loop: asyncio.AbstractEventLoop = field(init=False)
    _to_host: PipeWriter = field(init=False)
    _upstream: LoopUpstream | None = field(init=False, default=None)
    _finished: asyncio.Event = field(init=False)
    _is_finishing: bool = field(init=False, default=False)
    _fault: BaseException | None = field(init=False, default=None)
    _reads_host: bool = field(init=False, default=False)
    _host_is_paused: bool = field(init=False, default=False)
    _endings: Endings = field(init=False, factory=Endings)

    def serve(self) -> None:
        """Relay; on return no process is left."""
        try:
            asyncio.run(self._run())
        finally:
            if self._upstream is not None:
                self._upstream.end()
            self._endings.wait()

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._finished = asyncio.Event()
        self._to_host = PipeWriter(self.host_out, self._loop, self._resume)
        self.relay.wake = self._flush
        self.relay.later = self._later
        self.relay.post = self._post
        self._loop.set_exception_handler(self._on_fault)
        for number in END_SIGNALS:
            self._loop.add_signal_handler(number, self._on_signal)
        self._take_up(self.first)
        self.supervision.put_in_charge_of(self, self.first.name)
        self._loop.add_reader(self.host_in, self._on_host)
        self._reads_host = True
        try:
            await self._finished.wait()
        finally:
            self._release()
        if self._fault is not None:
            raise self._fault

    def _later(self, delay_s: float, step: Callable[[], None]) -> None:
        self._loop.call_later(delay_s, step)

    def _post(self, step: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended
            self._loop.call_soon_threadsafe(step)

    # --- reading ------------------------------------------------------------------------

    def _on_host(self) -> None:
        data = read_some(self.host_in)
        if data:
            self.relay.host_sent(data)
            self._flush()
        elif data is not None:
            self._stop_reading_host()
            self.relay.host_closed()
            self._flush()
            self._leave(END_GRACE_S)

    def _on_output(self, data: bytes) -> None:
        self.relay.upstream_sent(data)
        self._flush()

    # --- writing ------------------------------------------------------------------------

    def _flush(self) -> None:
        upstream = self._upstream
        if self.relay.to_upstream and upstream is not None:
            upstream.write(self.relay.to_upstream)
        if self.relay.to_host:
            self._to_host.write(self.relay.to_host)
        if self.relay.noise:
            self.log_noise()
        if self._to_host.broken and not self.host_left:
            self._leave(SIGNAL_GRACE_S)
        self._pace()

    def _pace(self) -> None:
        """Stop reading what would only pile up before a reader that does not read."""
        host_full = self._to_host.pending_bytes > _MAX_PENDING_BYTES
        upstream_full = (
            self._upstream is not None and self._upstream.writer.pending_bytes > _MAX_PENDING_BYTES
        )
        if host_full and self._upstream is not None:
            self._upstream.pause()
        if (host_full or upstream_full) and self._reads_host and not self._host_is_paused:
            self._loop.remove_reader(self.host_in)
            self._host_is_paused = True

    def _resume(self) -> None:
        """Read on, each direction by its own rule: an upstream that waits to be read may be why it does not read."""
        host_has_room = not self._to_host.pending_bytes
        upstream = self._upstream
        if upstream is not None and host_has_room:
            upstream.resume()
        if host_has_room and (upstream is None or upstream.writer.pending_bytes <= _MAX_PENDING_BYTES):
            self._read_host_on()
        if self.host_left and upstream is not None and not upstream.writer.pending_bytes:
            upstream.close_input()
        if self._is_finishing and host_has_room:
            self._finished.set()

    def _read_host_on(self) -> None:
        if self._host_is_paused:
            self._host_is_paused = False
            if self._reads_host:
                self._loop.add_reader(self.host_in, self._on_host)

    # --- the upstream's lives -----------------------------------------------------------

    def start_upstream(self) -> None:
        """Start the upstream once more."""
        if self.host_left:
            return
        try:
            process = self.start_again()
        except CannotStart as error:
            self.supervision.cannot_start(str(error))
            return
        self._take_up(process)
        self.supervision.started()
        self._flush()

    def stop_upstream(self) -> None:
        """End what is left of the upstream, and go on meanwhile."""
        upstream, self._upstream = self._upstream, None
        if upstream is None:
            return
        upstream.detach()

        def end() -> None:
            exit_code = upstream.end()
            with contextlib.suppress(RuntimeError):  # the loop may have ended before it
                self._loop.call_soon_threadsafe(self._gone, exit_code)

        self._endings.begin(end)
        self._resume()

    def finish(self) -> None:
        """End when what the host is to read was written."""
        self._is_finishing = True
        if not self._to_host.pending_bytes and not self.relay.to_host:
            self._finished.set()

    def _take_up(self, process: UpstreamProcess) -> None:
        log = self.log_of(process)
        self._upstream = LoopUpstream(
            process, log, self._loop, self._on_output, self._upstream_ended, self._resume
        )

    def _upstream_ended(self, upstream: LoopUpstream) -> None:
        if upstream is self._upstream:
            upstream.stop_reading()
            self.supervision.ended(host_left=self.host_left)
            self._flush()
            if self._is_finishing:
                self.finish()

    def _gone(self, exit_code: int) -> None:
        if not self.host_left:
            self.supervision.gone(exit_code)
            self._flush()

    # --- ending -------------------------------------------------------------------------

    def _leave(self, grace_s: float) -> None:
        """The host is gone: close the upstream's input, and insist step by step where that does not end it."""
        if self.host_left:
            return
        self.host_left = True
        upstream = self._upstream
        if upstream is None:
            self.supervision.ended(host_left=True)
            self._flush()
            self.finish()
            return
        if not upstream.writer.pending_bytes:
            upstream.close_input()
        self._loop.call_later(grace_s, upstream.process.terminate)
        self._loop.call_later(grace_s + TERMINATE_GRACE_S, upstream.process.kill)
        self._loop.call_later(grace_s + TERMINATE_GRACE_S + KILLED_GRACE_S, self._finished.set)

    def _on_fault(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A fault of ours ends the connection; a relay that only seems alive would be worse."""
        self._fault = context.get("exception") or RuntimeError(str(context.get("message")))
        self._finished.set()

    def _on_signal(self) -> None:
        self._stop_reading_host()
        self._leave(SIGNAL_GRACE_S)

    def _stop_reading_host(self) -> None:
        if self._reads_host:
            self._loop.remove_reader(self.host_in)
            self._reads_host = False

    def _release(self) -> None:
        self._stop_reading_host()
        self._to_host.restore()
        if self._upstream is not None:
            self._upstream.detach()
