"""Where finished views are kept (SPEC §9)."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol, TypeVar

from genui_core.domain.views.stored_view import StoredView, StoreStats

Answer = TypeVar("Answer")


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
        ...

    @abstractmethod
    async def set(self, view: StoredView) -> bool:
        """Keep a view under its key, in place of an older one; say whether it is kept.

        After True, the view survives whatever the store promises to survive. A view that is
        larger than the store takes is not kept.
        """
        ...

    @abstractmethod
    async def invalidate(self, tool_name: str) -> int:
        """Forget all views of a tool and return how many there were."""
        ...

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
        ...

    @abstractmethod
    async def entries(self) -> tuple[StoredView, ...]:
        """Return all views that could be read now, the most recently used last."""
        ...

    @abstractmethod
    async def stats(self) -> StoreStats:
        """Return how the store is doing."""
        ...

    @abstractmethod
    async def close(self) -> None:
        """Finish what is being written. May be called again."""
        ...


class AroundStore(ViewStore):
    """Passes every operation on to another store."""

    @abstractmethod
    async def _ask(
        self, operation: str, ask: Callable[[ViewStore], Awaitable[Answer]], otherwise: Answer
    ) -> Answer:
        """Return what the other store answers.

        Args:
            operation: The name of the operation.
            ask: Calls it.
            otherwise: The answer of a store that stores nothing.
        """

    async def get(self, key: str) -> StoredView | None:
        """Return the other store's view under a key."""
        return await self._ask("get", lambda store: store.get(key), None)

    async def set(self, view: StoredView) -> bool:
        """Keep a view in the other store."""
        return await self._ask("set", lambda store: store.set(view), otherwise=False)

    async def invalidate(self, tool_name: str) -> int:
        """Forget the views of a tool."""
        return await self._ask("invalidate", lambda store: store.invalidate(tool_name), 0)

    async def kept(self, keys: Collection[str]) -> frozenset[str]:
        """Return which of these the other store could read."""
        return await self._ask("kept", lambda store: store.kept(keys), frozenset())

    async def discard(self, keys: Collection[str]) -> int:
        """Forget the views under these keys."""
        return await self._ask("discard", lambda store: store.discard(keys), 0)

    async def clear(self) -> int:
        """Forget everything."""
        return await self._ask("clear", lambda store: store.clear(), 0)

    async def entries(self) -> tuple[StoredView, ...]:
        """Return the views of the other store."""
        return await self._ask("entries", lambda store: store.entries(), ())

    async def stats(self) -> StoreStats:
        """Return how the other store is doing."""
        nothing = StoreStats(entries=0, hits=0, misses=0, total_size_bytes=0)
        return await self._ask("stats", lambda store: store.stats(), nothing)

    async def close(self) -> None:
        """Close the other store."""
        await self._ask("close", lambda store: store.close(), None)
