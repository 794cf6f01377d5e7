"""Where finished views are kept (requirement C2)."""

from abc import abstractmethod
from collections.abc import Collection
from typing import Protocol

from genui_core.domain.views.stored_view import StoredView, StoreStats


class ViewStore(Protocol):
    """Keeps views by key.

    Operations may run at the same time, in one event loop; where a store is shared, other
    processes may change it between any two. An entry that is unreadable, foreign or damaged is a
    miss, set aside and logged, never an error and never a wrong view. A store that cannot write
    returns False; it never raises for it.

    A view from any store but one in memory is validated again before it is served: others may
    have written there, or the rules may have changed.
    """

    @abstractmethod
    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key, or None."""

    @abstractmethod
    async def set(self, view: StoredView) -> bool:
        """Keep a view under its key, in place of an older one; say whether it is kept.

        After True, the view survives whatever the store promises to survive. A view that is
        larger than the store takes is not kept.
        """

    @abstractmethod
    async def invalidate(self, tool_name: str) -> int:
        """Forget all views of a tool and return how many there were."""

    async def kept(self, keys: Collection[str]) -> frozenset[str]:
        """Return under which of these keys a view could be read now; it does not count as used.

        A store that can look at single views does better than to look at all.
        """
        return frozenset(view.key for view in await self.entries()) & frozenset(keys)

    async def discard(self, keys: Collection[str]) -> int:  # noqa: ARG002 -- see below
        """Forget the views under these keys and return how many there were.

        No wrapper will look them up any more; a store that cannot delete single views may keep them.
        """
        return 0

    @abstractmethod
    async def clear(self) -> int:
        """Forget everything and return how many views there were."""

    @abstractmethod
    async def entries(self) -> tuple[StoredView, ...]:
        """Return all views that could be read now, the most recently used last."""

    @abstractmethod
    async def stats(self) -> StoreStats:
        """Return how the store is doing."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what is being written. May be called again."""
