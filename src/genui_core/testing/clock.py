"""A clock for tests, and the contract suite of all clocks."""

from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta

from attrs import define

from genui_core.ports.clock import Clock


@define
class HandClock(Clock):
    """A clock that stands still until a test moves it with `advance`."""

    _at: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    _elapsed_ms: int = 0

    def monotonic_ms(self) -> int:
        """Return by how many milliseconds the clock was moved."""
        return self._elapsed_ms

    def now(self) -> datetime:
        """Return the date and time of the clock; it starts on 1 January 2026."""
        return self._at

    def advance(self, milliseconds: int) -> None:
        """Move both times forward."""
        self._elapsed_ms += milliseconds
        self._at += timedelta(milliseconds=milliseconds)


class ClockContract(ABC):
    """The contract suite of clocks: inherit it and implement `make`."""

    @abstractmethod
    def make(self) -> Clock:
        """Return the clock under test."""

    def test_it_never_goes_back(self) -> None:
        """Durations and time limits rely on it."""
        clock = self.make()
        readings = [clock.monotonic_ms() for _ in range(100)]
        assert readings == sorted(readings)

    def test_the_moment_is_in_utc(self) -> None:
        """Stored dates mean the same on any machine."""
        assert self.make().now().utcoffset() == timedelta(0)
