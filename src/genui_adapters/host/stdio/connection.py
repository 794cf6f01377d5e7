"""Event handlers that both stdio drivers share."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

from attrs import define, field

from genui_adapters.io.process import UpstreamProcess
from genui_adapters.io.upstream_log import UpstreamLog
from genui_core.application.stdio.supervision import Supervision
from genui_core.domain.session.relay import Relay
from genui_core.ports.event_log import EventLog, Level


@define(eq=False)
class Endings:
    """The endings that are under way."""

    _threads: list[threading.Thread] = field(factory=list)

    def begin(self, end: Callable[[], None]) -> None:
        """Have an upstream ended without waiting for it."""
        thread = threading.Thread(target=end, daemon=True, name="upstream-ending")
        self._threads = [*(each for each in self._threads if each.is_alive()), thread]
        thread.start()

    def wait(self) -> None:
        """Wait until all have ended."""
        for each in self._threads:
            each.join()


SIGNAL_GRACE_S = 0.5
"""How long an upstream may take to exit by itself after a signal to this process."""
KILLED_GRACE_S = 0.5
"""How long the end of a killed upstream may take to be noticed."""


@define(eq=False)
class StdioConnection(ABC):
    """A host and the relay to its upstream: what a driver moves the bytes of.

    Attributes:
        relay: Says what the bytes become.
        supervision: Says what becomes of an upstream that ends.
        event_log: Where the upstream's log goes.
        first: The upstream as it was started for us.
        host_in: Where the host writes.
        host_out: Where the host reads.
        host_left: Whether the host went first.
    """

    relay: Relay
    supervision: Supervision
    event_log: EventLog
    first: UpstreamProcess
    host_in: int = 0
    host_out: int = 1
    host_left: bool = False

    @abstractmethod
    def serve(self) -> None:
        """Relay until the host leaves or nothing more can be done; on return no process is left."""

    def start_again(self) -> UpstreamProcess:
        """Start the upstream as it was started the first time.

        Raises:
            CannotStart: The program or directory is missing, or may not be used.
        """
        return UpstreamProcess(self.first.command)

    def log_of(self, upstream: UpstreamProcess) -> UpstreamLog:
        """Return the log of one life of the upstream."""
        return UpstreamLog(upstream.name, self.event_log)

    def log_noise(self) -> None:
        """Log the lines of its standard output that were no messages."""
        for line in self.relay.noise:
            text = line.decode(errors="replace").strip()
            if text:
                self.event_log.record(
                    Level.WARN, "relay", "not_a_message", upstream=self.first.name, text=text
                )
        self.relay.noise.clear()
