"""A task group that keeps errors as they are, a wait for room in a pipe, and a mailbox."""

from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup

from genui_core.domain.mcp.jsonrpc import Params
from genui_core.domain.mcp.methods import RESOURCE_UPDATED
from genui_core.ports.tool_source import Notice

if TYPE_CHECKING:
    from genui_adapters.io.descriptor_loop import PipeWriter


@asynccontextmanager
async def nursery() -> AsyncIterator[TaskGroup]:
    """Run tasks beside the block, and cancel them when the block ends.

    A plain task group wraps an error of the block into a group of one. Here only errors of the
    tasks come as a group.
    """
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        try:
            yield tasks
        except Exception as error:  # noqa: BLE001 -- raised again, outside the group
            failure = error
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure


class Room:
    """Waits until a pipe can take more."""

    def __init__(self) -> None:
        self._drained = anyio.Event()

    def wake(self) -> None:
        """Wake the waiters, because the pipe was drained or broke."""
        self._drained.set()

    async def wait(self, writer: "PipeWriter") -> bool:
        """Wait while the pipe is full; return whether it still has a reader."""
        while writer.is_full and not writer.broken:
            if self._drained.is_set():  # otherwise other waiters share the event
                self._drained = anyio.Event()
            await self._drained.wait()
        return not writer.broken


class Mailbox:
    """A queue of notifications, so that their source never waits.

    A notification that says only that something changed is queued once. Beyond the limit, the oldest
    are dropped.

    Args:
        tell: Sends one notification.
        most: How many may wait.
    """

    def __init__(self, tell: Notice, most: int) -> None:
        self._tell, self._most = tell, most
        self._waiting: dict[Hashable, tuple[str, Params]] = {}
        self._dropped = 0
        self._arrived = anyio.Event()
        self._sending = anyio.Lock(fast_acquire=True)

    def put(self, method: str, params: Params) -> None:
        """Queue a notification."""
        self._waiting[_sameness(method, params)] = method, params
        if len(self._waiting) > self._most:
            self._take_oldest()
            self._dropped += 1
        self._arrived.set()

    async def flush(self) -> None:
        """Send the queued notifications, and wait for those that another task is sending."""
        async with self._sending:
            while self._waiting:
                await self._tell(*self._take_oldest())

    async def run(self) -> None:
        """Send notifications as they arrive, until cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived = anyio.Event()
            await self.flush()

    def _take_oldest(self) -> tuple[str, Params]:
        return self._waiting.pop(next(iter(self._waiting)))


def _sameness(method: str, params: Params) -> Hashable:
    if method.endswith("/list_changed"):
        return method
    if method == RESOURCE_UPDATED:
        return method, str(params.get("uri"))
    return object()
