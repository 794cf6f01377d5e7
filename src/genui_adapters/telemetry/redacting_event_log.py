"""An event log that leaves secrets out of what another writes."""

from attrs import field, frozen

from genui_core.domain.redaction import redacted_value
from genui_core.ports.event_log import EventLog, Level

_MOST_CHARACTERS = 8192
"""More of a text is not written anyway, and looking through it takes time."""


@frozen
class RedactingEventLog(EventLog):
    """Hands events on without secrets.

    Args:
        inner: Writes them.
        level: Skips events below it, since the log does not write them.
        secrets: The known secrets.
    """

    inner: EventLog
    level: Level
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Hand the event on."""
        if level < self.level:
            return
        safe = {name: redacted_value(_short(each), self.secrets, name) for name, each in metadata.items()}
        self.inner.record(level, component, event, **safe)


def _short(value: object) -> object:
    return value[:_MOST_CHARACTERS] if isinstance(value, str) else value
