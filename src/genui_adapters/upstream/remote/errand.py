"""Work on a link that is done in the link's own tasks, so that it ends when the link is closed."""

from collections.abc import Awaitable, Callable

import anyio
from anyio.abc import TaskGroup


async def errand(tasks: TaskGroup, work: Callable[[], Awaitable[None]]) -> None:
    """Have work done in a task group, and wait for it; who stops waiting does not stop the work.

    A client that is closed under a request of somebody else's task would leave its socket open.
    """
    done = anyio.Event()

    async def run() -> None:
        try:
            await work()
        finally:
            done.set()

    tasks.start_soon(run)
    await done.wait()
