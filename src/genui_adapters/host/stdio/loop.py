"""The stdio driver on the event loop: descriptors watched, nothing waited for."""

from collections.abc import Callable

from attrs import define, field

from genui_adapters.host.stdio.connection import KILLED_GRACE_S, SIGNAL_GRACE_S, StdioConnection
from genui_adapters.io.descriptor_loop import DescriptorLoop
from genui_adapters.io.event_loop import END_SIGNALS
from genui_adapters.io.loop_pipes import PausableReader, PipeWriter
from genui_adapters.io.loop_upstream import LoopUpstream
from genui_adapters.io.process import END_GRACE_S, TERMINATE_GRACE_S, UpstreamProcess

_MAX_PENDING_BYTES = 1 << 20
"""Above this, what feeds a full pipe is no longer read."""


@define(eq=False)
class LoopDriver(StdioConnection[LoopUpstream]):
    """Moves bytes between a host's two descriptors and an upstream, until the host leaves or nothing can be done."""

    _loop: DescriptorLoop = field(init=False, factory=DescriptorLoop)
    _from_host: PausableReader = field(init=False)
    _to_host: PipeWriter = field(init=False)
    _is_finishing: bool = field(init=False, default=False)

    def serve(self) -> None:
        """Relay; on return no process is left."""
        self._to_host = PipeWriter(self.host_out, self._loop, self._resume)
        self._to_host.widen()
        self.relay.wake = self._flush
        self.relay.later = self._loop.call_later
        self.relay.post = self._loop.call_soon_threadsafe
        try:
            with self._loop.on_signals(END_SIGNALS, self._on_signal):
                self._run()
        finally:
            self._end_upstream()
            self._loop.close()

    def _run(self) -> None:
        self._upstream = self._watch(self.first)
        self._from_host = PausableReader(self.host_in, self._loop, self._on_host)
        try:
            self.supervision.put_in_charge_of(self, self.first.name)
            self._loop.run()
        finally:
            self._release()

    # --- reading ------------------------------------------------------------------------

    def _on_host(self, data: bytes) -> None:
        if data:
            self.relay.host_sent(data)
            self._flush()
        else:
            self._from_host.stop()
            self.relay.host_closed()
            self._flush()
            self._leave(END_GRACE_S)

    def _on_output(self, data: bytes) -> None:
        self.relay.upstream_sent(data)
        self._flush()

    # --- writing ------------------------------------------------------------------------

    def _flush(self) -> None:
        """Write what the relay has to say. This is done for every message, so it asks for no more than it must."""
        upstream, relay = self._upstream, self.relay
        if upstream is not None and relay.to_upstream and not upstream.write(relay.to_upstream):
            self._pace()
        if relay.to_host and not self._to_host.write(relay.to_host):
            self._pace()
        if relay.noise:
            self.log_noise()
        if self._to_host.broken and not self.host_left:
            self._leave(SIGNAL_GRACE_S)

    def _pace(self) -> None:
        """Stop reading what would only pile up before a reader that does not read."""
        host_full = self._to_host.pending_bytes > _MAX_PENDING_BYTES
        upstream_full = (
            self._upstream is not None and self._upstream.writer.pending_bytes > _MAX_PENDING_BYTES
        )
        if host_full and self._upstream is not None:
            self._upstream.pause()
        if host_full or upstream_full:
            self._from_host.pause()

    def _resume(self) -> None:
        """Read on, each direction by its own rule: an upstream that waits to be read may be why it does not read."""
        host_has_room = not self._to_host.pending_bytes
        upstream = self._upstream
        if upstream is not None and host_has_room:
            upstream.resume()
        if host_has_room and (upstream is None or upstream.writer.pending_bytes <= _MAX_PENDING_BYTES):
            self._from_host.resume()
        if self.host_left and upstream is not None and not upstream.writer.pending_bytes:
            upstream.close_input()
        if self._is_finishing and host_has_room:
            self._loop.stop()

    # --- the upstream's lives -----------------------------------------------------------

    def stop_upstream(self) -> None:
        """End the rest of the upstream without waiting for it, and read on what its full pipe held up."""
        if self._upstream is not None:
            super().stop_upstream()
            self._resume()

    def finish(self) -> None:
        """End when what the host is to read was written."""
        self._is_finishing = True
        if not self._to_host.pending_bytes and not self.relay.to_host:
            self._loop.stop()

    def _watch(self, process: UpstreamProcess) -> LoopUpstream:
        log = self.log_of(process)
        return LoopUpstream(process, log, self._loop, self._on_output, self._upstream_ended, self._resume)

    def _in_turn(self, step: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(step)

    def _upstream_ended(self, upstream: LoopUpstream) -> None:
        if upstream is self._upstream:
            upstream.stop_reading()
            self.supervision.ended(host_left=self.host_left)
            self._flush()
            if self._is_finishing:
                self.finish()

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
        self._loop.call_later(grace_s + TERMINATE_GRACE_S + KILLED_GRACE_S, self._loop.stop)

    def _on_signal(self) -> None:
        self._from_host.stop()
        self._leave(SIGNAL_GRACE_S)

    def _release(self) -> None:
        self._from_host.stop()
        self._to_host.restore()
        if self._upstream is not None:
            self._upstream.detach()
