"""Serves a stdio host in front of an upstream behind a URL."""

import sys

import anyio

from genui_adapters.host.admittance import Admittance
from genui_adapters.host.host_streams import HostReader, HostWriter
from genui_adapters.host.proxy_server import proxy_server
from genui_adapters.host.stdio_events import END_SIGNALS
from genui_adapters.io.nursery import nursery
from genui_adapters.io.pipes import WatchedPipes
from genui_core.application.wrapper import Wrapper
from genui_core.ports.tool_source import ToolSourceOpener

_LAST_ANSWERS_S = 2.0
"""How long the answers may take that tell the host why we end."""


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
            writer = HostWriter(pipes)
            tasks.start_soon(_end_on_signal, tasks.cancel_scope)
            tasks.start_soon(_end_when_refused, proxy.admittance, writer, tasks.cancel_scope)
            reader = HostReader(pipes, host_in, writer)
            await proxy.server.run(reader, writer, proxy.server.create_initialization_options())
    finally:
        pipes.stop_writing()
        pipes.stop_reading()
    if proxy.admittance.refusal is not None:
        raise proxy.admittance.refusal


async def _end_when_refused(admittance: Admittance, writer: HostWriter, scope: anyio.CancelScope) -> None:
    await admittance.until_refused()
    with anyio.move_on_after(_LAST_ANSWERS_S):
        await writer.until_answered()
    scope.cancel()


async def _end_on_signal(scope: anyio.CancelScope) -> None:
    if sys.platform == "win32":
        return  # there an interrupt comes as an exception
    with anyio.open_signal_receiver(*END_SIGNALS) as signals:
        async for _ in signals:
            scope.cancel()
