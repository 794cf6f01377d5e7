"""Histories of views in the folder of a filesystem store, one sealed file a tool."""

from pathlib import Path

from anyio.to_thread import run_sync
from attrs import define, field

from genui_adapters.view_store.history_name import history_name
from genui_adapters.view_store.private_files import Suspicious, read_private, replace_private
from genui_adapters.view_store.sealed_entry import MOST_HISTORY_BYTES, NotOurs, seal_what_fits, unseal_history
from genui_core.domain.view_history import ViewHistory
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.view_histories import ViewHistories

_SUFFIX = ".history"


@define(kw_only=True)
class HistoryFiles(ViewHistories):
    """Keeps one file a tool, written in one step.

    Args:
        directory: The folder; made, for this user alone, when something is first kept.
        secret: The key that files are sealed with; stored elsewhere.
        event_log: Logs files that cannot be read or written.
    """

    directory: Path
    secret: bytes = field(repr=False)
    event_log: EventLog

    async def load(self, tool_name: str, upstream_name: str = "") -> ViewHistory | None:
        """Return what a tool's file holds."""
        return await run_sync(self._load, tool_name, upstream_name)

    async def save(self, history: ViewHistory) -> bool:
        """Replace a tool's file."""
        return await run_sync(self._save, history)

    async def drop(self, tool_name: str, upstream_name: str = "") -> None:
        """Remove a tool's file."""
        await run_sync(lambda: self._path(tool_name, upstream_name).unlink(missing_ok=True))

    async def clear(self, tool_name: str | None = None) -> int:
        """Remove all files, or those of a tool; return how many there were."""
        return await run_sync(self._clear, tool_name)

    # --- in a thread ---------------------------------------------------------------------

    def _load(self, tool_name: str, upstream_name: str) -> ViewHistory | None:
        try:
            data = read_private(self._path(tool_name, upstream_name), MOST_HISTORY_BYTES)
            history = unseal_history(data, self.secret)
        except FileNotFoundError:
            return None
        except (OSError, Suspicious, NotOurs, ValueError) as error:
            self._note("history_not_read", tool_name, error)
            return None
        return history if history.is_of(tool_name, upstream_name) else None

    def _save(self, history: ViewHistory) -> bool:
        data = seal_what_fits(history, self.secret)
        if data is None:
            self._note("history_not_kept", history.tool_name, "it is too large")
            return False
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_private(self._path(history.tool_name, history.upstream_name), data)
        except OSError as error:
            self._note("history_not_kept", history.tool_name, error)
            return False
        return True

    def _clear(self, tool_name: str | None) -> int:
        found = [each for each in self.directory.glob(f"*{_SUFFIX}") if self._is_of(each, tool_name)]
        for each in found:
            each.unlink(missing_ok=True)
        return len(found)

    def _is_of(self, path: Path, tool_name: str | None) -> bool:
        """Whether to delete a file; an unreadable file belongs to no tool."""
        if tool_name is None:
            return True
        try:
            history = unseal_history(read_private(path, MOST_HISTORY_BYTES), self.secret)
        except (OSError, Suspicious, NotOurs, ValueError):
            return False
        return history.tool_name == tool_name

    def _note(self, event: str, tool_name: str, reason: object) -> None:
        self.event_log.record(Level.WARN, "cache", event, tool_name=tool_name, reason=str(reason))

    def _path(self, tool_name: str, upstream_name: str) -> Path:
        """Return the file of a tool, whose name never becomes one."""
        return self.directory / f"{history_name(tool_name, upstream_name)}{_SUFFIX}"
