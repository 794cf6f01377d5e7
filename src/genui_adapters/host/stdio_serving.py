"""The stdio transport: a stdio host in front of a stdio upstream.

Its driver never blocks: a loop watches the descriptors, or threads read and write them.
"""

import os
import select
import stat
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal

from attrs import define, field

from genui_adapters.host.worker_thread import WorkerThread
from genui_adapters.io.descriptor_loop import END_SIGNALS, DescriptorLoop, PausableReader, PipeWriter, Step
from genui_adapters.io.loop_upstream import LoopUpstream, Streams, UpstreamLog, log_noise, watched_streams
from genui_adapters.io.process import END_GRACE_S, TERMINATE_GRACE_S, CannotStart, UpstreamProcess
from genui_core.application.stdio.router import StdioRouter
from genui_core.application.stdio.supervision import Supervision
from genui_core.application.wrapper import Wrapper
from genui_core.domain.session.relay import Relay
from genui_core.ports.event_log import EventLog

if TYPE_CHECKING:
    from genui_adapters.io.threads import ThreadLoop
    from genui_core.application.stdio.companion import PageMaker

Driver = Literal["loop", "threads"]

_HOST_IN, _HOST_OUT = 0, 1
"""This process's standard streams: the host writes to the first and reads the second."""

SIGNAL_GRACE_S = 0.5
"""How long an upstream may take to exit by itself after a signal to this process."""
KILLED_GRACE_S = 0.5
"""How long the wrapper waits for the exit of a killed upstream."""


def serve_stdio(
    wrapper: Wrapper,
    upstream: UpstreamProcess,
    *,
    driver: Driver | None = None,
    companion: "PageMaker | None" = None,
) -> bool:
    """Relay between the host on the standard streams and an upstream, until the host leaves.

    Restarts an upstream that dies, unless it has never answered. Blocks. Must be called from the
    main thread, since it handles SIGTERM and SIGINT.

    Args:
        wrapper: Gives the upstream's tools their UIs.
        upstream: The running upstream; it has ended when this returns, and so has every restarted one.
        driver: How the bytes are moved; by default, as the descriptors allow.
        companion: Makes the companion page for a host without views; None for no page.

    Returns:
        Whether the host left first; False if the upstream stopped before it ever worked.

    Raises:
        UpstreamTimeout: The upstream runs, but did not answer within its start timeout.
    """
    if driver is None:
        driver = "loop" if _can_be_watched(_HOST_IN) and _can_be_watched(_HOST_OUT) else "threads"

    def post(step: Callable[[], None]) -> None:
        router.relay.post(step)

    router = StdioRouter(wrapper.open(lambda views: WorkerThread(views, post)), companion)
    wrapper.add_notifier(router)
    supervision = router.supervision
    loop, streams = _loop_and_streams(driver)
    connection = StdioDriver(router.relay, supervision, wrapper.event_log, upstream, loop, streams)
    try:
        connection.serve()
    finally:
        wrapper.remove_notifier(router)
        router.close()
        router.views.worker.close()
    if supervision.failure is not None:
        raise supervision.failure
    return connection.host_left


def _loop_and_streams(driver: Driver) -> "tuple[DescriptorLoop | ThreadLoop, Streams]":
    if driver == "loop":
        loop = DescriptorLoop()
        return loop, watched_streams(loop)
    from genui_adapters.io.threads import ThreadLoop, threaded_streams  # noqa: PLC0415 -- this driver only

    threads = ThreadLoop()
    return threads, threaded_streams(threads)


def _can_be_watched(fd: int) -> bool:
    """Return whether a loop can watch a descriptor: a pipe, socket or terminal; none on Windows."""
    if not hasattr(select, "poll"):
        return False
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(fd)


@define(eq=False, repr=False)
class StdioDriver:
    """Moves bytes between a host's two descriptors and an upstream, until one of them is gone for good."""

    relay: Relay
    supervision: Supervision
    event_log: EventLog
    first: UpstreamProcess
    _loop: "DescriptorLoop | ThreadLoop"
    _streams: Streams
    host_left: bool = field(init=False, default=False)
    _upstream: LoopUpstream | None = field(init=False, default=None)
    _ending_threads: list[threading.Thread] = field(init=False, factory=list)
    _from_host: PausableReader = field(init=False)
    _to_host: PipeWriter = field(init=False)
    _is_finishing: bool = field(init=False, default=False)

    def serve(self) -> None:
        """Relay until the end; on return no upstream process is left."""
        self._to_host = self._streams.writer(_HOST_OUT, self._resume)
        self._to_host.widen()
        self.relay.later = lambda delay_s, step: self._loop.call_later(delay_s, partial(self._take, step))
        self.relay.post = lambda step: self._loop.call_soon_threadsafe(partial(self._take, step))
        try:
            with self._loop.on_signals(END_SIGNALS, self._on_signal):
                self._run()
        finally:
            self._end_upstream()
            self._loop.close()

    def _run(self) -> None:
        self._upstream = self._watch(self.first)
        self._from_host = self._streams.reader(_HOST_IN, self._on_host)
        try:
            self.supervision.attach_driver(self, self.first.name)
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

    def _take(self, step: Step) -> None:
        """Run a step of the relay, and write the relay's messages."""
        step()
        self._flush()

    def _flush(self) -> None:
        """Write the relay's messages. Runs for every message, so it checks no more than it must."""
        upstream, relay = self._upstream, self.relay
        if upstream is not None and relay.to_upstream and not upstream.write(relay.to_upstream):
            self._pause_reading()
        if relay.to_host and not self._to_host.write(relay.to_host):
            self._pause_reading()
        if relay.noise:
            self._log_noise()
        if self._to_host.broken and not self.host_left:
            self._leave(SIGNAL_GRACE_S)

    def _log_noise(self) -> None:
        """Log the lines on the upstream's standard output that are no messages."""
        for line in filter(bytes.strip, self.relay.noise):
            log_noise(self.event_log, self.first.name, line)
        self.relay.noise.clear()

    def _pause_reading(self) -> None:
        """Stop reading what would pile up before a host or an upstream that does not read."""
        host_full = self._to_host.is_full
        upstream_full = self._upstream is not None and self._upstream.writer.is_full
        if host_full and self._upstream is not None:
            self._upstream.output.pause()
        if host_full or upstream_full:
            self._from_host.pause()

    def _resume(self) -> None:
        """Resume reading, each side on its own: an upstream may not read because its output is unread."""
        host_has_room = not self._to_host.pending_bytes
        upstream = self._upstream
        if upstream is not None and host_has_room:
            upstream.output.resume()
        if host_has_room and (upstream is None or not upstream.writer.is_full):
            self._from_host.resume()
        if self.host_left and upstream is not None and not upstream.writer.pending_bytes:
            upstream.close_input()
        if self._is_finishing and host_has_room:
            self._loop.stop()

    # --- restarts of the upstream -------------------------------------------------------

    def start_upstream(self) -> None:
        """Restart the upstream with the command of the first process."""
        if self.host_left:
            return
        try:
            process = UpstreamProcess(self.first.command)
        except CannotStart as error:
            self.supervision.cannot_start(str(error))
            return
        self._upstream = self._watch(process)
        self.supervision.started()
        self._flush()

    def stop_upstream(self) -> None:
        """End the upstream in another thread, and resume the reads that its full pipe had stopped."""
        upstream, self._upstream = self._upstream, None
        if upstream is None:
            return
        upstream.detach()

        def end() -> None:
            exit_code = upstream.end()
            self._loop.call_soon_threadsafe(lambda: self._on_exit(exit_code))

        thread = threading.Thread(target=end, daemon=True, name="upstream-ending")
        self._ending_threads = [*(each for each in self._ending_threads if each.is_alive()), thread]
        thread.start()
        self._resume()

    def _on_exit(self, exit_code: int) -> None:
        if not self.host_left:
            self.supervision.gone(exit_code)
            self._flush()

    def finish(self) -> None:
        """Stop the loop as soon as all messages to the host are written."""
        self._is_finishing = True
        self._flush()
        if not self._to_host.pending_bytes:
            self._loop.stop()

    def _watch(self, process: UpstreamProcess) -> LoopUpstream:
        return LoopUpstream(
            process,
            UpstreamLog(process.name, self.event_log),
            self._loop,
            self._on_output,
            self._upstream_ended,
            self._resume,
            self._streams,
        )

    def _upstream_ended(self, upstream: LoopUpstream) -> None:
        if upstream is self._upstream:
            self.supervision.ended(host_left=self.host_left)
            self._flush()

    # --- ending -------------------------------------------------------------------------

    def _leave(self, grace_s: float) -> None:
        """End after the host: close the upstream's input, then terminate the upstream, then kill it."""
        if self.host_left:
            return
        self.host_left = True
        upstream = self._upstream
        if upstream is None:
            self.supervision.ended(host_left=True)
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

    def _end_upstream(self) -> None:
        """End the upstream and wait until no process is left."""
        if self._upstream is not None:
            self._upstream.end()
        for each in self._ending_threads:
            each.join()
