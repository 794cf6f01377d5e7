"""A child's pipes on systems that cannot watch them: a thread reads each, and one writes."""

import asyncio
import contextlib
import contextvars
import os
import threading

import anyio.to_thread
from attrs import define, field

from genui_adapters.host.stdio_events import read_some
from genui_adapters.host.stdio_threads import WriterThread
from genui_adapters.upstream.stdio.pipes import ChildPipes, Take

_WRITER_END_S = 0.2
"""How long a writing thread may take to notice that it is over, where it does not hang in a write."""


@define(eq=False)
class ThreadedPipes(ChildPipes):
    """Has a thread read each descriptor, and one write."""

    stdin_fd: int
    _loop: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)
    _writer: WriterThread = field(init=False)
    _closed: bool = False

    def __attrs_post_init__(self) -> None:
        """Start the writing thread."""
        self._writer = WriterThread(self.stdin_fd)

    def read(self, fd: int, take: Take) -> None:
        """Start a thread that reads to the end."""
        # A descriptor of its own: the number of a closed one may be another pipe's by the next read.
        own, context = os.dup(fd), contextvars.copy_context()

        def run() -> None:
            data = b"begun"
            while data and not self._closed:
                data = read_some(own) or b""
                with contextlib.suppress(RuntimeError):  # the loop may have ended before the child
                    self._loop.call_soon_threadsafe(self._hand_in, take, data, context=context)
            os.close(own)

        threading.Thread(target=run, daemon=True, name=f"reader-{own}").start()

    def _hand_in(self, take: Take, data: bytes) -> None:
        if not self._closed:
            take(data)

    async def write(self, data: bytes) -> bool:
        """Hand the data to the writing thread."""
        self._writer.put([data])
        await anyio.to_thread.run_sync(self._writer.wait_for_room, abandon_on_cancel=True)
        return not self._writer.broken

    def stop_writing(self) -> None:
        """Have the writing thread end; a child that does not read ends it when it does."""
        self._writer.broken = True
        self._writer.end(timeout_s=_WRITER_END_S)

    def stop_reading(self) -> None:
        """Hand in nothing any more; the threads end with the child."""
        self._closed = True
