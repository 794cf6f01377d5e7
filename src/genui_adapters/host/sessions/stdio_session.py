"""Serves a stdio host in front of an upstream behind a URL, with the host's pipes on an event loop."""

import asyncio
import sys
from collections.abc import Callable
from contextvars import copy_context

import anyio

from genui_adapters.host.sessions.callers import Credentials
from genui_adapters.host.sessions.duplex import DuplexHost
from genui_adapters.host.sessions.proxy_server import ProxyServer, proxy_server
from genui_adapters.io.descriptor_loop import END_SIGNALS, PausableReader, PipeWriter
from genui_adapters.io.nursery import Room, nursery
from genui_adapters.io.threads import ThreadReader
from genui_core.application.wrapper import Wrapper
from genui_core.domain.framing.lines import LineBuffer
from genui_core.ports.tool_source import ToolSourceOpener

_LAST_ANSWERS_S = 1.5
"""How long the last answers may take after the host's input ended, or the credentials were refused."""


class WatchedPipes:
    """Two descriptors that the event loop watches: one to read from, one to write to."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        """Make the descriptor to write to non-blocking."""
        self._read_fd = read_fd
        self._loop = asyncio.get_running_loop()
        self._room = Room()
        self._writer = PipeWriter(write_fd, self._loop, self._room.wake)
        self._reader: PausableReader | ThreadReader | None = None

    def read(self, take: Callable[[bytes], None]) -> None:
        """Call ``take`` with all data that arrives, in the loop's thread; empty data means the end."""

        def taken(data: bytes) -> None:
            if not data:
                reader.stop()
            take(data)

        reader: PausableReader | ThreadReader
        try:
            reader = PausableReader(self._read_fd, self._loop, taken)
        except PermissionError:  # the loop watches neither files nor /dev/null
            context = copy_context()
            reader = ThreadReader(self._read_fd, self._loop, lambda data: context.run(taken, data))
        self._reader = reader

    async def write(self, data: bytes) -> bool:
        """Write all of the data, even if cancelled; return whether the pipe still has a reader.

        What does not fit is written when there is room; this waits while much is unread.
        """
        self._writer.write([data])
        return await self._room.wait(self._writer)

    def release(self) -> None:
        """Stop using both descriptors, before they are closed."""
        self._writer.broken = True
        self._writer.restore()
        self._room.wake()
        if self._reader is not None:
            self._reader.stop()


async def serve_stdio_session(wrapper: Wrapper, opener: ToolSourceOpener) -> None:
    """Serve the host on the standard streams until it closes its side, or a signal comes.

    Raises UpstreamForbidden if the upstream refused the credentials from the start. The host got an error.
    """
    pipes = WatchedPipes(read_fd=0, write_fd=1)
    try:
        async with proxy_server(wrapper, opener) as proxy, nursery() as tasks:
            tasks.start_soon(_end_on_signal, tasks.cancel_scope)
            await serve_pipes(proxy, pipes)
    finally:
        pipes.release()
    if proxy.credentials.refusal is not None:
        raise proxy.credentials.refusal


async def serve_pipes(proxy: ProxyServer, pipes: WatchedPipes) -> None:
    """Serve the host on two pipes until it closes its side, or the upstream refuses the credentials."""
    async with nursery() as tasks:

        async def say(message: bytes) -> None:
            await pipes.write(message + b"\n")

        host = DuplexHost(proxy, tasks, say)
        lines, ended = LineBuffer(), anyio.Event()

        def take(data: bytes) -> None:
            for line in lines.feed(data) if data else [lines.take()]:
                if line.strip() and (refusal := host.take(line)) is not None:
                    tasks.start_soon(say, refusal.body)
            if not data:
                ended.set()

        pipes.read(take)
        tasks.start_soon(_end_when_refused, proxy.credentials, ended)
        try:
            await ended.wait()
            await host.until_answered(_LAST_ANSWERS_S)
        finally:
            host.end()


async def _end_when_refused(credentials: Credentials, ended: anyio.Event) -> None:
    await credentials.until_refused()
    ended.set()


async def _end_on_signal(scope: anyio.CancelScope) -> None:
    if sys.platform == "win32":
        return  # there an interrupt comes as an exception
    with anyio.open_signal_receiver(*END_SIGNALS) as signals:
        async for _ in signals:
            scope.cancel()
