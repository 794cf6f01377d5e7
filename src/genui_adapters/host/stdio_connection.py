"""What both stdio drivers share: the lives of the upstream, its log, and the threads that end it."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from attrs import define, field

from genui_adapters.io.process import CannotStart, UpstreamProcess
from genui_adapters.io.upstream_log import UpstreamLog, log_noise
from genui_core.application.stdio.supervision import Supervision
from genui_core.domain.session.relay import Relay
from genui_core.ports.event_log import EventLog

SIGNAL_GRACE_S = 0.5
"""How long an upstream may take to exit by itself after a signal to this process."""
KILLED_GRACE_S = 0.5
"""How long the end of a killed upstream may take to be noticed."""


class RunningUpstream(Protocol):
    """One life of an upstream, as a driver watches it."""

    def detach(self) -> None:
        """Watch it no longer."""

    def end(self) -> int:
        """End it and log its last words; blocks. Return its exit code."""


Upstream = TypeVar("Upstream", bound=RunningUpstream)


@define(eq=False)
class StdioConnection(ABC, Generic[Upstream]):
    """A host and the relay to its upstream: what a driver moves the bytes of."""

    relay: Relay
    supervision: Supervision
    event_log: EventLog
    first: UpstreamProcess
    host_in: int = 0
    host_out: int = 1
    host_left: bool = False
    _upstream: Upstream | None = field(init=False, default=None)
    _endings: list[threading.Thread] = field(init=False, factory=list)

    @abstractmethod
    def serve(self) -> None:
        """Relay until the host leaves or nothing more can be done; on return no process is left."""

    @abstractmethod
    def _watch(self, process: UpstreamProcess) -> Upstream:
        """Begin to read what an upstream writes."""

    @abstractmethod
    def _in_turn(self, step: Callable[[], None]) -> None:
        """Take a step in turn with what is read; called from any thread."""

    @abstractmethod
    def _flush(self) -> None:
        """Write what the relay has to say."""

    def start_upstream(self) -> None:
        """Start the upstream once more, as it was started the first time."""
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
        """End the rest of the upstream without waiting for it."""
        upstream, self._upstream = self._upstream, None
        if upstream is None:
            return
        upstream.detach()

        def end() -> None:
            exit_code = upstream.end()
            self._in_turn(lambda: self._gone(exit_code))

        thread = threading.Thread(target=end, daemon=True, name="upstream-ending")
        self._endings = [*(each for each in self._endings if each.is_alive()), thread]
        thread.start()

    def _gone(self, exit_code: int) -> None:
        if not self.host_left:
            self.supervision.gone(exit_code)
            self._flush()

    def _end_upstream(self) -> None:
        """End the upstream and wait until no process is left."""
        if self._upstream is not None:
            self._upstream.end()
        for each in self._endings:
            each.join()

    def log_of(self, upstream: UpstreamProcess) -> UpstreamLog:
        """Return the log of one life of the upstream."""
        return UpstreamLog(upstream.name, self.event_log)

    def log_noise(self) -> None:
        """Log the lines of its standard output that were no messages."""
        for line in self.relay.noise:
            if line.strip():
                log_noise(self.event_log, self.first.name, line)
        self.relay.noise.clear()
