"""One life of a child process, as a link sees it: it can be written to, is heard, and ends."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from contextvars import copy_context
from typing import Protocol

import anyio
import anyio.to_thread
from attrs import define, field

from genui_adapters.io.loop_upstream import LoopUpstream
from genui_adapters.io.process import UpstreamProcess
from genui_adapters.io.upstream_log import UpstreamLog

_MAX_PENDING_BYTES = 1 << 20
"""Above this, who writes waits."""


class Life(Protocol):
    """What a child's pipes are served by; it is heard from in the loop's thread."""

    @abstractmethod
    async def write(self, data: bytes) -> bool:
        """Write all of the data, even if cancelled; return whether somebody may still read it.

        Waits while the child leaves much unread.
        """
        ...

    def write_at_once(self, data: bytes) -> bool:  # noqa: ARG002 -- for lives that have to wait
        """Write all of the data without waiting; return False if nothing was written."""
        return False

    @abstractmethod
    async def end(self) -> None:
        """End the child and what it started, gently first; its last log lines are logged."""
        ...


StartLife = Callable[[UpstreamProcess, UpstreamLog, Callable[[bytes], None], Callable[[], None]], Life]
"""Starts to serve a process, with its log, a callback for its output and one for its end."""


@define(eq=False)
class LoopLife(Life):
    """Has the event loop watch the pipes."""

    _process: UpstreamProcess
    _log: UpstreamLog
    _on_output: Callable[[bytes], None]
    _on_end: Callable[[], None]
    _upstream: LoopUpstream = field(init=False)
    _drained: anyio.Event = field(factory=anyio.Event)

    def __attrs_post_init__(self) -> None:
        """Watch the process; later callbacks run in the present context."""
        context = copy_context()
        self._upstream = LoopUpstream(
            self._process,
            self._log,
            asyncio.get_running_loop(),
            on_output=lambda data: context.run(self._on_output, data),
            on_end=lambda _upstream: context.run(self._on_end),
            on_drained=self._note_room,
        )

    async def write(self, data: bytes) -> bool:
        """Write the data; what does not fit is written when there is room."""
        self._upstream.write([data])
        writer = self._upstream.writer
        while writer.pending_bytes > _MAX_PENDING_BYTES and not writer.broken:
            self._drained = anyio.Event()
            await self._drained.wait()
        return not writer.broken

    def write_at_once(self, data: bytes) -> bool:
        """Write the data, unless much waits to be written."""
        writer = self._upstream.writer
        if writer.broken or writer.pending_bytes > _MAX_PENDING_BYTES:
            return False
        self._upstream.write([data])
        return not writer.broken

    async def end(self) -> None:
        """End the process; keep reading its output so that it does not block."""
        self._upstream.close_input()
        self._note_room()
        await anyio.to_thread.run_sync(self._process.end)
        self._upstream.detach()
        self._upstream.end()

    def _note_room(self) -> None:
        self._drained.set()
