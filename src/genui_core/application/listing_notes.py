"""What a wrapper tells the event log of its tools and of serving them."""

from collections.abc import Mapping

from genui_core.domain.tools.registry import ToolDiff
from genui_core.domain.tools.tool import Tool
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.identity import Identity


def note_listing(event_log: EventLog, diff: ToolDiff, yielded_names: Mapping[str, str] | None) -> None:
    """Note which tools there are at first, and which came, went or changed since.

    Args:
        event_log: Where.
        diff: What the listing changed.
        yielded_names: Which of our tools go by other names (SPEC W12), for the first listing; None for later ones.
    """
    if yielded_names is not None:
        event_log.record(Level.INFO, "wrapper", "tools_listed", tools=len(diff.added))
        for name, published in yielded_names.items():
            event_log.record(Level.WARN, "wrapper", "name_taken", tool_name=name, published_as=published)
        return
    for name in diff.changed:
        event_log.record(Level.WARN, "wrapper", "tool_changed", tool_name=name)
    if diff.added or diff.removed:
        added, removed = list(diff.added), list(diff.removed)
        event_log.record(Level.INFO, "wrapper", "tools_refreshed", added=added, removed=removed)


def note_hit(event_log: EventLog, tool: Tool, key: str, request_id: str) -> None:
    """Log the read of a cached view."""
    event_log.record(Level.DEBUG, "cache", "hit", tool_name=tool.name, cache_key=key, request_id=request_id)


def note_last_resort(event_log: EventLog, identity: Identity, tool: Tool, reason: str) -> None:
    """Log that a tool got the error page, and why."""
    event_log.record(
        Level.WARN,
        "ui_generator",
        "fallback_used",
        tool_name=tool.name,
        request_id=identity.request_id(),
        reason=reason,
        errors=[],
        fallbackType="emergency",
    )
