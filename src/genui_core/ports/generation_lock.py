"""Who of several wrappers that share a store makes a view (requirement C3)."""

from abc import abstractmethod
from typing import Protocol


class GenerationLock(Protocol):
    """One lock a view, over all wrappers that share a store.

    A lock that is taken holds for `lease_ms`, and again from every time it is prolonged: that of
    a wrapper that died ends by itself. No method raises, and none waits for long: if the lock's
    server is unreachable, every wrapper gets the lock, since a second generation costs only a model
    call and a lost lock would cost the view.

    Attributes:
        lease_ms: How long a lock holds without being prolonged.
    """

    lease_ms: int

    @abstractmethod
    async def take(self, key: str) -> bool:
        """Take the lock of a view unless another wrapper has it; say whether it was taken."""

    @abstractmethod
    async def prolong(self, key: str) -> None:
        """Hold a lock that was taken for another `lease_ms`."""

    @abstractmethod
    async def give_back(self, key: str) -> None:
        """Let the next one have it."""
