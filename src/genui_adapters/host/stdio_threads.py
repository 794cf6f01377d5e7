"""The stdio driver with threads, for systems whose pipes cannot be watched."""

import signal
import threading
from collections.abc import Callable

from attrs import define, field

from genui_adapters.host.stdio_connection import (
    KILLED_GRACE_S,
    SIGNAL_GRACE_S,
    StdioConnection,
)
from genui_adapters.io.descriptor_loop import END_SIGNALS
from genui_adapters.io.process import END_GRACE_S, TERMINATE_GRACE_S, UpstreamProcess
from genui_adapters.io.thread_upstream import Alarm, ThreadUpstream, WriterThread, chunks
from genui_adapters.io.upstream_log import LAST_WORDS_S


@define(eq=False)
class ThreadDriver(StdioConnection[ThreadUpstream]):
    """Moves bytes between a host's two descriptors and an upstream, until the host leaves or nothing can be done."""

    _order: threading.RLock = field(init=False, factory=threading.RLock)
    _finished: threading.Event = field(init=False, factory=threading.Event)
    _fault: BaseException | None = field(init=False, default=None)
    _alarm: Alarm = field(init=False)
    _to_host: WriterThread = field(init=False)

    def serve(self) -> None:
        """Relay; on return no process is left. Call from the main thread."""
        self._alarm = Alarm(lambda step: self._guarded(lambda: self._take_step(step)))
        self.relay.later = self._alarm.after
        self.relay.post = lambda step: self._alarm.after(0, step)
        self._to_host = WriterThread(self.host_out)
        for number in END_SIGNALS:
            signal.signal(number, lambda *_: self._leave(SIGNAL_GRACE_S))
        try:
            self._run()
        finally:
            self._end_upstream()

    def _run(self) -> None:
        with self._order:
            self._upstream = self._watch(self.first)
            self.supervision.attach_driver(self, self.first.name)
        threading.Thread(target=self._guarded, args=(self._read_host,), daemon=True, name="read-host").start()
        self._finished.wait()
        self._to_host.end(SIGNAL_GRACE_S)
        if self._fault is not None:
            raise self._fault

    def _guarded(self, body: Callable[[], None]) -> None:
        """Run a thread's body; end the connection after an unexpected error, rather than hang."""
        try:
            body()
        except BaseException as fault:  # noqa: BLE001 -- raised again in the main thread
            self._fault = fault
            self._finished.set()

    def _take_step(self, step: Callable[[], None]) -> None:
        with self._order:
            step()
            self._flush()

    # --- reading and writing ------------------------------------------------------------

    def _read_host(self) -> None:
        for data in chunks(self.host_in, owns_fd=False):
            with self._order:
                self.relay.host_sent(data)
                self._flush()
                upstream = self._upstream
            if upstream is not None:
                upstream.writer.wait_for_room()
            self._to_host.wait_for_room()
        with self._order:
            self.relay.host_closed()
            self._flush()
        self._leave(END_GRACE_S)

    def _on_output(self, upstream: ThreadUpstream, data: bytes) -> None:
        with self._order:
            if upstream is not self._upstream:
                return
            self.relay.upstream_sent(data)
            self._flush()
        self._to_host.wait_for_room()

    def _flush(self) -> None:
        upstream = self._upstream
        if upstream is not None and self.relay.to_upstream:
            upstream.writer.put(self.relay.to_upstream)
        self._to_host.put(self.relay.to_host)
        if self.relay.noise:
            self.log_noise()
        if self._to_host.broken:
            self._leave(SIGNAL_GRACE_S)

    # --- the upstream's lives -----------------------------------------------------------

    def finish(self) -> None:
        """End when what the host is to read was written."""
        self._flush()
        self._finished.set()

    def _watch(self, process: UpstreamProcess) -> ThreadUpstream:
        return ThreadUpstream(
            process,
            self.log_of(process),
            self._guarded,
            self._on_output,
            lambda upstream: self._take_step(lambda: self._upstream_ended(upstream)),
            lambda upstream: self._alarm.after(LAST_WORDS_S, lambda: self._upstream_ended(upstream)),
        )

    def _in_turn(self, step: Callable[[], None]) -> None:
        self._guarded(lambda: self._take_step(step))

    def _upstream_ended(self, upstream: ThreadUpstream) -> None:
        if upstream is self._upstream and not self._finished.is_set():
            self.supervision.ended(host_left=self.host_left)

    # --- ending -------------------------------------------------------------------------

    def _leave(self, grace_s: float) -> None:
        """The host is gone: close the upstream's input, and insist step by step where that does not end it."""
        with self._order:
            if self.host_left:
                return
            self.host_left = True
            upstream = self._upstream
            if upstream is None:
                self.supervision.ended(host_left=True)
                self.finish()
                return
        killed_s = grace_s + TERMINATE_GRACE_S
        self._alarm.after(grace_s, upstream.process.terminate)
        self._alarm.after(killed_s, upstream.process.kill)
        self._alarm.after(killed_s + KILLED_GRACE_S, self._finished.set)
        upstream.close_input()
