"""Views and histories in a folder that several processes may share (requirement C2)."""

import contextlib
import os
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from anyio.to_thread import run_sync
from attrs import field, frozen

from genui_adapters.view_store.private_files import NEW_PREFIX, hashed, in_thread, read_plain, replace_whole
from genui_adapters.view_store.sealed_entry import (
    MOST_HISTORY_BYTES,
    NotOurs,
    SealedHistories,
    history_name,
    most_bytes,
    seal,
    unseal,
)
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.views.stored_view import StoredView, StoreStats, fits
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.view_store import ViewStore

_SUFFIX = ".view"
_SET_ASIDE = "set-aside"
_MOST_SET_ASIDE = 50
_ABANDONED_AFTER_S = 3600
"""The age at which an unfinished file counts as left by a dead process."""


@frozen(kw_only=True)
class FilesystemStore(ViewStore):
    """Stores one file per view, named by the hash of the view's key.

    Files are sealed: a file that is damaged, swapped or foreign is a miss and is set aside.

    Args:
        secret: The secret that seals the files; stored elsewhere.
        settings: The bounds; the least recently used views make room.
    """

    directory: Path
    secret: bytes = field(repr=False)
    settings: CacheSettings
    clock: Clock
    event_log: EventLog
    _reads: Counter[bool] = field(factory=Counter, init=False)

    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key unless it has expired; it counts as used now."""
        view = await self._get(key)
        self._reads[view is not None] += 1
        return view

    @in_thread
    def set(self, view: StoredView) -> bool:
        """Store a view; after True, it also survives a loss of power."""
        if not fits(view, self.settings):
            return False
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_whole(self._path(view.key), seal(view, self.secret))
        except OSError as error:
            about = {"cache_key": view.key, "tool_name": view.tool_name, "reason": str(error)}
            self.event_log.record(Level.WARN, "cache", "not_kept", **about)
            return False
        _mark_used(self._path(view.key))
        self._make_room(view.key)
        return True

    @in_thread
    def invalidate(self, tool_name: str) -> int:
        """Delete a tool's views."""
        opened = ((path, self._unseal(path)) for path, _ in self._files())
        return _delete(path for path, view in opened if view is not None and view.tool_name == tool_name)

    @in_thread
    def stored_among(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of the keys with a view that has not expired; read only their files."""
        return frozenset(view.key for view in self._fresh(map(self._path, keys)))

    @in_thread
    def discard(self, keys: Collection[str]) -> int:
        """Delete the files of these keys."""
        return _delete(map(self._path, keys))

    @in_thread
    def clear(self) -> int:
        """Delete all views."""
        return _delete(path for path, _ in self._files())

    @in_thread
    def entries(self) -> tuple[StoredView, ...]:
        """Return all views that have not expired."""
        return tuple(self._fresh(path for path, _ in self._files_by_use()))

    async def stats(self) -> StoreStats:
        """Return the counts; the sizes are those of the files."""
        sizes = await run_sync(lambda: [facts.st_size for _, facts in self._files()])
        hits, misses = self._reads[True], self._reads[False]
        return StoreStats(entries=len(sizes), hits=hits, misses=misses, total_size_bytes=sum(sizes))

    async def close(self) -> None:
        """Do nothing: no write is pending."""

    # --- in a thread ---------------------------------------------------------------------

    @in_thread
    def _get(self, key: str) -> StoredView | None:
        path = self._path(key)
        view = self._unseal(path)
        if view is None:
            return None
        if view.is_past(self.clock.now(), self.settings.ttl):
            path.unlink(missing_ok=True)
            return None
        _mark_used(path)
        return view

    def _fresh(self, paths: Iterable[Path]) -> Iterator[StoredView]:
        now, ttl = self.clock.now(), self.settings.ttl
        return (view for view in map(self._unseal, paths) if view is not None and not view.is_past(now, ttl))

    def _unseal(self, path: Path) -> StoredView | None:
        """Return the view in a file; set the file aside if it holds none."""
        try:
            return unseal(read_plain(path, most_bytes(self.settings), is_own=True), self.secret, path.stem)
        except FileNotFoundError:
            pass
        except (OSError, NotOurs, ValueError) as error:
            self._set_aside(path, str(error))
        return None

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
        files = self._files_by_use()
        count, size = len(files), sum(facts.st_size for _, facts in files)
        for path, facts in files:
            if count <= self.settings.max_entries and size <= self.settings.max_total_size_bytes:
                break
            if path != self._path(kept):
                path.unlink(missing_ok=True)
                count, size = count - 1, size - facts.st_size

    def _files_by_use(self) -> list[tuple[Path, os.stat_result]]:
        return sorted(self._files(), key=lambda each: each[1].st_mtime_ns)

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Yield the files of views; delete unfinished files of dead processes."""
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
        """Return the file of a key; its name is a hash, so any text may be a key."""
        return self.directory / f"{hashed(key)}{_SUFFIX}"


def _mark_used(path: Path) -> None:
    """Set a file's date to now, with more precision than the system's own."""
    now = time.time_ns()
    with contextlib.suppress(OSError):
        os.utime(path, ns=(now, now))


def _delete(paths: Iterable[Path]) -> int:
    """Delete files, and return how many there were."""
    count = 0
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
            count += 1
    return count


_HISTORY_SUFFIX = ".history"


@frozen(kw_only=True)
class HistoryFiles(SealedHistories):
    """Stores one file per tool, written in one step."""

    is_shared = True
    directory: Path
    secret: bytes = field(repr=False)
    event_log: EventLog

    @in_thread
    def mark(self, tool_name: str, upstream_name: str = "") -> str | None:
        """Return the number and the time of the file, which each change replaces; None without a file."""
        with contextlib.suppress(OSError):
            facts = self._path(history_name(tool_name, upstream_name)).stat()
            return f"{facts.st_ino} {facts.st_mtime_ns}"
        return None

    @in_thread
    def _read(self, operation: str, name: str) -> bytes | None:  # noqa: ARG002 -- for a server's log
        with contextlib.suppress(FileNotFoundError):
            return read_plain(self._path(name), MOST_HISTORY_BYTES, is_own=True)
        return None

    @in_thread
    def _write(self, name: str, data: bytes) -> str:
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_whole(self._path(name), data)
        except OSError as error:
            return str(error)
        return ""

    @in_thread
    def _remove(self, operation: str, name: str) -> bool:  # noqa: ARG002 -- for a server's log
        return bool(_delete([self._path(name)]))

    @in_thread
    def _names(self) -> list[str]:
        return [each.stem for each in self.directory.glob(f"*{_HISTORY_SUFFIX}")]

    def _path(self, name: str) -> Path:
        return self.directory / f"{name}{_HISTORY_SUFFIX}"
