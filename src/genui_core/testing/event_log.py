"""An event log for tests, and the contract suite of all event logs."""

from abc import ABC, abstractmethod

from attrs import Factory, define, frozen

from genui_core.ports.event_log import EventLog, Level


@frozen
class Event:
    """One recorded event."""

    level: Level
    component: str
    event: str
    metadata: dict[str, object]


@define
class RecordingEventLog(EventLog):
    """An event log that keeps every event in a list.

    Attributes:
        events: The recorded events, in order.
    """

    events: list[Event] = Factory(list)

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Append the event to the list."""
        self.events.append(Event(level, component, event, metadata))

    def named(self, event: str) -> list[Event]:
        """Return the events of this name, in order."""
        return [each for each in self.events if each.event == event]


class EventLogContract(ABC):
    """The contract suite of event logs: inherit it and implement `make` and `text`."""

    @abstractmethod
    def make(self) -> EventLog:
        """Return the event log under test, which records events of every level."""

    @abstractmethod
    def text(self) -> str:
        """Return the text of all events recorded so far."""

    def test_keeps_what_is_recorded(self) -> None:
        """The text holds the component, the event and the fields."""
        self.make().record(Level.WARN, "relay", "upstream_restarted", tool_name="echo", attempt=3)
        text = self.text()
        assert all(each in text for each in ("relay", "upstream_restarted", "echo", "3"))

    def test_control_characters_cannot_reach_a_terminal(self) -> None:
        """Text from an upstream must not control a terminal or add a line."""
        self.make().record(Level.INFO, "relay", "upstream_stderr", text="a\x1b[2Jb\r\nforged line\x07\u202e")
        text = self.text()
        assert text.count("\n") <= 1
        assert not any(each in text for each in "\x1b\r\x07\u202e")
        assert "forged line" in text

    def test_never_raises_whatever_it_is_given(self) -> None:
        """The event log records odd values in some form, or drops them."""
        event_log = self.make()
        for odd in (object(), "\ud800", b"\xff", float("inf"), {"a": {1, 2}}, "x" * 100_000, None, ""):
            event_log.record(Level.ERROR, "wrapper", "odd", value=odd)

    def test_one_event_stays_one_bounded_line(self) -> None:
        """A very long text is cut."""
        self.make().record(Level.INFO, "relay", "upstream_stderr", text="x" * 1_000_000)
        assert len(self.text()) < 10_000
