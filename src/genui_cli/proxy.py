"""``mcp-gen-ui [-- COMMAND]``: the proxy on standard input and output."""

import gc
import os
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from genui_adapters.io.process import CannotStart, UpstreamProcess
from genui_cli.cli_error import OK, UPSTREAM_UNREACHABLE, CliError
from genui_cli.upstream_options import UpstreamOptions, upstream_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from genui_core.application.stdio.companion import CompanionPage, PageHost
    from genui_core.application.wrapper import Wrapper
    from genui_core.domain.settings.configuration import Configuration
    from genui_core.ports.event_log import EventLog


def run_proxy(upstream: UpstreamOptions, configuration: "Configuration | None" = None) -> int:
    """Relay between the host on our standard streams and the upstream; return the exit code.

    The upstream is started before anything else is imported, so that both get ready at once.

    Raises CliError if the upstream cannot be started, or stopped while the host was still there.
    """
    _open_standard_streams()
    command = upstream_command(upstream)
    _end_on_signals()
    try:
        process = UpstreamProcess(command)
    except CannotStart as error:
        from genui_cli.failures import starting_hint  # noqa: PLC0415 -- for errors only

        raise CliError(str(error), hint=starting_hint(command), exit_code=UPSTREAM_UNREACHABLE) from error
    gc.disable()
    try:
        return _relay(process, configuration, command.secrets)
    finally:
        gc.enable()
        process.end()


@contextmanager
def started_ahead(upstream: UpstreamOptions) -> "Iterator[list[UpstreamProcess]]":
    """Start an upstream that a transport serves which takes longer to import; yield it, or nothing.

    The connection that takes it from the list ends it. An error of its start is raised by the next start.
    """
    ahead: list[UpstreamProcess] = []
    gc.disable()
    if upstream.url is None and not upstream.headers:
        _end_on_signals()
        with suppress(CliError, CannotStart):
            ahead.append(UpstreamProcess(upstream_command(upstream)))
    try:
        yield ahead
    finally:
        gc.enable()
        for process in ahead:
            process.kill()
            process.end()
            process.close()


def _relay(process: UpstreamProcess, configuration: "Configuration | None", secrets: frozenset[str]) -> int:
    from genui_adapters.host.stdio_serving import serve_stdio  # noqa: PLC0415 -- imported while the upstream starts
    from genui_core.errors import GenUiError  # noqa: PLC0415

    if sys.stdin is not None and sys.stdin.isatty():
        print(  # noqa: T201 -- a word to the person
            "mcp-gen-ui waits for an MCP host on its standard input. To look at the UIs yourself, "
            "put `preview` before the `--`.",
            file=sys.stderr,
        )
    wrapper = configured_wrapper(configuration, secrets, _listeners())
    gc.freeze()  # what was loaded stays: looking through it time and again would be in vain
    gc.enable()
    try:
        if serve_stdio(wrapper, process, companion=_companion):
            return OK
    except GenUiError as error:
        from genui_adapters.telemetry.configured_event_log import known_secrets  # noqa: PLC0415 -- for this alone
        from genui_core.domain.logging.redaction import redacted  # noqa: PLC0415

        raise CliError(
            redacted(str(error), secrets | known_secrets(configuration, os.environ)),
            hint="is it an MCP server on standard input and output?",
            exit_code=UPSTREAM_UNREACHABLE,
        ) from error
    raise CliError(
        f"the upstream {process.name!r} stopped by itself (exit code {process.end()})",
        hint=f"its last words are {_place_of_log(configuration)}; it may need -e NAME or --cwd DIR",
        exit_code=UPSTREAM_UNREACHABLE,
    )


def _companion(host: "PageHost") -> "CompanionPage":
    """Return the companion page; what serves it is loaded when an agent wants it."""
    from genui_cli.preview.companion import CompanionServer  # noqa: PLC0415 -- see above

    return CompanionServer(host)


def _place_of_log(configuration: "Configuration | None") -> str:
    """Return where the log has what the upstream wrote."""
    if configuration is None:
        return "in the log above"
    logging = configuration.logging
    if logging.level not in ("debug", "info"):
        return "logged with --log-level info"
    return f"in {logging.file}" if logging.file else "in the log above"


def _listeners() -> "Callable[[EventLog], EventLog] | None":
    """Nothing counts between two stdio streams but OpenTelemetry, if somebody has set it up."""
    from genui_adapters.environment import is_telemetry_wanted  # noqa: PLC0415 -- while the upstream starts

    if not is_telemetry_wanted(os.environ):
        return None
    from genui_adapters.telemetry.configured_event_log import listeners_for  # noqa: PLC0415 -- rarely wanted

    return listeners_for(os.environ)


def _open_standard_streams() -> None:
    """A host may start us with a stream closed; what is opened next must not take its number."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _end_on_signals() -> None:
    """Until the relay takes the signals over, they end us by way of the ``finally`` that ends the upstream."""

    def leave(_number: int, _frame: object) -> None:
        sys.exit(OK)

    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)


def configured_wrapper(
    configuration: "Configuration | None",
    secrets: frozenset[str],
    heard: "Callable[[EventLog], EventLog] | None" = None,
) -> "Wrapper":
    """Return the wrapper to serve.

    Raises:
        CliError: A file or folder that is configured cannot be used.
        GenUiError: What is configured about the model, the cache or the prompts cannot be had.
    """
    from genui_adapters.compose import wrapper_from  # noqa: PLC0415 -- imported while the upstream starts

    try:
        return wrapper_from(configuration, os.environ, heard, secrets)
    except OSError as error:
        hint = "see logging.file and cache.directory"
        raise CliError(f"a file that is configured cannot be used: {error}", hint=hint) from error
