"""The HTTP transport: one wrapper for many hosts."""

import asyncio
import socket
from collections.abc import Callable
from functools import partial

import anyio
from attrs import Factory, field, frozen

from genui_adapters.host.http.app import PATHS, Admission, Transport, http_app
from genui_adapters.host.http.connection import HttpConnection, Shared
from genui_adapters.host.http.exchange import App
from genui_adapters.host.listening_socket import bound_socket, is_loopback
from genui_adapters.host.sessions.callers import Credentials
from genui_adapters.host.sessions.proxy_server import proxy_server
from genui_adapters.io.descriptor_loop import END_SIGNALS, handled
from genui_adapters.io.nursery import nursery
from genui_adapters.telemetry.tally import Tally
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.configuration import ServeSettings
from genui_core.ports.tool_source import ToolSourceOpener

_GRACE_S = 1.0
"""How long requests may continue after the signal to exit."""
_POLL_S = 0.01
_BACKLOG = 2048


@frozen(eq=False, repr=False)
class HttpServer:
    """Runs an application on a socket until `end` is called."""

    app: App
    _shared: Shared = field(init=False, default=Factory(lambda server: Shared(server.app), takes_self=True))
    _ending: asyncio.Event = field(init=False, factory=asyncio.Event)
    _cut_off: asyncio.Event = field(init=False, factory=asyncio.Event)

    def end(self) -> None:
        """End after a short time for open requests; when called again, end at once."""
        (self._cut_off if self._ending.is_set() else self._ending).set()

    async def serve(self, listening: socket.socket) -> None:
        """Serve; cancelling it ends at once."""
        loop, shared = asyncio.get_running_loop(), self._shared
        connect = partial(HttpConnection, shared)
        server = await loop.create_server(connect, sock=listening, backlog=_BACKLOG, start_serving=False)
        try:
            await server.start_serving()  # when cancelled, it leaves the socket in the event loop
            await self._ending.wait()
            server.close()
            for each in tuple(shared.connections):
                each.end()
            await self._until_answered()
        finally:
            server.close()
            for task in tuple(shared.tasks):
                task.cancel()  # a stream would never end
            await self._until_answered(shield=True)
            for each in tuple(shared.connections):
                each.transport.abort()

    async def _until_answered(self, *, shield: bool = False) -> None:
        """Wait until every response was sent, for a limited time."""
        with anyio.move_on_after(_GRACE_S, shield=shield):
            while self._shared.connections and not self._cut_off.is_set():
                with anyio.move_on_after(_POLL_S):
                    await self._cut_off.wait()


async def serve_http(
    wrapper: Wrapper,
    opener: ToolSourceOpener,
    transport: Transport,
    serve: ServeSettings,
    announce: Callable[[str], None],
    tally: Tally | None = None,
) -> None:
    """Serve hosts at the configured address until a signal comes. Must run in the main thread.

    Raises:
        CannotListen: The address is in use, or does not belong to this machine.
        UpstreamForbidden: The upstream refused the credentials from the start.
    """
    admission = Admission(serve.allowed_hosts, serve.allowed_origins, serve.token, is_loopback(serve.host))
    with bound_socket(serve.host, serve.port) as listening:
        async with proxy_server(wrapper, opener) as proxy, nursery() as tasks:
            tasks.start_soon(proxy.learn_tools)
            async with http_app(proxy, transport, admission, tally) as app:
                server = HttpServer(app)
                tasks.start_soon(_end_when_refused, proxy.credentials, server)
                loop = asyncio.get_running_loop()
                with handled(END_SIGNALS, lambda: loop.call_soon_threadsafe(server.end)):
                    name = f"[{serve.host}]" if ":" in serve.host else serve.host
                    announce(f"http://{name}:{listening.getsockname()[1]}{PATHS[transport]}")
                    await server.serve(listening)
    if proxy.credentials.refusal is not None:
        raise proxy.credentials.refusal


async def _end_when_refused(credentials: Credentials, server: HttpServer) -> None:
    await credentials.until_refused()
    server.end()
