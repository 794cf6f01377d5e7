"""A store that is trusted with views, and not with keeping its promise never to raise."""

from collections.abc import Awaitable, Callable, Collection

from attrs import frozen

from genui_core.application.guarding import Answer, guarded
from genui_core.domain.stored_view import StoredView, StoreStats
from genui_core.ports.event_log import EventLog
from genui_core.ports.view_store import ViewStore


@frozen
class GuardedStore(ViewStore):
    """Takes what another store raises for a miss, or for a view that is not kept, and tells the event log.

    A store may be anybody's, and reads of views must not fail for it.
    """

    inner: ViewStore
    event_log: EventLog

    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key, or None."""
        return await self._guarded("get", lambda: self.inner.get(key), None)

    async def set(self, view: StoredView) -> bool:
        """Keep a view; say whether it is kept."""
        return await self._guarded("set", lambda: self.inner.set(view), otherwise=False)

    async def invalidate(self, tool_name: str) -> int:
        """Forget all views of a tool."""
        return await self._guarded("invalidate", lambda: self.inner.invalidate(tool_name), 0)

    async def kept(self, keys: Collection[str]) -> frozenset[str]:
        """Return under which of these keys a view could be read now, also of a store that knows no such question."""
        if not hasattr(self.inner, "kept"):
            return await super().kept(keys)
        return await self._guarded("kept", lambda: self.inner.kept(keys), frozenset())

    async def discard(self, keys: Collection[str]) -> int:
        """Forget the views under these keys, where the store can."""
        if not hasattr(self.inner, "discard"):
            return await super().discard(keys)
        return await self._guarded("discard", lambda: self.inner.discard(keys), 0)

    async def clear(self) -> int:
        """Forget everything."""
        return await self._guarded("clear", self.inner.clear, 0)

    async def entries(self) -> tuple[StoredView, ...]:
        """Return all views that could be read now."""
        return await self._guarded("entries", self.inner.entries, ())

    async def stats(self) -> StoreStats:
        """Return how the store is doing."""
        nothing = StoreStats(entries=0, hits=0, misses=0, total_size_bytes=0)
        return await self._guarded("stats", self.inner.stats, nothing)

    async def close(self) -> None:
        """Finish what is being written."""
        await self._guarded("close", self.inner.close, None)

    async def _guarded(
        self, operation: str, ask: Callable[[], Awaitable[Answer]], otherwise: Answer
    ) -> Answer:
        return await guarded(self.event_log, operation, ask, otherwise)
