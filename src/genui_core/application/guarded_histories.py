"""Guards the histories of another package: they may raise although the port forbids it."""

from attrs import frozen

from genui_core.application.guarding import guarded
from genui_core.domain.view_history import ViewHistory
from genui_core.ports.event_log import EventLog
from genui_core.ports.view_histories import ViewHistories


@frozen
class GuardedHistories(ViewHistories):
    """Takes what other histories raise for nothing remembered, or nothing kept, and tells the event log."""

    inner: ViewHistories
    event_log: EventLog

    async def mark(self, tool_name: str, upstream_name: str = "") -> str | None:
        """Return a mark that differs after each change; None after an error, or if no other process writes."""
        if not getattr(self.inner, "is_shared", False):  # one may follow the port without naming it
            return None
        return await guarded(
            self.event_log, "mark", lambda: self.inner.mark(tool_name, upstream_name), otherwise=None
        )

    async def load(self, tool_name: str, upstream_name: str = "") -> ViewHistory | None:
        """Return what is remembered of a tool, or None."""
        return await guarded(
            self.event_log, "load", lambda: self.inner.load(tool_name, upstream_name), otherwise=None
        )

    async def save(self, history: ViewHistory) -> bool:
        """Remember this of a tool; say whether it is."""
        return await guarded(self.event_log, "save", lambda: self.inner.save(history), otherwise=False)

    async def drop(self, tool_name: str, upstream_name: str = "") -> None:
        """Remember nothing of a tool any more."""
        await guarded(
            self.event_log, "drop", lambda: self.inner.drop(tool_name, upstream_name), otherwise=None
        )

    async def clear(self, tool_name: str | None = None) -> int:
        """Forget all histories, or those of a tool; return how many there were."""
        return await guarded(self.event_log, "clear", lambda: self.inner.clear(tool_name), otherwise=0)
