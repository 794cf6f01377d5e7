"""The older HTTP transport of the protocol: one stream of events for the session, and POSTs beside it."""

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qs

from attrs import define, field

from genui_adapters.host.http.events import EventStream, serve_stream
from genui_adapters.host.http.exchange import Exchange, origin_of
from genui_adapters.host.sessions.duplex import DuplexHost
from genui_adapters.host.sessions.proxy_server import ProxyServer
from genui_adapters.io.nursery import nursery

_STREAM, _MESSAGES = "/sse", "/messages/"


def sse_endpoints(proxy: ProxyServer) -> Mapping[str, Callable[[Exchange], Awaitable[None]]]:
    """Return what answers at each path of the transport."""
    endpoint = SseEndpoint(proxy)
    return {_STREAM: endpoint.stream, _MESSAGES: endpoint.message}


@define(eq=False)
class SseEndpoint:
    """The streams of the hosts, and the messages that they post."""

    _proxy: ProxyServer
    _hosts: dict[str, DuplexHost] = field(factory=dict)

    async def stream(self, exchange: Exchange) -> None:
        """Serve the stream of one session, which ends with it."""
        if exchange.method != "GET":
            await exchange.respond(405, headers=((b"allow", b"GET"),))
            return
        events, session_id = EventStream(), self._proxy.views.identity.nonce()
        async with nursery() as tasks:
            host = DuplexHost(self._proxy, tasks, events.put, origin_of(exchange))
            self._hosts[session_id] = host
            try:
                root = str(exchange.scope.get("root_path", "")).rstrip("/")
                where = f"{root}{_MESSAGES}?session_id={session_id}"
                await serve_stream(
                    exchange, events, opening=f"event: endpoint\r\ndata: {where}\r\n\r\n".encode()
                )
            finally:
                del self._hosts[session_id]
                host.end()

    async def message(self, exchange: Exchange) -> None:
        """Take a message of a host."""
        if exchange.method != "POST":
            await exchange.respond(405, headers=((b"allow", b"POST"),))
            return
        given = parse_qs(exchange.scope["query_string"].decode("latin-1")).get("session_id")
        if not given:
            await exchange.respond_text(400, "session_id is required")
            return
        host = self._hosts.get(given[0].replace("-", ""))
        if host is None:
            await exchange.respond_text(404, "Could not find session")
        elif host.take(await exchange.body()):
            await exchange.respond_text(202, "Accepted")
        else:
            await exchange.respond_text(400, "Could not parse message")
