"""A clock for tests, and what every clock promises."""

from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta

from attrs import define

from genui_core.ports.clock import Clock


@define
class HandClock(Clock):
    """Stands still until a test moves it."""

    _at: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    _elapsed_ms: int = 0

    def monotonic_ms(self) -> int:
        """Return the milliseconds it was moved by."""
        return self._elapsed_ms

    def now(self) -> datetime:
        """Return where it stands."""
        return self._at

    def advance(self, milliseconds: int) -> None:
        """Move it on."""
        self._elapsed_ms += milliseconds
        self._at += timedelta(milliseconds=milliseconds)


class ClockContract(ABC):
    """Inherit, say how to make the clock, and let pytest run the rest."""

    @abstractmethod
    def make(self) -> Clock:
        """Return a clock."""

    def test_it_never_goes_back(self) -> None:
        """Budgets rely on it."""
        clock = self.make()
        readings = [clock.monotonic_ms() for _ in range(100)]
        assert readings == sorted(readings)

    def test_the_moment_is_in_utc(self) -> None:
        """Stored moments mean the same on any machine."""
        assert self.make().now().utcoffset() == timedelta(0)
