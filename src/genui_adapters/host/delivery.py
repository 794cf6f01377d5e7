"""Delivers notifications to hosts inside another program's server: at once from a task, else with answers."""

from contextlib import AsyncExitStack
from types import TracebackType

import anyio
from attrs import define, field

from genui_adapters.host.listeners import Mailbox
from genui_adapters.io.nursery import nursery

_PATIENCE_S = 1.0
"""How long a host that does not read its notifications may hold up the others."""


@define(eq=False)
class Delivery:
    """The mailboxes of hosts with a session, and the tasks that empty them, any number at a time."""

    _mailboxes: dict[Mailbox, None] = field(factory=dict)
    _tasks: dict[int, AsyncExitStack] = field(factory=dict)
    _idle: set[anyio.Event] = field(factory=set)

    def add(self, mailbox: Mailbox) -> None:
        """Deliver to a host from now on."""
        self._mailboxes[mailbox] = None

    def remove(self, mailbox: Mailbox) -> None:
        """Deliver to a host no more."""
        self._mailboxes.pop(mailbox, None)

    async def begin(self) -> None:
        """Deliver at once, until the task that calls this calls `end`."""
        stack = self._tasks[anyio.get_current_task().id] = AsyncExitStack()
        tasks = await stack.enter_async_context(nursery())
        tasks.start_soon(self._run)

    async def end(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what the calling task has begun."""
        await self._tasks.pop(anyio.get_current_task().id).__aexit__(kind, error, trace)

    def hurry(self) -> None:
        """Say that there is something to deliver."""
        while self._idle:
            self._idle.pop().set()

    async def catch_up(self) -> None:
        """Deliver the waiting notifications, unless a task delivers them."""
        if not self._tasks:
            await self._deliver()

    async def _run(self) -> None:
        while True:
            idle = anyio.Event()
            self._idle.add(idle)
            await self._deliver()
            await idle.wait()

    async def _deliver(self) -> None:
        with anyio.move_on_after(_PATIENCE_S):
            async with anyio.create_task_group() as tasks:
                for mailbox in tuple(self._mailboxes):
                    tasks.start_soon(mailbox.flush)
