"""The view store port: finished views by cache key (requirement C2)."""

from abc import abstractmethod
from collections.abc import Collection
from typing import Protocol

from genui_core.domain.views.stored_view import StoredView, StoreStats


class ViewStore(Protocol):
    """Stores views by key.

    Operations may run at the same time, in one event loop. Other processes may change a shared store between
    any two operations. An entry that is unreadable, foreign or damaged is a miss, set aside and logged, never
    an error and never a wrong view. A store that cannot write returns False and does not raise.

    A view from any store but one in memory is validated again before it is served: other programs may have
    written to the store, or the rules may have changed.
    """

    @abstractmethod
    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key, or None; the view counts as used now."""

    @abstractmethod
    async def set(self, view: StoredView) -> bool:
        """Store a view under its key, in place of an older one; return whether it is stored.

        After True, the view survives what this store promises to survive, such as a restart. A view that is
        larger than the store's limit is not stored.
        """

    @abstractmethod
    async def invalidate(self, tool_name: str) -> int:
        """Delete all views of a tool, and return how many there were."""

    async def stored_among(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of these keys whose views could be read now; no view counts as used.

        The default reads all entries; a store that can read single views should override it.
        """
        return frozenset(view.key for view in await self.entries()) & frozenset(keys)

    async def discard(self, keys: Collection[str]) -> int:  # noqa: ARG002 -- see below
        """Delete the views under these keys, and return how many there were.

        No wrapper looks these keys up again, so a store that cannot delete single views may keep them, and
        return 0.
        """
        return 0

    @abstractmethod
    async def clear(self) -> int:
        """Delete all views, and return how many there were."""

    @abstractmethod
    async def entries(self) -> tuple[StoredView, ...]:
        """Return all views that could be read now, the most recently used last."""

    @abstractmethod
    async def stats(self) -> StoreStats:
        """Return the number and size of the views, and the hits and misses so far."""

    @abstractmethod
    async def close(self) -> None:
        """Finish pending writes, and close connections. May be called again."""
