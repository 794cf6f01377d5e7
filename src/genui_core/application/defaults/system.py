"""The clock, the identity and the event log of a wrapper that was given none."""

from time import monotonic
from typing import TYPE_CHECKING
from uuid import uuid4

from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.identity import Identity

if TYPE_CHECKING:
    from datetime import datetime


class SystemClock(Clock):
    """The clocks of the system: the default."""

    def monotonic_ms(self) -> int:
        """Return the system's monotonic clock."""
        return int(monotonic() * 1000)

    def now(self) -> "datetime":
        """Return the system's time."""
        from datetime import UTC, datetime  # noqa: PLC0415 -- loaded with the first view that needs a date

        return datetime.now(UTC)


class RandomIdentity(Identity):
    """Identity out of the system's randomness: the default."""

    def request_id(self) -> str:
        """Return a random UUID (RFC 9562, version 4)."""
        return str(uuid4())

    def nonce(self) -> str:
        """Return 32 random hex digits."""
        return uuid4().hex


class SilentEventLog(EventLog):
    """Drops every event: the default without a log."""

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Let the event go."""
