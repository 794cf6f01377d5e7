"""The HTTP transport: one wrapper for many hosts.

Bounds apply to what a host sends: how long it takes, how long it is, and how many hosts do so at once.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from signal import signal
from typing import Any

import anyio
import uvicorn
from attrs import field, frozen
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from genui_adapters.host.http.app import PATHS, Transport, http_app
from genui_adapters.host.http.security import Admission, is_loopback
from genui_adapters.host.listening_socket import bound_socket
from genui_adapters.host.sessions.callers import Admittance
from genui_adapters.host.sessions.proxy_server import proxy_server
from genui_adapters.io.descriptor_loop import END_SIGNALS
from genui_adapters.io.nursery import nursery
from genui_adapters.telemetry.tally import Tally
from genui_core.application.wrapper import Wrapper
from genui_core.ports.tool_source import ToolSourceOpener

HEAD_S = 10.0
"""How long the head of a request may take, from the connection or the request's first byte."""
BODY_S = 60.0
"""How long the body of a request may take after its head."""
MOST_HALF_OPEN = 128
"""How many connections may be in the middle of a request, or before their first; beyond that, the oldest ends."""
MOST_HEAD_BYTES = 64 * 1024

_TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

_GRACE_S = 1.0
"""How long requests may continue after the signal to exit."""


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol on httptools, which alone bounds only how long a connection stays idle."""

    _half_open: dict["BoundedProtocol", None]
    _deadline: asyncio.TimerHandle | None = None
    _in_request = True
    """Whether a request is incomplete; before its first byte, a connection counts as one."""
    _in_head = True
    _head_bytes = 0

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        shared = server_state.__dict__
        self._half_open = shared.setdefault("half_open", {})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait(HEAD_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; refuse a head that is too long."""
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > MOST_HEAD_BYTES:
            self._refuse(_TOO_LONG)
        elif self._in_request and self._deadline is None and not self.transport.is_closing():
            self._wait(HEAD_S if self._in_head else BODY_S)
        elif not self._in_request:
            self._stop_waiting()

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        self._in_request = self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Note that the head is complete; the body has a time of its own."""
        self._in_head = False
        self._head_bytes = 0
        self._stop_waiting()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        self._in_request = False
        super().on_message_complete()

    def _wait(self, limit_s: float) -> None:
        self._deadline = self.loop.call_later(limit_s, self._refuse, _TIMEOUT)
        self._half_open[self] = None
        if len(self._half_open) > MOST_HALF_OPEN:
            next(iter(self._half_open))._refuse(_TIMEOUT)  # noqa: SLF001 -- another of this class

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self._half_open.pop(self, None)

    def _refuse(self, response: bytes) -> None:
        self._stop_waiting()
        if self.transport.is_closing():
            return
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or not cycle.response_started:
            self.transport.write(response)
        self.transport.close()


@frozen
class HttpOptions:
    """Where and to whom to serve (SPEC §11, ``serve``).

    Attributes:
        transport: ``http`` for Streamable HTTP, ``sse`` for SSE.
        host: The address to listen on.
        port: The port to listen on; 0 selects a free one.
        token: The bearer token that every request must send, or None.
        allowed_hosts: Host names that requests may use, besides those of this machine.
        allowed_origins: Origins of web pages that may send requests.
    """

    transport: Transport = "http"
    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = field(default=None, repr=False)
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()

    @property
    def admission(self) -> Admission:
        """Who is let in."""
        return Admission(self.allowed_hosts, self.allowed_origins, self.token, is_loopback(self.host))


async def serve_http(
    wrapper: Wrapper,
    opener: ToolSourceOpener,
    options: HttpOptions,
    announce: Callable[[str], None],
    tally: Tally | None = None,
) -> None:
    """Serve hosts until a signal ends us. Must run in the main thread.

    Args:
        wrapper: Gives the upstream's tools their UIs.
        opener: Makes the connections to the upstream.
        options: Where and to whom.
        announce: Is given the address when we listen there.
        tally: What is counted, for ``GET /metrics``.

    Raises:
        CannotListen: The address is in use, or not ours.
        UpstreamForbidden: The upstream refused the credentials from the start.
    """
    listening = bound_socket(options.host, options.port)
    with listening:
        async with proxy_server(wrapper, opener) as proxy, nursery() as tasks:
            tasks.start_soon(proxy.learn_tools)
            async with http_app(proxy, options.transport, options.admission, tally) as app:
                config = uvicorn.Config(
                    app, lifespan="off", http=BoundedProtocol, log_config=None, access_log=False, server_header=False,
                    ws="none", proxy_headers=False, timeout_graceful_shutdown=round(2 * _GRACE_S),
                )  # fmt: skip
                announce(_address(listening, options))
                server = _Server(config)
                tasks.start_soon(_end_when_refused, proxy.admittance, server)
                await server.serve([listening])
    if proxy.admittance.refusal is not None:
        raise proxy.admittance.refusal


async def _end_when_refused(admittance: Admittance, server: uvicorn.Server) -> None:
    await admittance.until_refused()
    server.should_exit = True


def _address(listening: socket.socket, options: HttpOptions) -> str:
    host = f"[{options.host}]" if ":" in options.host else options.host
    return f"http://{host}:{listening.getsockname()[1]}{PATHS[options.transport]}"


class _Server(uvicorn.Server):
    """A server that a signal ends well: with its requests ended, and as if it had ended by itself."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal(number, self.handle_exit) for number in END_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        async with nursery() as tasks:
            tasks.start_soon(self._end_requests)
            await super().shutdown(sockets)

    async def _end_requests(self) -> None:
        await anyio.sleep(_GRACE_S)
        for task in tuple(self.server_state.tasks):
            task.cancel()  # a stream would go on for ever
