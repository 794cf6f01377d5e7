"""The lock port: one of several wrappers that share a store makes a view (requirement C3)."""

from abc import abstractmethod
from typing import Protocol


class GenerationLock(Protocol):
    """The leases of all wrappers that share a store, one per view.

    A lock ends `lease_ms` after it was taken or last prolonged, so the lock of a wrapper that died ends by
    itself. Calls may run at the same time, in one event loop. No method raises, and none waits for long. If
    the server of the locks is unreachable, every wrapper gets the lock: a second generation costs only a
    model call, but without the lock no wrapper would make the view.

    Attributes:
        lease_ms: How long a lock lasts after it was taken or prolonged, in milliseconds.
    """

    lease_ms: int

    @abstractmethod
    async def take(self, key: str) -> bool:
        """Take the lock of the view with this cache key unless it is held; return whether it was taken."""

    @abstractmethod
    async def prolong(self, key: str) -> None:
        """Let this wrapper's lock last `lease_ms` from now; do nothing if another wrapper holds it."""

    @abstractmethod
    async def release(self, key: str) -> None:
        """Release this wrapper's lock; do nothing if another wrapper holds it."""
