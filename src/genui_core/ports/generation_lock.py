"""Who of several wrappers that share a store makes a view (SPEC §9)."""

from abc import abstractmethod
from typing import ClassVar, Protocol


class GenerationLock(Protocol):
    """One lock a view, over all wrappers that share a store.

    A lock that is taken holds for `lease_ms`, and again from every time it is prolonged: that of
    a wrapper that died ends by itself. Nothing here ever raises, and nothing waits for long: where
    nobody can be asked everybody may, for a second generation costs a model call, and a lock that
    nobody gives back costs the view.

    Attributes:
        is_shared: Whether others may hold one; where they cannot, nobody looks again after taking it.
        lease_ms: How long a lock holds without being prolonged.
    """

    is_shared: ClassVar[bool] = True
    lease_ms: int

    @abstractmethod
    async def take(self, key: str) -> bool:
        """Take the lock of a view unless another wrapper has it; say whether it was taken."""
        ...

    @abstractmethod
    async def prolong(self, key: str) -> None:
        """Hold a lock that was taken for another `lease_ms`."""
        ...

    @abstractmethod
    async def give_back(self, key: str) -> None:
        """Let the next one have it."""
        ...


class AlwaysGranted(GenerationLock):
    """There is nobody else: the default."""

    is_shared = False
    lease_ms = 60_000

    async def take(self, key: str) -> bool:  # noqa: ARG002
        """Grant it."""
        return True

    async def prolong(self, key: str) -> None:
        """It has no end."""

    async def give_back(self, key: str) -> None:
        """There is nobody to have it."""
