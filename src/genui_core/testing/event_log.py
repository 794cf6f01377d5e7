"""An event log for tests, and what every event log promises."""

from abc import ABC, abstractmethod

from attrs import Factory, define, frozen

from genui_core.ports.event_log import EventLog, Level


@frozen
class Event:
    """One event as it was recorded."""

    level: Level
    component: str
    event: str
    metadata: dict[str, object]


@define
class RecordingEventLog(EventLog):
    """Keeps every event in a list.

    Attributes:
        events: What was recorded, in order.
    """

    events: list[Event] = Factory(list)

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Keep the event."""
        self.events.append(Event(level, component, event, metadata))

    def named(self, event: str) -> list[Event]:
        """Return the events of that name."""
        return [each for each in self.events if each.event == event]


class EventLogContract(ABC):
    """Inherit, say how to make the event log and what it kept, and let pytest run the rest."""

    @abstractmethod
    def make(self) -> EventLog:
        """Return an event log that keeps events of every level."""

    @abstractmethod
    def kept(self) -> str:
        """Return everything that was kept, as text."""

    def test_keeps_what_is_recorded(self) -> None:
        """The component, the event and the fields can be found again."""
        self.make().record(Level.WARN, "relay", "upstream_restarted", tool_name="echo", attempt=3)
        kept = self.kept()
        assert all(each in kept for each in ("relay", "upstream_restarted", "echo", "3"))

    def test_control_characters_cannot_reach_a_terminal(self) -> None:
        """Text of an upstream is shown, but not obeyed."""
        self.make().record(Level.INFO, "relay", "upstream_stderr", text="a\x1b[2Jb\r\nforged line\x07\u202e")
        kept = self.kept()
        assert kept.count("\n") <= 1
        assert not any(each in kept for each in "\x1b\r\x07\u202e")
        assert "forged line" in kept

    def test_never_raises_whatever_it_is_given(self) -> None:
        """Odd values are kept somehow, or let go."""
        event_log = self.make()
        for odd in (object(), "\ud800", b"\xff", float("inf"), {"a": {1, 2}}, "x" * 100_000, None, ""):
            event_log.record(Level.ERROR, "wrapper", "odd", value=odd)

    def test_one_event_stays_one_bounded_line(self) -> None:
        """A flood of text does not become a flood of log."""
        self.make().record(Level.INFO, "relay", "upstream_stderr", text="x" * 1_000_000)
        assert len(self.kept()) < 10_000
