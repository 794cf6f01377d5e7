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
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from genui_adapters.host.http_security import Admission, Gate
from genui_adapters.host.proxy_server import ProxyServer
from genui_adapters.host.streamable import MAX_BODY_BYTES, streamable_endpoint

Transport = Literal["http", "sse"]
PATHS: dict[Transport, str] = {"http": "/mcp", "sse": "/sse"}
"""Where each transport's endpoint is."""

_MESSAGES = "/messages/"
_SHOWN_HEADERS = ("mcp-session-id", "mcp-protocol-version", "www-authenticate")


@asynccontextmanager
async def http_app(proxy: ProxyServer, transport: Transport, admission: Admission) -> AsyncIterator[ASGIApp]:
    """Run the application; leaving ends the sessions of its hosts.

    Args:
        proxy: Answers the hosts.
        transport: ``http`` for Streamable HTTP, ``sse`` for SSE.
        admission: Who is let in.
    """
    if transport == "sse":
        yield _application(proxy, _sse_routes(proxy.server), admission)
        return
    async with streamable_endpoint(proxy.server) as endpoint:
        yield _application(proxy, {PATHS["http"]: endpoint}, admission)


def _application(proxy: ProxyServer, endpoints: dict[str, ASGIApp], admission: Admission) -> ASGIApp:
    async def alive(_request: Request) -> Response:
        return JSONResponse({"status": "alive"})

    async def ready(_request: Request) -> Response:
        state = {
            "status": "ready" if proxy.is_ready else "starting",
            "tools": len(proxy.wrapper.active_tools),
        }
        return JSONResponse(state, 200 if proxy.is_ready else 503)

    routes: list[BaseRoute] = [Route("/healthz", alive), Route("/readyz", ready)]
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
