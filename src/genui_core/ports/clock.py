"""What time it is, twice: for budgets, and for people."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # loaded with the first view that needs a date
    from datetime import datetime


class Clock(Protocol):
    """Tells the time. Never blocks."""

    @abstractmethod
    def monotonic_ms(self) -> int:
        """Return milliseconds that only ever grow, whatever happens to the system's clock."""

    @abstractmethod
    def now(self) -> "datetime":
        """Return the moment, in UTC."""
