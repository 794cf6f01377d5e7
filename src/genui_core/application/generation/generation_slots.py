"""How many generations may be under way at once, and who makes room for whom (SPEC §4)."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

import anyio


class GenerationSlots:
    """So many slots, given out in the order of asking. Used from one event loop.

    Work that no reader waits for begins only where a slot is spare, and is given up as soon as somebody
    has to wait for one.

    Args:
        most: How many there are.
    """

    def __init__(self, most: int) -> None:
        self._slots = anyio.Semaphore(most)
        self._given_back = anyio.Event()
        self._yielding: set[anyio.CancelScope] = set()

    async def __aenter__(self) -> None:
        """Take a slot, waiting for one if need be."""
        if not self._slots.value:
            for scope in self._yielding:
                scope.cancel()
        await self._slots.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back."""
        self._slots.release()
        self._given_back.set()
        self._given_back = anyio.Event()

    async def spare(self) -> None:
        """Wait for a slot that no reader waits for."""
        while not self._slots.value:
            await self._given_back.wait()

    @contextmanager
    def yielding(self) -> Iterator[anyio.CancelScope]:
        """Do something that is cancelled as soon as somebody has to wait for a slot."""
        with anyio.CancelScope() as scope:
            self._yielding.add(scope)
            try:
                yield scope
            finally:
                self._yielding.discard(scope)
