"""Views kept in memory: the default (SPEC §9)."""

from collections import OrderedDict
from collections.abc import Collection

from attrs import Factory, define, field

from genui_core.domain.settings.settings import CacheSettings
from genui_core.domain.views.stored_view import StoredView, StoreStats
from genui_core.ports.clock import Clock, SystemClock
from genui_core.ports.view_store import ViewStore


@define
class MemoryStore(ViewStore):
    """Keeps the views that were used last, within a count and a size.

    Args:
        settings: The bounds.
        clock: For the age of views.
    """

    settings: CacheSettings = Factory(CacheSettings)
    clock: Clock = Factory(SystemClock)
    _views: OrderedDict[str, StoredView] = field(factory=OrderedDict, init=False)
    _size_bytes: int = field(default=0, init=False)
    _hits: int = field(default=0, init=False)
    _misses: int = field(default=0, init=False)

    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key unless it is too old."""
        view = self._views.get(key)
        if view is None or self._is_past(view):
            self._drop(key)
            self._misses += 1
            return None
        self._hits += 1
        self._views.move_to_end(key)
        return view

    async def set(self, view: StoredView) -> bool:
        """Keep a view; those that were used longest ago make room."""
        self._drop(view.key)
        if view.size_bytes > min(self.settings.max_entry_size_bytes, self.settings.max_total_size_bytes):
            return False
        self._views[view.key] = view
        self._size_bytes += view.size_bytes
        while (
            len(self._views) > self.settings.max_entries
            or self._size_bytes > self.settings.max_total_size_bytes
        ):
            self._drop(next(iter(self._views)))
        return view.key in self._views

    async def invalidate(self, tool_name: str) -> int:
        """Forget a tool's views."""
        return self._drop_all([key for key, view in self._views.items() if view.tool_name == tool_name])

    async def kept(self, keys: Collection[str]) -> frozenset[str]:
        """Return which of these are kept and not too old."""
        known = ((key, self._views.get(key)) for key in keys)
        return frozenset(key for key, view in known if view is not None and not self._is_past(view))

    async def discard(self, keys: Collection[str]) -> int:
        """Forget these."""
        return self._drop_all([key for key in keys if key in self._views])

    async def clear(self) -> int:
        """Forget everything."""
        return self._drop_all([*self._views])

    async def entries(self) -> tuple[StoredView, ...]:
        """Return what is kept and not too old."""
        return tuple(view for view in self._views.values() if not self._is_past(view))

    async def stats(self) -> StoreStats:
        """Count."""
        return StoreStats(
            entries=len(self._views), hits=self._hits, misses=self._misses, total_size_bytes=self._size_bytes
        )

    async def close(self) -> None:
        """There is nothing to finish."""

    def _drop(self, key: str) -> None:
        view = self._views.pop(key, None)
        if view is not None:
            self._size_bytes -= view.size_bytes

    def _drop_all(self, keys: list[str]) -> int:
        for key in keys:
            self._drop(key)
        return len(keys)

    def _is_past(self, view: StoredView) -> bool:
        return view.is_past(self.clock.now(), self.settings.ttl)
