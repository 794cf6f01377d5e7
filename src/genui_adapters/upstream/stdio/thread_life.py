"""One life of a child process on systems whose loop cannot watch pipes: threads serve them."""

import asyncio
import contextlib
from collections.abc import Callable
from contextvars import Context, copy_context

import anyio.to_thread
from attrs import define, field

from genui_adapters.io.process import UpstreamProcess
from genui_adapters.io.thread_upstream import ThreadUpstream
from genui_adapters.io.upstream_log import LAST_WORDS_S, UpstreamLog
from genui_adapters.upstream.stdio.life import Life


@define(eq=False)
class ThreadLife(Life):
    """Has a thread read each pipe, and one write."""

    _process: UpstreamProcess
    _log: UpstreamLog
    _on_output: Callable[[bytes], None]
    _on_end: Callable[[], None]
    _loop: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)
    _context: Context = field(factory=copy_context)
    _upstream: ThreadUpstream = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Start the threads; what they call back is called in the loop."""
        self._upstream = ThreadUpstream(
            self._process,
            self._log,
            guarded=lambda body: body(),
            on_output=lambda _upstream, data: self._in_loop(self._on_output, data),
            on_end=lambda _upstream: self._in_loop(self._on_end),
            on_exit=lambda _upstream: self._in_loop(self._end_after_last_words),
        )

    async def write(self, data: bytes) -> bool:
        """Hand the data to the writing thread."""
        writer = self._upstream.writer
        writer.put([data])
        await anyio.to_thread.run_sync(writer.wait_for_room, abandon_on_cancel=True)
        return not writer.broken

    async def end(self) -> None:
        """End it; the threads end with it."""
        await anyio.to_thread.run_sync(self._upstream.end)

    def _end_after_last_words(self) -> None:
        self._loop.call_later(LAST_WORDS_S, self._on_end, context=self._context)

    def _in_loop(self, step: Callable[..., None], *arguments: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended before the child
            self._loop.call_soon_threadsafe(step, *arguments, context=self._context)
