"""Where events go that somebody may want to read later (requirement O1)."""

from abc import abstractmethod
from enum import IntEnum
from typing import Protocol


class Level(IntEnum):
    """How much an event matters."""

    DEBUG = 10
    INFO = 20
    WARN = 30
    ERROR = 40


class EventLog(Protocol):
    """Keeps events.

    Implementations never raise and never block for long: an event that cannot be kept is
    dropped. They may be called from several threads. Text in an event may come from an
    upstream and is untrusted; making it safe for the destination is the implementation's duty.
    """

    @abstractmethod
    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Keep one event.

        Args:
            level: How much it matters.
            component: ``wrapper``, ``relay``, ``tool_proxy``, ``ui_generator``, ``llm``,
                ``validator`` or ``cache``.
            event: Its name, in snake case.
            metadata: Anything that JSON can hold; ``request_id``, ``tool_name``,
                ``duration_ms``, ``cache_key`` and ``error`` (``code``, ``message``, ``stack``)
                have places of their own in the record.
        """
