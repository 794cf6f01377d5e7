"""A store of one's own: views in one SQLite file, which all wrappers of a machine may share.

``"cache": {"type": "sqlite", "directory": "FOLDER"}`` keeps them in ``FOLDER/views.db``.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from anyio.to_thread import run_sync
from attrs import asdict, define

from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.views.stored_view import CACHE_VERSION, StoredView, StoreStats
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.view_store import ViewStore

_Result = TypeVar("_Result")

_TABLE = """
CREATE TABLE IF NOT EXISTS views (
  key TEXT PRIMARY KEY, tool TEXT NOT NULL, bytes INTEGER NOT NULL, used INTEGER NOT NULL, view TEXT NOT NULL
)
"""
_NEXT_USE = "(SELECT coalesce(max(used), 0) + 1 FROM views)"
_BEYOND = """
DELETE FROM views WHERE key IN (
  SELECT key FROM (
    SELECT key, row_number() OVER newest AS place, sum(bytes) OVER newest AS total
    FROM views WINDOW newest AS (ORDER BY used DESC)
  ) WHERE place > ? OR total > ?
)
"""


@define
class SqliteStore(ViewStore):
    """Keeps views in a file; each operation is one transaction in a thread of its own.

    Attributes:
        file: Where; made with its folder when the first view is looked for.
        settings: The bounds.
        event_log: Told what went wrong.
    """

    file: Path
    settings: CacheSettings
    event_log: EventLog
    _hits: int = 0
    _misses: int = 0

    async def get(self, key: str) -> StoredView | None:
        """Return a view unless it is too old; from now on it is the last that was used."""
        row = await self._run(lambda views: _used(views, key), None)
        found = None if row is None else self._read(row)
        if found is None:
            self._misses += 1
        else:
            self._hits += 1
        return found

    async def set(self, view: StoredView) -> bool:
        """Keep a view; those that were used longest ago make room."""
        if view.size_bytes > self.settings.max_entry_size_bytes:
            return False
        row = (view.key, view.tool_name, view.size_bytes, json.dumps(asdict(view)))
        bounds = (self.settings.max_entries, self.settings.max_total_size_bytes)

        def write(views: sqlite3.Connection) -> bool:
            views.execute(f"REPLACE INTO views VALUES (?, ?, ?, {_NEXT_USE}, ?)", row)  # noqa: S608 -- ours
            views.execute(_BEYOND, bounds)
            return views.execute("SELECT 1 FROM views WHERE key = ?", row[:1]).fetchone() is not None

        return await self._run(write, False)

    async def invalidate(self, tool_name: str) -> int:
        """Forget a tool's views."""
        return await self._run(
            lambda views: views.execute("DELETE FROM views WHERE tool = ?", (tool_name,)).rowcount, 0
        )

    async def discard(self, keys: Collection[str]) -> int:
        """Forget the views under these keys."""
        return await self._run(
            lambda views: sum(
                views.execute("DELETE FROM views WHERE key = ?", (key,)).rowcount for key in keys
            ),
            0,
        )

    async def clear(self) -> int:
        """Forget everything."""
        return await self._run(lambda views: views.execute("DELETE FROM views").rowcount, 0)

    async def entries(self) -> tuple[StoredView, ...]:
        """Return what is kept and not too old."""
        rows = await self._run(
            lambda views: views.execute("SELECT view FROM views ORDER BY used").fetchall(), list[tuple[str]]()
        )
        return tuple(view for (text,) in rows if (view := self._read(text)) is not None)

    async def stats(self) -> StoreStats:
        """Count."""
        query = "SELECT count(*), coalesce(sum(bytes), 0) FROM views"
        entries, size = await self._run(lambda views: views.execute(query).fetchone(), (0, 0))
        return StoreStats(entries=entries, hits=self._hits, misses=self._misses, total_size_bytes=size)

    async def close(self) -> None:
        """Nothing is left open between operations."""

    async def _run(self, operation: Callable[[sqlite3.Connection], _Result], otherwise: _Result) -> _Result:
        try:
            return await run_sync(self._in_transaction, operation)
        except (OSError, sqlite3.Error) as error:
            self.event_log.record(Level.WARN, "cache", "store_failed", reason=str(error))
            return otherwise

    def _in_transaction(self, operation: Callable[[sqlite3.Connection], _Result]) -> _Result:
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(sqlite3.connect(self.file)) as views, views:
            views.execute(_TABLE)
            return operation(views)

    def _read(self, text: str) -> StoredView | None:
        """Read a view; what is damaged, foreign or past is none."""
        try:
            data: dict[str, Any] = json.loads(text)
            view = StoredView(**{**data, "findings": tuple(data["findings"])})
            is_past = view.is_past(datetime.now(UTC), self.settings.ttl)
        except (ValueError, TypeError, KeyError) as error:
            self.event_log.record(Level.WARN, "cache", "entry_unreadable", reason=str(error))
            return None
        return None if is_past or view.cache_version != CACHE_VERSION else view


def sqlite_store(cache: CacheSettings, _environment: Mapping[str, str], event_log: EventLog) -> ViewStore:
    """Return the store of the section ``cache``; nothing is opened yet."""
    folder = Path(cache.directory or "~/.cache/genui-sqlite-store").expanduser()
    return SqliteStore(folder / "views.db", cache, event_log)


def _used(views: sqlite3.Connection, key: str) -> str | None:
    row = views.execute(
        f"UPDATE views SET used = {_NEXT_USE} WHERE key = ? RETURNING view",  # noqa: S608 -- ours
        (key,),
    ).fetchone()
    return None if row is None else str(row[0])
