"""Lets one of several wrappers at a time make a view (SPEC §9)."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup
from attrs import frozen

from genui_core.application.services import Services

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 0.5
_PROLONGED_PER_LEASE = 3


@frozen
class Turn:
    """The right to make a view.

    Attributes:
        others_may_have_had_it: Whether another wrapper may already have made the view.
        waited_ms: How long others had the turn before.
    """

    others_may_have_had_it: bool
    waited_ms: int


class GenerationLeases:
    """Takes turns with other wrappers. After the time limit of a generation the view is made all the same."""

    def __init__(self, services: Services) -> None:
        self._lock = services.lock
        self._clock = services.clock
        self._patience_ms = services.settings.generation.timeout_ms

    @asynccontextmanager
    async def turn(
        self, key: str, tasks: TaskGroup, others_have_it: Callable[[], None]
    ) -> AsyncIterator[Turn]:
        """Hold the turn to make a view, once no other wrapper does.

        Args:
            key: The cache key of the view.
            tasks: What the turn is prolonged in.
            others_have_it: Called where it has to be waited for.
        """
        if not self._lock.is_shared:
            yield Turn(others_may_have_had_it=False, waited_ms=0)
            return
        began_ms, prolonging = self._clock.monotonic_ms(), anyio.CancelScope()
        try:
            await self._wait(key, others_have_it)
            tasks.start_soon(self._prolong, key, prolonging)
            yield Turn(others_may_have_had_it=True, waited_ms=self._clock.monotonic_ms() - began_ms)
        finally:
            prolonging.cancel()
            with anyio.CancelScope(shield=True):
                await self._lock.give_back(key)

    async def _wait(self, key: str, others_have_it: Callable[[], None]) -> None:
        if await self._lock.take(key):
            return
        others_have_it()
        pause_s = _FIRST_PAUSE_S
        with anyio.move_on_after(self._patience_ms / 1000):
            while True:
                await anyio.sleep(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
                if await self._lock.take(key):
                    return

    async def _prolong(self, key: str, until_cancelled: anyio.CancelScope) -> None:
        """Renew the lease until the run ends; the lease of a wrapper that died expires."""
        with until_cancelled:
            while True:
                await anyio.sleep(self._lock.lease_ms / 1000 / _PROLONGED_PER_LEASE)
                await self._lock.prolong(key)
