"""The contract suite of all generation locks."""

from abc import ABC, abstractmethod

import anyio

from genui_core.ports.generation_lock import GenerationLock


class GenerationLockContract(ABC):
    """The contract suite of locks: inherit it, mark it for anyio and implement `make`."""

    @abstractmethod
    async def make(self, lease_ms: int = 60_000) -> GenerationLock:
        """Return the lock as another wrapper uses it, with leases of ``lease_ms`` milliseconds."""

    async def test_one_of_all_has_it_until_it_is_released(self) -> None:
        """Only the wrapper that holds the lock can release it."""
        one, other = await self.make(), await self.make()
        assert await one.take("a")
        assert not await other.take("a")
        await other.release("a")
        assert not await other.take("a")
        await one.release("a")
        assert await other.take("a")

    async def test_every_view_has_a_lock_of_its_own(self) -> None:
        """Any text may be a key."""
        one, other = await self.make(), await self.make()
        for key in ("a" * 64, "b" * 64, "", "\x00", "../x"):
            assert await one.take(key)
            assert not await other.take(key)

    async def test_it_ends_by_itself_unless_it_is_prolonged(self) -> None:
        """So the lock of a wrapper that died ends."""
        one, other = await self.make(1000), await self.make(1000)
        assert await one.take("a")
        await anyio.sleep(0.6)
        await one.prolong("a")
        await anyio.sleep(0.6)
        assert not await other.take("a")
        await anyio.sleep(1.1)
        assert await other.take("a")
        await one.prolong("a")
        await one.release("a")
        assert not await one.take("a")
