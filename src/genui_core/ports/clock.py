"""What time it is, twice: for budgets, and for people."""

from abc import abstractmethod
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol


class Clock(Protocol):
    """Tells the time. Never blocks."""

    @abstractmethod
    def monotonic_ms(self) -> int:
        """Return milliseconds that only ever grow, whatever happens to the system's clock."""
        ...

    @abstractmethod
    def now(self) -> datetime:
        """Return the moment, in UTC."""
        ...


class SystemClock(Clock):
    """The clocks of the system: the default."""

    def monotonic_ms(self) -> int:
        """Return the system's monotonic clock."""
        return int(monotonic() * 1000)

    def now(self) -> datetime:
        """Return the system's time."""
        return datetime.now(UTC)
