"""The HTTP transport: one wrapper for many hosts."""

import contextlib
import socket
from collections.abc import Callable, Iterator
from signal import signal

import anyio
import uvicorn
from attrs import field, frozen

from genui_adapters.host.http.app import PATHS, Transport, http_app
from genui_adapters.host.http.protocol import BoundedProtocol
from genui_adapters.host.http.security import Admission, is_loopback
from genui_adapters.host.listening_socket import bound_socket
from genui_adapters.host.sessions.callers import Admittance
from genui_adapters.host.sessions.proxy_server import proxy_server
from genui_adapters.io.event_loop import END_SIGNALS
from genui_adapters.io.nursery import nursery
from genui_adapters.telemetry.tally import Tally
from genui_core.application.wrapper import Wrapper
from genui_core.ports.tool_source import ToolSourceOpener

_GRACE_S = 1.0
"""How long requests may continue after the signal to exit."""


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
