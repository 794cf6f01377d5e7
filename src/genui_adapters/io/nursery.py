"""What transports on an event loop share: a task group whose block's own error comes out as itself, room in a pipe."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup

if TYPE_CHECKING:
    from genui_adapters.io.loop_upstream import PipeWriter


@asynccontextmanager
async def nursery() -> AsyncIterator[TaskGroup]:
    """Run tasks beside the block, and cancel them when it is left.

    A plain task group wraps what the block raises into a group of one. Here only what goes
    wrong in the tasks comes as a group.
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


MOST_PENDING_BYTES = 1 << 20
"""Above this, what writes to a pipe waits."""


class Room:
    """Says when a pipe can take more."""

    def __init__(self) -> None:
        self._drained = anyio.Event()

    def note(self) -> None:
        """Have those who wait look again: the pipe was drained, or broke."""
        self._drained.set()

    async def wait(self, writer: "PipeWriter") -> bool:
        """Wait while much waits to be written; return whether somebody may still read it."""
        while writer.pending_bytes > MOST_PENDING_BYTES and not writer.broken:
            if self._drained.is_set():  # else others wait for it too
                self._drained = anyio.Event()
            await self._drained.wait()
        return not writer.broken
