"""The clock port: monotonic time for durations and time limits, and UTC for dates."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # loaded with the first view that needs a date
    from datetime import datetime


class Clock(Protocol):
    """The source of time. Called from several threads; never blocks."""

    @abstractmethod
    def monotonic_ms(self) -> int:
        """Return milliseconds that never decrease, also when the system's clock is set."""

    @abstractmethod
    def now(self) -> "datetime":
        """Return the current date and time, with the time zone UTC."""
