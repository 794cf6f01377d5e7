"""What time it is, twice: for budgets, and for people."""

from abc import abstractmethod
from time import monotonic
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # loaded with the first view that needs a date
    from datetime import datetime


class Clock(Protocol):
    """Tells the time. Never blocks."""

    @abstractmethod
    def monotonic_ms(self) -> int:
        """Return milliseconds that only ever grow, whatever happens to the system's clock."""
        ...

    @abstractmethod
    def now(self) -> "datetime":
        """Return the moment, in UTC."""
        ...


class SystemClock(Clock):
    """The clocks of the system: the default."""

    def monotonic_ms(self) -> int:
        """Return the system's monotonic clock."""
        return int(monotonic() * 1000)

    def now(self) -> "datetime":
        """Return the system's time."""
        from datetime import UTC, datetime  # noqa: PLC0415 -- see above

        return datetime.now(UTC)
