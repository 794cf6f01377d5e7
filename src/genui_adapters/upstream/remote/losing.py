"""Giving a connection up that is many streams: each of them finds out for itself what became of it."""

from collections.abc import Sized

import anyio
from anyio.abc import TaskGroup
from attrs import define, field

from genui_adapters.upstream.link import Inbox, NotTaken
from genui_core.errors import UpstreamUnreachable

_GRACE_S = 1
"""How long requests that are under way may take to find out."""


@define(eq=False)
class Losing:
    """Detects that a server, or the session with it, is gone.

    Requests that were sent at the same time are about to be turned away too. Were they given up
    at once, they would count as taken, and could not be sent again.
    """

    _inbox: Inbox
    _tasks: TaskGroup
    _under_way: Sized
    _reason: UpstreamUnreachable | None = None
    _one_less: anyio.Event = field(factory=anyio.Event)

    def check(self) -> None:
        """Raise `NotTaken` where nothing more can be sent."""
        if self._reason is not None:
            raise NotTaken(self._reason.reason)

    def lose(self, reason: UpstreamUnreachable) -> None:
        """Take nothing more, and give up when nothing is under way any more."""
        if self._reason is None:
            self._reason = reason
            self._tasks.start_soon(self._give_up, reason)

    def note_end(self) -> None:
        """Record the end of a request or stream."""
        self._one_less.set()

    async def _give_up(self, reason: UpstreamUnreachable) -> None:
        with anyio.move_on_after(_GRACE_S):
            while len(self._under_way):
                self._one_less = anyio.Event()
                await self._one_less.wait()
        self._inbox.ended(reason)
