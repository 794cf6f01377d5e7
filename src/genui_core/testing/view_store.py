"""A store for tests: a dictionary that forgets nothing."""

from collections.abc import Callable

from attrs import Factory, define

from genui_core.domain.stored_view import StoredView, StoreStats
from genui_core.ports.view_store import ViewStore


@define
class DictStore(ViewStore):
    """Keeps everything, in the order of use.

    Attributes:
        views: What it keeps.
        takes: Whether it keeps a view at all; a test may say no.
    """

    views: dict[str, StoredView] = Factory(dict)
    takes: Callable[[StoredView], bool] = lambda _view: True
    _hits: int = 0
    _misses: int = 0

    async def get(self, key: str) -> StoredView | None:
        """Return what is kept under the key."""
        view = self.views.pop(key, None)
        if view is None:
            self._misses += 1
            return None
        self._hits += 1
        self.views[key] = view
        return view

    async def set(self, view: StoredView) -> bool:
        """Keep the view."""
        if not self.takes(view):
            return False
        self.views.pop(view.key, None)
        self.views[view.key] = view
        return True

    async def invalidate(self, tool_name: str) -> int:
        """Forget a tool's views."""
        gone = [key for key, view in self.views.items() if view.tool_name == tool_name]
        for key in gone:
            del self.views[key]
        return len(gone)

    async def clear(self) -> int:
        """Forget everything."""
        count = len(self.views)
        self.views.clear()
        return count

    async def entries(self) -> tuple[StoredView, ...]:
        """Return everything."""
        return tuple(self.views.values())

    async def stats(self) -> StoreStats:
        """Count."""
        return StoreStats(
            entries=len(self.views),
            hits=self._hits,
            misses=self._misses,
            total_size_bytes=sum(view.size_bytes for view in self.views.values()),
        )

    async def close(self) -> None:
        """Do nothing."""
