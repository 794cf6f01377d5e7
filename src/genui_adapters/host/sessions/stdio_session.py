"""Serves a stdio host in front of an upstream behind a URL."""

import sys

import anyio
from anyio.abc import TaskGroup
from attrs import define, field

from genui_adapters.host.channels import Say
from genui_adapters.host.sessions.callers import Admittance
from genui_adapters.host.sessions.duplex import DuplexHost
from genui_adapters.host.sessions.host_session import error_answer
from genui_adapters.host.sessions.proxy_server import ProxyServer, proxy_server
from genui_adapters.io.event_loop import END_SIGNALS
from genui_adapters.io.nursery import nursery
from genui_adapters.io.pipes import ChildPipes, WatchedPipes
from genui_core.application.wrapper import Wrapper
from genui_core.domain.framing.lines import LineBuffer
from genui_core.domain.mcp.request_checks import PARSE_ERROR
from genui_core.ports.tool_source import ToolSourceOpener

_LAST_ANSWERS_S = 2.0
"""How long the answers may take that tell the host why we end."""
_NO_MESSAGE = error_answer(None, {"code": PARSE_ERROR, "message": "This line is no JSON-RPC message."})


async def serve_stdio_session(
    wrapper: Wrapper, opener: ToolSourceOpener, *, host_in: int = 0, host_out: int = 1
) -> None:
    """Serve the host on two descriptors until it closes its side, or a signal ends us.

    Args:
        wrapper: Gives the upstream's tools their UIs.
        opener: Makes the connections to the upstream.
        host_in: Where the host writes.
        host_out: Where the host reads.

    Raises:
        UpstreamForbidden: The upstream refused the credentials from the start. The host got an error.
    """
    pipes = WatchedPipes(host_out)
    try:
        async with proxy_server(wrapper, opener) as proxy, nursery() as tasks:
            tasks.start_soon(_end_on_signal, tasks.cancel_scope)
            await serve_pipes(proxy, pipes, host_in)
    finally:
        pipes.stop_writing()
        pipes.stop_reading()
    if proxy.admittance.refusal is not None:
        raise proxy.admittance.refusal


async def serve_pipes(proxy: ProxyServer, pipes: ChildPipes, host_in: int) -> None:
    """Serve the host on two pipes until it closes its side, or the upstream refuses the credentials.

    Args:
        proxy: Answers the host.
        pipes: Write to the host, and read from it.
        host_in: Where the host writes.
    """
    async with nursery() as tasks:

        async def say(message: bytes) -> None:
            await pipes.write(message + b"\n")

        host = DuplexHost(proxy, tasks, say)
        lines = HostChannels(host, say, tasks)
        pipes.read(host_in, lines.feed)
        tasks.start_soon(_end_when_refused, proxy.admittance, host, tasks.cancel_scope)
        try:
            await lines.ended.wait()
        finally:
            host.end()


@define(eq=False)
class HostChannels:
    """The lines that a host writes; one that is no message is answered with an error.

    Attributes:
        ended: Is set when the host has closed its side.
    """

    _host: DuplexHost
    _say: Say
    _tasks: TaskGroup
    _buffer: LineBuffer = field(factory=LineBuffer)
    ended: anyio.Event = field(factory=anyio.Event)

    def feed(self, data: bytes) -> None:
        """Take bytes; none mean the end."""
        lines = self._buffer.feed(data) if data else [self._buffer.take()]
        for line in lines:
            if line.strip() and not self._host.take(line):
                self._tasks.start_soon(self._say, _NO_MESSAGE.body)
        if not data:
            self.ended.set()


async def _end_when_refused(admittance: Admittance, host: DuplexHost, scope: anyio.CancelScope) -> None:
    await admittance.until_refused()
    with anyio.move_on_after(_LAST_ANSWERS_S):
        await host.until_answered()
    scope.cancel()


async def _end_on_signal(scope: anyio.CancelScope) -> None:
    if sys.platform == "win32":
        return  # there an interrupt comes as an exception
    with anyio.open_signal_receiver(*END_SIGNALS) as signals:
        async for _ in signals:
            scope.cancel()
