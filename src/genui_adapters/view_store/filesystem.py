"""Views kept in a folder that several processes may share (SPEC §9)."""

import contextlib
import os
import time
from collections import Counter
from collections.abc import Collection, Iterator
from hashlib import sha256
from pathlib import Path

from anyio.to_thread import run_sync
from attrs import field, frozen

from genui_adapters.view_store.private_files import (
    NEW_PREFIX,
    history_name,
    read_plain,
    replace_whole,
)
from genui_adapters.view_store.sealed_entry import (
    MOST_HISTORY_BYTES,
    NotOurs,
    seal,
    seal_what_fits,
    unseal,
    unseal_history,
)
from genui_core.domain.settings.settings import CacheSettings
from genui_core.domain.views.stored_view import StoredView, StoreStats, ViewHistory
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.view_histories import ViewHistories
from genui_core.ports.view_store import ViewStore

_SUFFIX = ".view"
_SET_ASIDE = "set-aside"
_MOST_SET_ASIDE = 50
_MOST_AROUND_BYTES = 1_000_000
"""What a file may hold besides its source; JSON may write a byte of that as six."""
_ABANDONED_AFTER_S = 3600
"""A half-written file this old was left by a process that is gone."""


@frozen(kw_only=True)
class FilesystemStore(ViewStore):
    """Keeps one file a view, named by the hash of its key.

    Files are sealed, so that what was damaged, swapped or put there by somebody else is a miss
    and is set aside.

    Args:
        secret: What files are sealed with; kept elsewhere.
        settings: The bounds; those that were used longest ago make room.
    """

    directory: Path
    secret: bytes = field(repr=False)
    settings: CacheSettings
    clock: Clock
    event_log: EventLog
    _found: Counter[bool] = field(factory=Counter, init=False)

    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key unless it is too old; it counts as used now."""
        view = await run_sync(self._get, key)
        self._found[view is not None] += 1
        return view

    async def set(self, view: StoredView) -> bool:
        """Keep a view. After True it is there also when the power fails."""
        return await run_sync(self._set, view)

    async def invalidate(self, tool_name: str) -> int:
        """Forget a tool's views."""
        return await run_sync(self._remove, tool_name)

    async def kept(self, keys: Collection[str]) -> frozenset[str]:
        """Return which of these are kept and not too old: only their files are looked at."""
        return await run_sync(self._kept, keys)

    async def discard(self, keys: Collection[str]) -> int:
        """Remove the files of these."""
        return await run_sync(self._discard, keys)

    async def clear(self) -> int:
        """Forget all views."""
        return await run_sync(self._remove, None)

    async def entries(self) -> tuple[StoredView, ...]:
        """Return what is kept and not too old."""
        return await run_sync(self._entries)

    async def stats(self) -> StoreStats:
        """Count files; the sizes are those of the files."""
        sizes = await run_sync(lambda: [facts.st_size for _, facts in self._files()])
        hits, misses = self._found[True], self._found[False]
        return StoreStats(entries=len(sizes), hits=hits, misses=misses, total_size_bytes=sum(sizes))

    async def close(self) -> None:
        """Nothing is ever left unwritten."""

    # --- in a thread ---------------------------------------------------------------------

    def _get(self, key: str) -> StoredView | None:
        path = self._path(key)
        view = self._opened(path)
        if view is None:
            return None
        if view.is_past(self.clock.now(), self.settings.ttl):
            path.unlink(missing_ok=True)
            return None
        _mark_used(path)
        return view

    def _set(self, view: StoredView) -> bool:
        if view.size_bytes > min(self.settings.max_entry_size_bytes, self.settings.max_total_size_bytes):
            return False
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_whole(self._path(view.key), seal(view, self.secret))
        except OSError as error:
            self.event_log.record(
                Level.WARN,
                "cache",
                "not_kept",
                cache_key=view.key,
                tool_name=view.tool_name,
                reason=str(error),
            )
            return False
        _mark_used(self._path(view.key))
        self._make_room(view.key)
        return True

    def _remove(self, tool_name: str | None) -> int:
        count = 0
        for path, _ in self._files():
            view = None if tool_name is None else self._opened(path)
            if tool_name is None or (view is not None and view.tool_name == tool_name):
                path.unlink(missing_ok=True)
                count += 1
        return count

    def _kept(self, keys: Collection[str]) -> frozenset[str]:
        now, ttl = self.clock.now(), self.settings.ttl
        views = ((key, self._opened(self._path(key))) for key in keys)
        return frozenset(key for key, view in views if view is not None and not view.is_past(now, ttl))

    def _discard(self, keys: Collection[str]) -> int:
        count = 0
        for key in keys:
            with contextlib.suppress(OSError):
                self._path(key).unlink()
                count += 1
        return count

    def _entries(self) -> tuple[StoredView, ...]:
        by_use = sorted(self._files(), key=lambda each: each[1].st_mtime_ns)
        views = (self._opened(path) for path, _ in by_use)
        now, ttl = self.clock.now(), self.settings.ttl
        return tuple(view for view in views if view is not None and not view.is_past(now, ttl))

    def _opened(self, path: Path) -> StoredView | None:
        """Return the view in a file; set a file without one aside."""
        try:
            return self._unsealed(path)
        except FileNotFoundError:
            pass
        except (OSError, NotOurs, ValueError) as error:
            self._set_aside(path, str(error))
        return None

    def _unsealed(self, path: Path) -> StoredView:
        most = 8 * self.settings.max_entry_size_bytes + _MOST_AROUND_BYTES
        view = unseal(read_plain(path, most, is_own=True), self.secret)
        if self._path(view.key) != path:
            raise NotOurs("it belongs under another key")
        return view

    def _set_aside(self, path: Path, reason: str) -> None:
        self.event_log.record(Level.WARN, "cache", "set_aside", file=path.name, reason=reason)
        aside = self.directory / _SET_ASIDE
        with contextlib.suppress(OSError):
            aside.mkdir(exist_ok=True, mode=0o700)
            if len([*aside.iterdir()]) < _MOST_SET_ASIDE:
                path.rename(aside / f"{path.name}.{time.time_ns()}")
            else:
                path.unlink()

    def _make_room(self, kept: str) -> None:
        files = sorted(self._files(), key=lambda each: each[1].st_mtime_ns)
        count, size = len(files), sum(facts.st_size for _, facts in files)
        for path, facts in files:
            if count <= self.settings.max_entries and size <= self.settings.max_total_size_bytes:
                break
            if path != self._path(kept):
                path.unlink(missing_ok=True)
                count, size = count - 1, size - facts.st_size

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Walk over the files of views; what a process that died left half-written is removed."""
        try:
            listed = [*os.scandir(self.directory)]
        except FileNotFoundError:
            return
        for each in listed:
            with contextlib.suppress(OSError):
                facts = each.stat(follow_symlinks=False)
                if each.name.endswith(_SUFFIX):
                    yield Path(each.path), facts
                elif each.name.startswith(NEW_PREFIX) and time.time() - facts.st_mtime > _ABANDONED_AFTER_S:
                    Path(each.path).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        """Return the file of a key: names of tools, and keys that are none, never become file names."""
        return self.directory / f"{sha256(key.encode()).hexdigest()}{_SUFFIX}"


def _mark_used(path: Path) -> None:
    """Date a file now, more finely than the system does by itself."""
    now = time.time_ns()
    with contextlib.suppress(OSError):
        os.utime(path, ns=(now, now))


_HISTORY_SUFFIX = ".history"


@frozen(kw_only=True)
class HistoryFiles(ViewHistories):
    """Keeps one file a tool, written in one step."""

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
            data = read_plain(self._path(tool_name, upstream_name), MOST_HISTORY_BYTES, is_own=True)
            history = unseal_history(data, self.secret)
        except FileNotFoundError:
            return None
        except (OSError, NotOurs, ValueError) as error:
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
            replace_whole(self._path(history.tool_name, history.upstream_name), data)
        except OSError as error:
            self._note("history_not_kept", history.tool_name, error)
            return False
        return True

    def _clear(self, tool_name: str | None) -> int:
        found = [each for each in self.directory.glob(f"*{_HISTORY_SUFFIX}") if self._is_of(each, tool_name)]
        for each in found:
            each.unlink(missing_ok=True)
        return len(found)

    def _is_of(self, path: Path, tool_name: str | None) -> bool:
        """Whether to delete a file; an unreadable file belongs to no tool."""
        if tool_name is None:
            return True
        try:
            history = unseal_history(read_plain(path, MOST_HISTORY_BYTES, is_own=True), self.secret)
        except (OSError, NotOurs, ValueError):
            return False
        return history.tool_name == tool_name

    def _note(self, event: str, tool_name: str, reason: object) -> None:
        self.event_log.record(Level.WARN, "cache", event, tool_name=tool_name, reason=str(reason))

    def _path(self, tool_name: str, upstream_name: str) -> Path:
        """Return the file of a tool, whose name never becomes one."""
        return self.directory / f"{history_name(tool_name, upstream_name)}{_HISTORY_SUFFIX}"
