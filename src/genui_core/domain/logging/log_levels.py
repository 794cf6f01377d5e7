"""How much of an upstream's log a host wants (MCP logging, RFC 5424)."""

from collections.abc import Iterable

LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
"""Where a request of the stateless generation says how much of the log it wants."""

LOG_MESSAGE = "notifications/message"

_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


def is_wanted(level: object, wanted: object) -> bool:
    """Whether a message's level is at least the wanted level."""
    if level not in _LEVELS or wanted not in _LEVELS:
        return False
    return _LEVELS.index(str(level)) >= _LEVELS.index(str(wanted))


def most_talkative(levels: Iterable[object]) -> str | None:
    """Return the lowest level that any host wants, or None if no host wants logs."""
    known = [str(each) for each in levels if each in _LEVELS]
    return min(known, key=_LEVELS.index, default=None)
