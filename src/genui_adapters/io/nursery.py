"""A task group around a ``with`` block whose own error comes out as itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup


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
