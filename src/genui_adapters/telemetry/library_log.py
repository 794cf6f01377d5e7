"""What the libraries that we serve with have to say, in our own log, one line each."""

import logging

from genui_core.ports.event_log import EventLog, Level


class EventLogHandler(logging.Handler):
    """Records what a library logs; of an exception what it says, not where it came from."""

    def __init__(self, event_log: EventLog) -> None:
        super().__init__(logging.WARNING)
        self._event_log = event_log

    def emit(self, record: logging.LogRecord) -> None:
        """Record one message."""
        level = Level.ERROR if record.levelno >= logging.ERROR else Level.WARN
        raised = record.exc_info[1] if record.exc_info else None
        error = None if raised is None else {"code": type(raised).__name__, "message": str(raised)}
        self._event_log.record(
            level, "wrapper", "library_log", library=record.name, text=record.getMessage(), error=error
        )


def collect_library_logs(event_log: EventLog) -> None:
    """Have warnings and errors of all libraries recorded, instead of written to standard error.

    Args:
        event_log: Takes them.
    """
    logging.basicConfig(handlers=[EventLogHandler(event_log)], level=logging.WARNING, force=True)
