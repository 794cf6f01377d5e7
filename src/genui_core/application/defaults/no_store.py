"""No store: with the cache off, only what a wrapper holds in memory is served again (SPEC §4)."""

from collections.abc import Collection

from attrs import define

from genui_core.domain.views.stored_view import StoredView, StoreStats
from genui_core.ports.view_store import ViewStore


@define
class NoStore(ViewStore):
    """Keeps nothing, and finds nothing."""

    _misses: int = 0

    async def get(self, key: str) -> StoredView | None:  # noqa: ARG002
        """Find nothing."""
        self._misses += 1
        return None

    async def set(self, view: StoredView) -> bool:  # noqa: ARG002
        """Let it go."""
        return False

    async def invalidate(self, tool_name: str) -> int:  # noqa: ARG002
        """There is nothing to forget."""
        return 0

    async def kept(self, keys: Collection[str]) -> frozenset[str]:  # noqa: ARG002
        """There are none."""
        return frozenset()

    async def clear(self) -> int:
        """There is nothing to forget."""
        return 0

    async def entries(self) -> tuple[StoredView, ...]:
        """There are none."""
        return ()

    async def stats(self) -> StoreStats:
        """Return how often somebody asked in vain."""
        return StoreStats(entries=0, hits=0, misses=self._misses, total_size_bytes=0)

    async def close(self) -> None:
        """There is nothing to finish."""
