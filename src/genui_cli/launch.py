"""From what was typed to the running proxy, by the way that is the shortest for it."""

import gc
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from genui_adapters.environment import is_anything_configured, is_model_likely, is_telemetry_wanted
from genui_adapters.io.process import CannotStart, UpstreamProcess
from genui_cli.cli_error import OK, UPSTREAM_UNREACHABLE, CliError
from genui_cli.upstream_options import UpstreamOptions, upstream_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from genui_core.application.stdio.companion import CompanionPage, PageHost
    from genui_core.domain.settings.configuration import Configuration
    from genui_core.ports.event_log import EventLog

_WHERE_TO_SERVE = {"transport", "host", "port"}


def launch_plainly(upstream: UpstreamOptions, values: Mapping[str, object]) -> int:
    """Serve an upstream; what is configured is loaded if there may be anything."""
    is_plain = values.keys() <= _WHERE_TO_SERVE and all(values.values())
    if is_plain and not is_anything_configured(os.environ) and not is_model_likely(os.environ):
        if not values:
            return launch(upstream)
        if values.get("transport") in ("http", "sse") and upstream.is_named:
            return _serve(upstream, None, values)
    return launch(*load_aloud(upstream, values))


def load_aloud(
    upstream: UpstreamOptions, values: Mapping[str, object], *, quiet: bool = False
) -> "tuple[UpstreamOptions, Configuration]":
    """Return the upstream and the configuration for what was typed, or raise a `CliError`; tell the person of them."""
    from genui_cli.configuration.loading import load  # noqa: PLC0415 -- slow, and rarely needed
    from genui_cli.output import tell  # noqa: PLC0415
    from genui_core.ports.event_log import Level  # noqa: PLC0415

    loaded = load(values, os.environ, names_upstream=upstream.is_named)
    if not quiet:
        for line in loaded.remarks():
            level = Level.WARN if line.startswith("warning: ") else Level.INFO
            text, log_format = f"mcp-gen-ui: {line}", loaded.configuration.logging.format
            tell(text, log_format, level, "configuration_read", text=line.removeprefix("warning: "))
    return upstream._replace(configured=loaded.configuration.upstream), loaded.configuration


def launch(upstream: UpstreamOptions, configuration: "Configuration | None" = None) -> int:
    """Serve until it ends; return the exit code.

    Raises CliError if something is wrong with what was typed, or with the upstream.
    """
    if configuration is not None and configuration.serve.transport != "stdio":
        return _serve(upstream, configuration, {})
    if configuration is not None:
        _check_serving_flags(configuration)
    if upstream.url is None and not upstream.headers:
        return _run_proxy(upstream, configuration)
    return _serve(upstream, configuration, {})


def _serve(
    upstream: UpstreamOptions, configuration: "Configuration | None", typed: Mapping[str, object]
) -> int:
    """Serve on an event loop; an upstream that is started here gets ready while that is imported."""
    with _started_ahead(upstream) as process:
        from genui_cli.serve import run_serve  # noqa: PLC0415 -- brings an event loop

        return run_serve(upstream, configuration, typed, process)


def _check_serving_flags(configuration: "Configuration") -> None:
    """Refuse an address that was typed where nothing is served on one."""
    if configuration.serving_flags:
        from genui_cli.serve import missing_for_others  # noqa: PLC0415 -- for this error only

        conditions = (fix for _, fix in missing_for_others(configuration.serve))
        raise CliError(
            f"{' and '.join(configuration.serving_flags)} without --transport: a host that starts this "
            "command speaks to it on standard input and output",
            hint="; ".join(("add --transport http (or sse) to serve on an address", *conditions)),
        )


def _run_proxy(upstream: UpstreamOptions, configuration: "Configuration | None" = None) -> int:
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
def _started_ahead(upstream: UpstreamOptions) -> "Iterator[list[UpstreamProcess]]":
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
    from genui_adapters.compose import wrapper_from  # noqa: PLC0415 -- imported while the upstream starts
    from genui_adapters.host.stdio_serving import serve_stdio  # noqa: PLC0415
    from genui_core.errors import GenUiError  # noqa: PLC0415
    from genui_core.ports.event_log import Level  # noqa: PLC0415

    if sys.stdin is not None and sys.stdin.isatty():
        print(  # noqa: T201 -- a word to the person
            "mcp-gen-ui waits for an MCP host on its standard input. To look at the UIs yourself, "
            "put `preview` before the `--`.",
            file=sys.stderr,
        )
    wrapper = wrapper_from(configuration, os.environ, _listeners(), secrets)
    wrapper.event_log.record(Level.DEBUG, "wrapper", "startup", upstream=process.name, pid=process.pid)
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
