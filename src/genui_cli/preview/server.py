"""The preview's server: starts the wrapper, serves the page and the sandbox, and ends on signals."""

import asyncio
import secrets
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
import attrs
from anyio import to_thread

from genui_adapters.host.http.exchange import Exchange
from genui_adapters.host.http.server import HttpServer
from genui_adapters.host.listening_socket import bound_socket
from genui_adapters.io.descriptor_loop import END_SIGNALS, handled
from genui_adapters.io.nursery import nursery
from genui_cli.preview.connection import Connection
from genui_cli.preview.guard import (
    ENTRANCE,
    ON_EVERY_ANSWER,
    Endpoint,
    Guard,
    GuardedOrigin,
    origins_at,
    page_headers,
    view_policy,
)
from genui_cli.preview.happenings import Events, Happenings, watch_sources
from genui_cli.preview.page_api import PageApi, decode, own_version, query_of, respond_asset


@attrs.frozen(kw_only=True)
class PreviewOptions:
    """The options of one preview.

    Attributes:
        proxy_argv: The whole command line of the wrapper in front of the upstream, or of any other MCP
            server with the transport stdio.
        sources: Files and folders, by name, that the wrapper reads at its start. It is restarted when one
            changes.
        publish_address: Called with the address of the page, once a browser can open it.
        announce: Called with each line for the terminal.
    """

    proxy_argv: tuple[str, ...]
    title: str
    publish_address: Callable[[str], None] = lambda _address: None
    announce: Callable[[str], None] = lambda _line: None
    sources: Mapping[str, Path] = attrs.Factory(dict)
    port: int = 0
    has_model: bool = True
    open_browser: bool = True


LOOPBACK = "127.0.0.1"


def sandbox_origin(guard: Guard, *, page_port: int) -> GuardedOrigin:
    """Return the application of the sandbox; only the page at `page_port` may frame it."""

    async def proxy_page(exchange: Exchange) -> None:
        query = query_of(exchange)
        policy = view_policy(decode(query.get("csp", "")) or {}, query.get("profile", "spec"))
        framed = f"{policy}; frame-ancestors {' '.join(origins_at(page_port))}"
        headers = ((b"content-security-policy", framed.encode()),)
        await respond_asset(exchange, "sandbox.html", headers)

    scripts = ("sandbox-proxy.js", "sandbox-additions.js")
    endpoints = {"GET /": proxy_page, **{f"GET /{name}": respond_asset for name in scripts}}
    return GuardedOrigin(guard, ON_EVERY_ANSWER, endpoints)


def port_of(listening: socket.socket) -> int:
    """Return the port that a socket is bound to."""
    return int(listening.getsockname()[1])


async def serve_page(
    api: PageApi,
    sockets: tuple[socket.socket, socket.socket],
    token: str,
    *,
    cookie: str = "",
    index: str = "index.html",
    enter: Endpoint | None = None,
) -> None:
    """Serve the page and the sandbox until cancelled; then end streams and waits, and let answers finish.

    The sockets are those of the page and of the sandbox. With `cookie`, a cookie of that name has the token,
    and `enter` answers at the entrance of the page.
    """
    page_port, sandbox_port = map(port_of, sockets)
    guard = Guard(port=page_port, token=token, cookie=cookie)
    page = _page_origin(api, guard, sandbox_port, index, enter)
    sandbox = sandbox_origin(Guard(port=sandbox_port, token=token), page_port=page_port)
    servers = HttpServer(page), HttpServer(sandbox)
    serving = asyncio.gather(*(each.serve(at) for each, at in zip(servers, sockets, strict=True)))
    try:
        await asyncio.shield(serving)
    finally:
        api.events.close()
        api.happenings.close()
        for each in servers:
            each.end()
        with anyio.CancelScope(shield=True):
            await asyncio.wait([serving])


async def serve_preview(options: PreviewOptions) -> None:
    """Show the server of `options` in the browser until cancelled, interrupted or terminated.

    A server that cannot start or that dies does not end the preview: the page shows why and offers a restart.
    The server has ended when this returns. Runs on asyncio. Raises CannotListen if the port is taken.
    """
    loop = asyncio.get_running_loop()
    # In another thread only the caller can end the preview: signals reach only the main thread.
    signals = END_SIGNALS if threading.current_thread() is threading.main_thread() else ()
    async with nursery() as tasks:
        with handled(signals, lambda: loop.call_soon_threadsafe(tasks.cancel_scope.cancel)):
            async with open_preview(options) as (address, _):
                options.publish_address(address)
                options.announce(f"This is the preview of {options.title}. End it with Ctrl-C.")
                if options.open_browser:
                    tasks.start_soon(_open_browser, address)
                await anyio.sleep_forever()


@asynccontextmanager
async def open_preview(options: PreviewOptions) -> AsyncIterator[tuple[str, Connection]]:
    """Start the wrapper and serve the page; yield its address with the token, and the connection.

    Raises CannotListen if the port is taken.
    """
    events, token = Events(), secrets.token_urlsafe(24)
    connection = Connection(options.proxy_argv, events, options.announce, own_version())

    def restart_for(source: str) -> None:
        options.announce(f"Changed: {source}. The wrapper is started again.")
        events.publish({"type": "changed", "source": source})
        connection.restart()

    with ExitStack() as open_sockets:
        page = open_sockets.enter_context(bound_socket(LOOPBACK, options.port))
        sandbox = open_sockets.enter_context(bound_socket(LOOPBACK, 0))
        api = PageApi(
            ask=connection.request,
            start_again=connection.restart,
            events=events,
            happenings=Happenings(),
            title=options.title,
            has_model=options.has_model,
            sandbox_port=port_of(sandbox),
            server_state=lambda: connection.state,
        )
        async with nursery() as tasks:
            tasks.start_soon(serve_page, api, (page, sandbox), token)
            tasks.start_soon(connection.run)
            tasks.start_soon(watch_sources, options.sources, restart_for)
            yield f"http://{LOOPBACK}:{port_of(page)}/#token={token}", connection


def _page_origin(
    api: PageApi, guard: Guard, sandbox_port: int, index: str, enter: Endpoint | None
) -> GuardedOrigin:
    """Return the application of the page and its API, behind a guard."""
    endpoints: dict[str, Endpoint] = {
        **({} if enter is None else {f"GET {ENTRANCE}": enter}),
        "GET /": partial(respond_asset, name=index),
        "GET /assets/*": respond_asset,
        "GET /api/session": api.session,
        "GET /api/events": api.stream_events,
        "POST /api/rpc": api.rpc,
        "POST /api/happened": api.add_happening,
        "POST /api/page": api.describe,
        "GET /state": api.state,
        "GET /wait": api.wait,
        "POST /api/restart": api.restart,
    }
    return GuardedOrigin(guard, page_headers(sandbox_port), endpoints)


async def _open_browser(address: str) -> None:
    await to_thread.run_sync(webbrowser.open, address, abandon_on_cancel=True)
