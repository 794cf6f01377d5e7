"""The proxy on an event loop: over HTTP or SSE, or in front of an upstream behind a URL."""

import gc
import logging
import os
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any, Literal

import anyio

from genui_adapters.compose import wrapper_from
from genui_adapters.environment import NO_MODEL
from genui_adapters.host.listening_socket import is_loopback, reason_against
from genui_adapters.io.process import UpstreamProcess
from genui_adapters.telemetry.configured_event_log import listeners_for
from genui_adapters.telemetry.tally import Tally
from genui_adapters.upstream.openers import tool_source_opener
from genui_cli.cli_error import OK, CliError
from genui_cli.output import emit
from genui_cli.upstream_options import UpstreamOptions, upstream_of
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.configuration import Configuration, ServeSettings
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import ToolSourceOpener


class EventLogHandler(logging.Handler):
    """Forwards warnings and errors of libraries to the event log; leaves out tracebacks."""

    def __init__(self, event_log: EventLog) -> None:
        super().__init__(logging.WARNING)
        self._event_log = event_log

    def emit(self, record: logging.LogRecord) -> None:
        """Record one message."""
        level = Level.ERROR if record.levelno >= logging.ERROR else Level.WARN
        raised = record.exc_info[1] if record.exc_info else None
        error = None if raised is None else {"code": type(raised).__name__, "message": str(raised)}
        self._event_log.record(
            level, "wrapper", "library_log", library=record.name, text=record.getMessage(), error=error
        )


def run_serve(
    upstream: UpstreamOptions,
    configuration: Configuration | None,
    typed: Mapping[str, Any],
    ahead: list[UpstreamProcess],
) -> int:
    """Serve hosts until they leave or a signal arrives; return the exit code.

    Args:
        upstream: The typed and configured options of the upstream.
        configuration: The rest of the configuration; None if nothing is configured.
        typed: The typed transport, host and port, if there is no configuration.
        ahead: The upstream if it is already started; its first connection takes it from the list.

    Raises CliError if the address must not be served on, UpstreamForbidden if the upstream wants credentials.
    """
    given, configuration = configuration, configuration or Configuration(serve=ServeSettings(**typed))
    serve = configuration.serve
    tally = None if serve.transport == "stdio" else Tally()
    target = upstream_of(upstream, os.environ)
    wrapper = wrapper_from(given, os.environ, listeners_for(os.environ, tally), target.secrets)
    if given is None:
        wrapper.event_log.record(Level.INFO, "llm", "provider_chosen", **NO_MODEL)
    wrapper.event_log.record(Level.DEBUG, "wrapper", "startup", transport=serve.transport)
    # Warnings and errors of libraries are recorded, instead of written to standard error.
    logging.basicConfig(handlers=[EventLogHandler(wrapper.event_log)], level=logging.WARNING, force=True)
    opener = tool_source_opener(
        target,
        event_log=wrapper.event_log,
        settings=wrapper.settings.upstream,
        protocol=configuration.upstream.protocol,
        ahead=ahead,
    )
    if serve.transport == "stdio":
        from genui_adapters.host.sessions.stdio_session import serve_stdio_session  # noqa: PLC0415 -- not for HTTP

        gc.enable()
        anyio.run(serve_stdio_session, wrapper, opener)
    else:
        _run_http(wrapper, opener, configuration, serve.transport, tally)
    return OK


def _run_http(
    wrapper: Wrapper,
    opener: ToolSourceOpener,
    configuration: Configuration,
    transport: Literal["http", "sse"],
    tally: Tally | None,
) -> None:
    from genui_adapters.host.http.server import serve_http  # noqa: PLC0415 -- not for stdio

    def announce(address: str) -> None:
        text, log_format = f"mcp-gen-ui serves {address}", configuration.logging.format
        emit(text, log_format, Level.INFO, "serving", address=address)

    serve = configuration.serve
    _check_exposure(serve)
    gc.freeze()  # loaded modules are never garbage: visiting them would slow every request
    gc.enable()
    anyio.run(
        partial(serve_http, wrapper, opener, transport, serve, announce, tally),
        backend_options={"use_uvloop": find_spec("uvloop") is not None},  # Windows has no uvloop
    )


def _check_exposure(serve: ServeSettings) -> None:
    """Raise a CliError if others can reach the address without protection; name all that is missing."""
    missing = [*missing_for_others(serve)]
    if not missing:
        return
    obstacle = reason_against(serve.host, serve.port)
    if obstacle is not None:
        missing.append((str(obstacle), obstacle.hint))
    text = f"--host {serve.host} can be reached from other machines: {'; '.join(what for what, _ in missing)}"
    raise CliError(text, hint="; ".join(fix for _, fix in missing))


def missing_for_others(serve: ServeSettings) -> Iterator[tuple[str, str]]:
    """Yield what an address that other machines can reach lacks, each with its hint."""
    if is_loopback(serve.host):
        return
    if not serve.allowed_hosts:
        yield "no name is allowed for it", "name what hosts call it by: --allowed-host NAME[:PORT]"
    if serve.token is None:
        yield "no token guards it", "set MCP_GEN_UI_TOKEN, or use --token: hosts send it as a bearer token"
