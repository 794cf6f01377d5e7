"""Views kept in memory, and written to a folder at the end (``cache.persistOnShutdown``)."""

from collections.abc import Collection

from anyio import Lock
from attrs import define, field

from genui_core.domain.views.stored_view import StoredView, StoreStats
from genui_core.ports.view_store import ViewStore


@define
class PersistedStore(ViewStore):
    """Works on a store in memory, which begins with what another store holds and ends there.

    Args:
        memory: Answers while the process lives.
        lasting: Is read at the first operation, and written at the end.
    """

    memory: ViewStore
    lasting: ViewStore
    _is_restored: bool = field(default=False, init=False)
    _turn: Lock = field(factory=Lock, init=False)

    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key."""
        return await (await self._restored()).get(key)

    async def set(self, view: StoredView) -> bool:
        """Keep a view until the end, when it is written."""
        return await (await self._restored()).set(view)

    async def invalidate(self, tool_name: str) -> int:
        """Forget a tool's views, the written ones too."""
        memory = await self._restored()
        await self.lasting.invalidate(tool_name)
        return await memory.invalidate(tool_name)

    async def kept(self, keys: Collection[str]) -> frozenset[str]:
        """Return which of these are kept."""
        return await (await self._restored()).kept(keys)

    async def discard(self, keys: Collection[str]) -> int:
        """Forget these, the written ones too."""
        memory = await self._restored()
        await self.lasting.discard(keys)
        return await memory.discard(keys)

    async def clear(self) -> int:
        """Forget all views, the written ones too."""
        memory = await self._restored()
        await self.lasting.clear()
        return await memory.clear()

    async def entries(self) -> tuple[StoredView, ...]:
        """Return what is kept."""
        return await (await self._restored()).entries()

    async def stats(self) -> StoreStats:
        """Return how the store in memory is doing."""
        return await (await self._restored()).stats()

    async def close(self) -> None:
        """Write what is kept; nothing was ever looked at where there is nothing to write."""
        if self._is_restored:
            for view in await self.memory.entries():
                await self.lasting.set(view)
        await self.memory.close()
        await self.lasting.close()

    async def _restored(self) -> ViewStore:
        async with self._turn:
            if not self._is_restored:
                for view in await self.lasting.entries():
                    await self.memory.set(view)
                self._is_restored = True
        return self.memory
