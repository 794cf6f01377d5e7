"""Runs work for a request, and cancels it when the client disconnects."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from starlette.requests import Request

Found = TypeVar("Found")


async def unless_abandoned(request: Request, work: Callable[[], Awaitable[Found]]) -> Found | None:
    """Return the result of `work`; if the client disconnects first, cancel the work and return None.

    The body of the request must have been read.
    """
    found: Found | None = None
    async with anyio.create_task_group() as tasks:

        async def cancel_when_they_leave() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            tasks.cancel_scope.cancel()

        tasks.start_soon(cancel_when_they_leave)
        found = await work()
        tasks.cancel_scope.cancel()
    return found
