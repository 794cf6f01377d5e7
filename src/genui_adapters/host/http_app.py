"""The HTTP application: the protocol over Streamable HTTP or SSE, and how we are."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal

from attrs import frozen
from mcp.server import Server
from mcp.server.sse import SseServerTransport
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from genui_adapters.host.http_security import Admission, Gate
from genui_adapters.host.proxy_server import ProxyServer
from genui_adapters.host.state_pages import state_pages
from genui_adapters.host.streamable import MAX_BODY_BYTES, streamable_endpoint
from genui_adapters.telemetry.tally import Tally

Transport = Literal["http", "sse"]
PATHS: dict[Transport, str] = {"http": "/mcp", "sse": "/sse"}
"""Where each transport's endpoint is."""

_MESSAGES = "/messages/"
_SHOWN_HEADERS = ("mcp-session-id", "mcp-protocol-version", "www-authenticate")


@asynccontextmanager
async def http_app(
    proxy: ProxyServer, transport: Transport, admission: Admission, tally: Tally | None = None
) -> AsyncIterator[ASGIApp]:
    """Run the application; leaving ends the sessions of its hosts.

    Args:
        proxy: Answers the hosts.
        transport: ``http`` for Streamable HTTP, ``sse`` for SSE.
        admission: Who is let in.
        tally: What was counted, for ``GET /metrics``; without it there is no such page.
    """
    pages = tuple(state_pages(proxy, admission, tally))
    if transport == "sse":
        yield _application(_sse_routes(proxy.server), pages, admission)
        return
    async with streamable_endpoint(proxy.server, proxy.know_sessions) as endpoint:
        yield _application({PATHS["http"]: endpoint}, pages, admission)


def _application(
    endpoints: dict[str, ASGIApp], pages: tuple[BaseRoute, ...], admission: Admission
) -> ASGIApp:
    routes: list[BaseRoute] = [*pages]
    for path, endpoint in endpoints.items():
        gated = Gate(endpoint, admission)
        routes.append(Mount(path, gated) if path.endswith("/") else Route(path, gated))
    cors = Middleware(
        CORSMiddleware,
        allow_origins=list(admission.origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["*"],
        expose_headers=_SHOWN_HEADERS,
    )
    app = Starlette(routes=routes, middleware=[cors] if admission.origins else [])
    return (
        app
        if admission.origins
        else _Shortcut({path: Gate(each, admission) for path, each in endpoints.items()}, app)
    )


@frozen
class _Shortcut:
    """Leads to an endpoint without a detour; all else is the application's."""

    endpoints: Mapping[str, ASGIApp]
    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = self.endpoints.get(scope["path"]) if scope["type"] == "http" else None
        await (endpoint or self.app)(scope, receive, send)


def _sse_routes(server: Server[Any]) -> dict[str, ASGIApp]:
    transport = SseServerTransport(_MESSAGES, max_request_body_size=MAX_BODY_BYTES)

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await Response(status_code=405, headers={"Allow": "GET"})(scope, receive, send)
            return
        async with transport.connect_sse(scope, receive, send) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    return {PATHS["sse"]: stream, _MESSAGES: transport.handle_post_message}
