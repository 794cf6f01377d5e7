"""The HTTP application: MCP over Streamable HTTP or SSE, and the pages about the server's state.

SSE is the older transport: one stream of events for the session, and POSTs beside it.
"""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from functools import partial
from hmac import compare_digest
from typing import TYPE_CHECKING, Literal

from attrs import evolve, field, frozen

from genui_adapters.host.http.events import EventStream, serve_stream
from genui_adapters.host.http.exchange import TEXT, Answering, App, Exchange, Headers, Refused, origin_of
from genui_adapters.host.sessions.proxy_server import ProxyServer
from genui_adapters.io.nursery import nursery
from genui_adapters.telemetry.tally import Tally
from genui_core.domain.mcp.jsonrpc import outbound

if TYPE_CHECKING:
    from genui_adapters.host.sessions.duplex import DuplexHost

Transport = Literal["http", "sse"]
PATHS: dict[Transport, str] = {"http": "/mcp", "sse": "/sse"}
"""Where each transport's endpoint is."""

_ADMISSION_HEADERS = ("host", "origin", "authorization")
_MOST_ADMITTED = 1000
_EXPOSED_HEADERS = b"mcp-session-id, mcp-protocol-version, www-authenticate"

_MESSAGES = "/messages/"
_METHODS = {PATHS["http"]: ("GET", "POST", "DELETE"), PATHS["sse"]: ("GET",), _MESSAGES: ("POST",)}
_PAGE_METHODS = ("GET", "HEAD")

# --- admission --------------------------------------------------------------------------
# A page in a browser on this machine can send requests to loopback. `Host` shows that the page used a name
# of its own (DNS rebinding), `Origin` whose page it is. Pages of other local servers must be configured.

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def _normal_origins(origins: Collection[str]) -> tuple[str, ...]:
    return tuple(each.lower().rstrip("/") for each in origins)


@frozen
class Admission:
    """The rule that admits requests.

    Attributes:
        hosts: The names of this server that ``Host`` may give, with a port or for any port.
        origins: The origins whose pages may send requests; pages of the server's own origin always may.
        is_local: Whether only this machine can reach the server; then loopback names are admitted.
    """

    hosts: Collection[str] = ()
    origins: Collection[str] = field(default=(), converter=_normal_origins)
    token: str | None = None
    is_local: bool = True

    def refusal(self, headers: Mapping[str, str]) -> Refused | None:
        """Return the answer to a request that is not admitted, or None for an admitted request."""
        host = headers.get("host", "").lower()
        if not self._allows_host(host):
            return Refused(421, "This server is not known by that Host.")
        if not self._allows_origin(headers.get("origin"), host):
            return Refused(403, "Pages of this Origin are not served.")
        if not self._allows_token(headers.get("authorization", "")):
            return Refused(401, "A bearer token is needed.", headers=((b"www-authenticate", b"Bearer"),))
        return None

    def _allows_host(self, host: str) -> bool:
        names = {host, _without_port(host)}
        return (self.is_local and not names.isdisjoint(_LOOPBACK)) or not names.isdisjoint(
            map(str.lower, self.hosts)
        )

    def _allows_origin(self, origin: str | None, host: str) -> bool:
        """Return whether an origin is allowed. Browsers send one; a request without one is a program's."""
        if origin is None or origin.lower() in self.origins:
            return True
        return origin.lower() in self._own_origins(host)

    def _own_origins(self, host: str) -> Collection[str]:
        """Return the origins of this server's own pages, under the name in the request's ``Host``."""
        if not self.is_local:  # a reverse proxy in front of it may end TLS
            return f"http://{host}", f"https://{host}"
        port = host.removeprefix(_without_port(host))
        return tuple(f"http://{name}{port}" for name in _LOOPBACK)

    def _allows_token(self, authorization: str) -> bool:
        if self.token is None:
            return True
        scheme, _, given = authorization.partition(" ")
        return compare_digest(given.strip().encode(), self.token.encode()) and scheme.lower() == "bearer"


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


# --- pages and endpoints ----------------------------------------------------------------


@frozen
class StatePages:
    """The pages ``/healthz`` and ``/readyz``, and ``/metrics`` if there is a tally.

    Health checks have no token, so the first two pages need none and reveal nothing else. The
    metrics reveal more, and need authorization.
    """

    proxy: ProxyServer
    admission: Admission
    tally: Tally | None

    def page(self, path: str) -> tuple[Admission, App] | None:
        """Return the admission and the endpoint of the page at a path; None if there is no page."""
        if path == "/metrics" and self.tally is not None:
            return self.admission, partial(_metrics, self.tally)
        public = evolve(self.admission, token=None)
        pages = {"/healthz": self._health, "/readyz": self._readiness}
        return (public, pages[path]) if path in pages else None

    def _health(self, exchange: Exchange) -> None:
        exchange.respond(200, outbound({"status": "alive"}))

    def _readiness(self, exchange: Exchange) -> None:
        reason = self.proxy.unready
        state = {"status": "ready"} if reason is None else {"status": "not ready", "reason": reason}
        exchange.respond(200 if reason is None else 503, outbound(state))


def _metrics(tally: Tally, exchange: Exchange) -> None:
    from genui_adapters.telemetry.prometheus import exposition  # noqa: PLC0415 -- at its first use

    text, kind = exposition(tally, exchange.headers.get("accept", ""))
    exchange.respond(200, text, kind)


@frozen(eq=False)
class SseEndpoint:
    """The endpoints of SSE: the streams of the hosts, and the messages that hosts post."""

    _proxy: ProxyServer
    _hosts: "dict[str, DuplexHost]" = field(factory=dict)

    async def stream(self, exchange: Exchange) -> None:
        """Serve the stream of one session; the session ends with the stream."""
        from genui_adapters.host.sessions.duplex import DuplexHost  # noqa: PLC0415 -- for SSE only

        events, session_id = EventStream(), self._proxy.views.identity.nonce()
        async with nursery() as tasks:
            host = DuplexHost(self._proxy, tasks, events.put, origin_of(exchange))
            self._hosts[session_id] = host
            try:
                where = f"{_MESSAGES}?session_id={session_id}"
                await serve_stream(
                    exchange, events, opening=f"event: endpoint\r\ndata: {where}\r\n\r\n".encode()
                )
            finally:
                del self._hosts[session_id]
                host.end()

    async def message(self, exchange: Exchange) -> None:
        """Take a message from a host."""
        from urllib.parse import parse_qs  # noqa: PLC0415 -- for SSE only

        given = parse_qs(exchange.head.query).get("session_id")
        if not given:
            raise Refused(400, "session_id is required")
        host = self._hosts.get(given[0].replace("-", ""))
        if host is None:
            raise Refused(404, "Could not find session")
        if host.take(await exchange.body()) is not None:
            raise Refused(400, "Could not parse message")
        exchange.respond(202, b"Accepted", TEXT)


@asynccontextmanager
async def http_app(
    proxy: ProxyServer, transport: Transport, admission: Admission, tally: Tally | None = None
) -> "AsyncIterator[HttpApp]":
    """Run the application on Streamable HTTP or SSE; leaving ends the sessions of its hosts."""
    pages = StatePages(proxy, admission, tally)
    if transport == "sse":
        sse = SseEndpoint(proxy)
        yield HttpApp({PATHS["sse"]: sse.stream, _MESSAGES: sse.message}, pages, admission)
        return
    from genui_adapters.host.http.streamable import streamable_endpoint  # noqa: PLC0415 -- not for SSE

    async with streamable_endpoint(proxy) as endpoint:
        yield HttpApp({PATHS["http"]: endpoint}, pages, admission)


@frozen(eq=False)
class HttpApp:
    """The application, which routes each admitted request to the endpoint at its path."""

    endpoints: Mapping[str, App]
    pages: StatePages
    admission: Admission
    _admitted: set[tuple[object, ...]] = field(factory=set)

    def __call__(self, exchange: Exchange) -> Answering | None:
        """Answer a request, or return the coroutine that does."""
        if self.admission.origins and (origin := exchange.headers.get("origin")) is not None:
            if "access-control-request-method" in exchange.headers and exchange.head.method == "OPTIONS":
                self._preflight(exchange, origin)
                return None
            exchange.added = self._sharing(origin)
        path = exchange.head.path
        endpoint, admission = self.endpoints.get(path), self.admission
        if endpoint is None:
            page = self.pages.page(path)
            if page is None:
                raise Refused(404, "Not Found")
            admission, endpoint = page
        refusal = self._refusal(exchange, admission)
        if refusal is not None:
            raise refusal
        methods = _METHODS.get(path, _PAGE_METHODS)
        if exchange.head.method not in methods:
            raise Refused(405, "Method Not Allowed", headers=((b"allow", ", ".join(methods).encode()),))
        return endpoint(exchange)

    def _refusal(self, exchange: Exchange, admission: Admission) -> Refused | None:
        """Return the refusal of a request, or None; headers that were admitted once are admitted again."""
        sent = (admission.token, *map(exchange.headers.get, _ADMISSION_HEADERS))
        if sent in self._admitted:
            return None
        refusal = admission.refusal(exchange.headers)
        if refusal is None and len(self._admitted) < _MOST_ADMITTED:
            self._admitted.add(sent)
        return refusal

    # --- pages of other origins (CORS) --------------------------------------------------

    def _sharing(self, origin: str) -> Headers:
        """Return the headers that let a page of a configured origin read the response."""
        if origin.lower() not in self.admission.origins:
            return ()
        return (
            (b"access-control-allow-origin", origin.encode("latin-1")),
            (b"access-control-expose-headers", _EXPOSED_HEADERS),
            (b"vary", b"Origin"),
        )

    def _preflight(self, exchange: Exchange, origin: str) -> None:
        shared = self._sharing(origin)
        if not shared:
            raise Refused(400, "Disallowed CORS origin", headers=((b"vary", b"Origin"),))
        wanted = exchange.headers.get("access-control-request-headers", "").encode("latin-1")
        allowed = (
            (b"access-control-allow-methods", ", ".join(_METHODS[PATHS["http"]]).encode()),
            (b"access-control-allow-headers", wanted),
        )
        exchange.respond(200, b"OK", TEXT, (*shared, *allowed, (b"access-control-max-age", b"600")))
