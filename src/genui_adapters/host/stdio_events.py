"""What both stdio drivers do with what they read, whoever reads it."""

import os
import signal

from attrs import define, field

from genui_adapters.upstream.process import UpstreamProcess
from genui_core.domain.lines import LineBuffer
from genui_core.domain.relay import Relay
from genui_core.domain.rpc_errors import rpc_error
from genui_core.errors import UpstreamDied
from genui_core.ports.identity import Identity, RandomIdentity
from genui_core.ports.journal import Journal, Level

READ_BYTES = 65536

END_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
)
"""What tells us to end."""

LAST_WORDS_S = 0.3
"""How long what an ended upstream wrote last may take to be read."""

_MAX_STDERR_LINE_BYTES = 8192
_MAX_DRAINED_READS = 64


def read_some(fd: int) -> bytes | None:
    """Return what can be read, nothing at the end, or None where there is nothing to read yet."""
    try:
        return os.read(fd, READ_BYTES)
    except BlockingIOError:
        return None
    except OSError:
        return b""


@define
class UpstreamLog:
    """Brings what an upstream writes outside the protocol into our log, a line an event."""

    name: str
    journal: Journal
    identity: Identity = field(factory=RandomIdentity)
    _lines: LineBuffer = field(factory=LineBuffer)

    def stderr_sent(self, data: bytes) -> None:
        """Take bytes from its standard error."""
        for line in self._lines.feed(data):
            self._stderr_line(line)
        if self._lines.size > _MAX_STDERR_LINE_BYTES:
            self._stderr_line(self._lines.take())

    def stderr_closed(self) -> None:
        """Take note of the end of its standard error."""
        self._stderr_line(self._lines.take())

    def drain(self, fd: int) -> None:
        """Take what is left in a descriptor whose writer has ended, such as its last words."""
        os.set_blocking(fd, False)
        for _ in range(_MAX_DRAINED_READS):  # a child that got away may go on writing
            data = read_some(fd)
            if not data:
                break
            self.stderr_sent(data)
        self.stderr_closed()

    def upstream_ended(self, *, by_itself: bool) -> dict[str, object]:
        """Log its end where nobody asked for it, and return the error for what it has not answered."""
        request_id = self.identity.request_id()
        if by_itself:
            self.journal.record(
                Level.ERROR, "relay", "upstream_died", request_id=request_id, upstream=self.name
            )
        return rpc_error(UpstreamDied(), request_id=request_id)

    def noise(self, relay: Relay) -> None:
        """Log the lines of its standard output that were no messages."""
        for line in relay.noise:
            text = line.decode(errors="replace").strip()
            if text:
                self.journal.record(Level.WARN, "relay", "not_a_message", upstream=self.name, text=text)
        relay.noise.clear()

    def _stderr_line(self, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip()
        if text:
            self.journal.record(Level.INFO, "relay", "upstream_stderr", upstream=self.name, text=text)


@define(eq=False)
class StdioConnection:
    """A host and an upstream, and the relay between them: what a driver moves the bytes of.

    Attributes:
        relay: Says what the bytes become.
        upstream: Is written to and read from.
        log: Takes what is no message.
        host_in: Where the host writes.
        host_out: Where the host reads.
        host_left: Whether the host went first.
    """

    relay: Relay
    upstream: UpstreamProcess
    log: UpstreamLog
    host_in: int = 0
    host_out: int = 1
    host_left: bool = False
