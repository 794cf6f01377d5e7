"""Serves two loopback origins with one HTTP server until the caller stops it."""

import asyncio
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import anyio
import attrs
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from genui_adapters.host.listening_socket import bound_socket


def listening_socket(port: int) -> socket.socket:
    """Return a socket that already accepts on 127.0.0.1, so an address may be shown before anyone serves it.

    Raises:
        CannotListen: The port is taken.
    """
    return bound_socket("127.0.0.1", port)


def port_of(listening: socket.socket) -> int:
    """Return the port a socket is bound to."""
    return int(listening.getsockname()[1])


@attrs.frozen
class ByPort:
    """An ASGI application that is another one on each port."""

    apps: Mapping[int, ASGIApp]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request to the application of the port that it came in on."""
        await self.apps[scope["server"][1]](scope, receive, send)


async def serve_http(app: ASGIApp, sockets: Sequence[socket.socket], end: Callable[[], None]) -> None:
    """Serve until cancelled; then `end` what would last for ever, let answers finish for a moment, and close."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = _Server(config)
    serving = asyncio.ensure_future(server.serve(sockets=list(sockets)))
    try:
        await asyncio.shield(serving)
    finally:
        end()
        server.should_exit = True
        with anyio.CancelScope(shield=True):
            await asyncio.wait([serving])


class _Server(uvicorn.Server):
    """Leaves signals to the caller, which also has a child process to close."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
