"""The event log port (requirement O1)."""

from abc import abstractmethod
from enum import IntEnum
from typing import Protocol


class Level(IntEnum):
    """The severity of an event."""

    DEBUG = 10
    INFO = 20
    WARN = 30
    ERROR = 40


class EventLog(Protocol):
    """Records events for people and programs that read them later.

    An implementation may be called from several threads. It never raises and never blocks for long: it drops
    an event that it cannot record. Text in an event may come from an upstream and is untrusted; the
    implementation must make it safe for its destination.
    """

    @abstractmethod
    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Record one event.

        Args:
            level: The severity of the event.
            component: ``wrapper``, ``relay``, ``tool_proxy``, ``ui_generator``, ``llm``,
                ``validator`` or ``cache``.
            event: The name of the event, in snake case.
            metadata: The fields of the event, with values that JSON can hold. ``request_id``,
                ``tool_name``, ``duration_ms``, ``cache_key`` and ``error`` (``code``, ``message``,
                ``stack``) have their own places in the record.
        """
