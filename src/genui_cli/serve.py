"""``mcp-gen-ui --transport http``, or in front of a URL: the proxy where the SDK serves."""

import os
import sys
from functools import partial
from typing import Literal, NamedTuple

import anyio

from genui_adapters.compose import stdio_wrapper, tool_source_opener
from genui_adapters.host.http_security import is_loopback
from genui_adapters.telemetry.library_log import collect_library_logs
from genui_cli.complaint import Complaint
from genui_cli.exit_codes import AUTHENTICATION, OK, UPSTREAM_UNREACHABLE, USAGE
from genui_cli.proxy import ProxyOptions
from genui_cli.remote_options import remote_upstream
from genui_cli.upstream_options import UpstreamOptions, upstream_command
from genui_core.application.wrapper import Wrapper
from genui_core.errors import UpstreamForbidden
from genui_core.ports.tool_source import ToolSourceOpener

TOKEN_VARIABLE = "MCP_GEN_UI_TOKEN"  # noqa: S105 -- the name of a variable


_CREDENTIALS_HINT = """give it what it wants to see: -H 'Authorization: Bearer ${MY_TOKEN}'"""


class ServeOptions(NamedTuple):
    """What was typed about serving.

    Attributes:
        transport: ``stdio``, ``http`` or ``sse``.
        host: The address to serve on.
        port: Its port; 0 takes a free one.
        token: What every request must carry; the variable's where none was typed.
        allowed_hosts: Each ``--allowed-host``.
        allowed_origins: Each ``--allowed-origin``.
    """

    transport: Literal["stdio", "http", "sse"] = "stdio"
    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()


def run_serve(upstream: UpstreamOptions, proxy: ProxyOptions, serve: ServeOptions | None = None) -> int:
    """Serve hosts until they leave or a signal ends us; return the exit code.

    Raises:
        Complaint: The options do not go together, the address cannot be served on, or the upstream
            does not let us in.
    """
    serve = serve or ServeOptions()
    wrapper = stdio_wrapper(log_level=proxy.log_level, log_format=proxy.log_format, apps=proxy.apps)
    collect_library_logs(wrapper.journal)
    opener = _opener(upstream, wrapper)
    try:
        if serve.transport == "stdio":
            _run_stdio(wrapper, opener)
        else:
            _run_http(wrapper, opener, serve, serve.transport)
    except UpstreamForbidden as refusal:
        hint = "look at what -H sends" if upstream.headers else _CREDENTIALS_HINT
        raise Complaint(str(refusal), hint=hint, exit_code=AUTHENTICATION) from refusal
    return OK


def _run_stdio(wrapper: Wrapper, opener: ToolSourceOpener) -> None:
    from genui_adapters.host.stdio_session import serve_stdio_session  # noqa: PLC0415 -- not for HTTP

    anyio.run(serve_stdio_session, wrapper, opener)


def _opener(typed: UpstreamOptions, wrapper: Wrapper) -> ToolSourceOpener:
    upstream = remote_upstream(typed, os.environ)
    if upstream is not None:
        return tool_source_opener(upstream, journal=wrapper.journal)
    command = upstream_command(typed)
    reason = command.obstacle()
    if reason is not None:
        raise Complaint(reason, hint="check the command after --", exit_code=UPSTREAM_UNREACHABLE)
    return tool_source_opener(command, journal=wrapper.journal)


def _run_http(
    wrapper: Wrapper, opener: ToolSourceOpener, serve: ServeOptions, transport: Literal["http", "sse"]
) -> None:
    from genui_adapters.host.http_server import HttpOptions, serve_http  # noqa: PLC0415 -- not for stdio
    from genui_adapters.host.listening_socket import CannotListen  # noqa: PLC0415

    token = serve.token or os.environ.get(TOKEN_VARIABLE) or None
    _check_exposure(serve, token)
    options = HttpOptions(
        transport, serve.host, serve.port, token, serve.allowed_hosts, serve.allowed_origins
    )
    try:
        anyio.run(partial(serve_http, wrapper, opener, options, _announce))
    except CannotListen as error:
        hint = "choose another with --port, or take a free one with --port 0"
        raise Complaint(str(error), hint=hint, exit_code=USAGE) from error


def _check_exposure(serve: ServeOptions, token: str | None) -> None:
    """Others may reach an address that is not this machine's own: it is not opened by accident."""
    if is_loopback(serve.host):
        return
    if not serve.allowed_hosts:
        raise Complaint(
            f"--host {serve.host} can be reached from other machines",
            hint="name what it may be called by there: --allowed-host NAME[:PORT]",
            exit_code=USAGE,
        )
    if token is None:
        raise Complaint(
            f"--host {serve.host} can be reached from other machines, and no token guards it",
            hint=f"set {TOKEN_VARIABLE}, or use --token; hosts send it as a bearer token",
            exit_code=USAGE,
        )


def _announce(address: str) -> None:
    print(f"mcp-gen-ui serves {address}", file=sys.stderr, flush=True)  # noqa: T201 -- for the person
