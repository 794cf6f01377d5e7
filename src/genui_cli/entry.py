"""The entry point: starts a simple proxy at once, and other commands through the command line library."""

import gc
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from genui_adapters.environment import is_anything_configured, is_model_likely
from genui_cli.cli_error import FAILED, INTERRUPTED, OK, UPSTREAM_UNREACHABLE, CliError, report
from genui_cli.upstream_options import CHOICES, SWITCHES, UpstreamOptions, split_at_dashes, upstream_command

if TYPE_CHECKING:
    from genui_adapters.io.process import UpstreamProcess
    from genui_core.application.stdio.companion import CompanionPage, PageHost
    from genui_core.domain.settings.configuration import Configuration

_ONCE = frozenset(
    ("upstream", "config", "server", "llm", "model", "frozen", "host", "token", "cwd", "env_file")
)
_MANY = {"-e": "env", "--env": "env", "-H": "headers", "--header": "headers"}
_LAST_PORT = 65535
_WHERE_TO_SERVE = {"transport", "host", "port"}


def main() -> None:
    """Run the command that the process was started with, and exit."""
    _open_standard_streams()
    # A child process of this program must not import modules from the working directory.
    os.environ["PYTHONSAFEPATH"] = "1"
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code. Prints every error, with ``--debug`` the traceback."""
    words, argv = split_at_dashes(arguments)
    if "--no-color" in words:
        os.environ["NO_COLOR"] = "1"
    try:
        plain = _simple_proxy(words, argv)
        if plain is not None:
            return _launch_simple_proxy(*plain)
        from genui_cli.commands import run_command  # noqa: PLC0415 -- see _simple_proxy

        ended = run_command(words, argv)
        return ended if isinstance(ended, int) else launch(*ended)
    except CliError as cli_error:
        return report(cli_error, as_json="--json" in words)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the next command of a pipe has closed our output
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAILED
    except Exception as error:  # noqa: BLE001 -- reported with its message, hint and exit code
        from genui_cli.failures import error_about  # noqa: PLC0415 -- for errors only

        if "--debug" in words:
            sys.excepthook(type(error), error, error.__traceback__)
        return report(error_about(error), as_json="--json" in words)
    finally:
        gc.enable()


def _simple_proxy(
    words: Sequence[str], argv: tuple[str, ...]
) -> tuple[UpstreamOptions, Mapping[str, Any]] | None:
    """Return the options of a proxy with an upstream and usual flags; None for every other command line.

    Hosts start such a proxy often, and the command line library takes longer to load than the whole relay.
    Help and the errors for wrong flags, which need that library, cannot occur here.
    """
    given: dict[str, Any] = {}
    rest = iter(words)
    for flag in rest:
        name = flag[2:].replace("-", "_") if flag.startswith("--") and "_" not in flag else ""
        if name in SWITCHES:
            given[name] = True
            continue
        value = next(rest, "-")
        if value.startswith("-"):
            return None
        if flag in _MANY:
            given[_MANY[flag]] = (*given.get(_MANY[flag], ()), value)
        elif name not in given and _is_usual(name, value):
            given[name] = int(value) if name == "port" else value
        else:
            return None
    if not argv and "upstream" not in given and "config" not in given:
        return None
    typed = {name: given.pop(name) for name in UpstreamOptions._fields if name in given}
    return UpstreamOptions(argv=argv, **typed), given


def _is_usual(name: str, value: str) -> bool:
    """Whether a flag takes one value, and the command line library would accept this one."""
    if name == "port":
        return value.isascii() and value.isdecimal() and int(value) <= _LAST_PORT
    return name in _ONCE or value in CHOICES.get(name, ())


def _launch_simple_proxy(upstream: UpstreamOptions, values: Mapping[str, object]) -> int:
    """Serve an upstream; load the configuration only if there may be one."""
    gc.disable()  # all that is loaded until the proxy serves is needed: the collector finds no garbage
    is_plain = values.keys() <= _WHERE_TO_SERVE and all(values.values())
    if is_plain and not is_anything_configured(os.environ) and not is_model_likely(os.environ):
        if not values:
            return launch(upstream)
        if values.get("transport") in ("http", "sse") and upstream.is_named:
            return _serve(upstream, None, values)
    from genui_cli.configuration.loading import load_and_report  # noqa: PLC0415 -- slow, and rarely needed

    return launch(*load_and_report(upstream, values, quiet=bool(values.get("quiet"))))


def launch(upstream: UpstreamOptions, configuration: "Configuration | None" = None) -> int:
    """Serve hosts until they leave or the upstream ends; return the exit code.

    Raises CliError if the command line is wrong, or the upstream fails.
    """
    gc.disable()  # as above; whatever serves enables it
    is_stdio = configuration is None or configuration.serve.transport == "stdio"
    if configuration is not None and is_stdio:
        _check_serving_flags(configuration)
    if is_stdio and upstream.url is None and not upstream.headers:
        return _run_proxy(upstream, configuration)
    return _serve(upstream, configuration, {})


def _serve(
    upstream: UpstreamOptions, configuration: "Configuration | None", typed: Mapping[str, object]
) -> int:
    """Serve on an event loop; a local upstream starts while the event loop is imported."""
    ahead: list[UpstreamProcess] = []
    try:
        if upstream.url is None and not upstream.headers:
            ahead.append(_start_upstream(upstream))
        from genui_cli.serve import run_serve  # noqa: PLC0415 -- brings an event loop

        return run_serve(upstream, configuration, typed, ahead)
    finally:
        for process in ahead:  # no connection took it, to end it
            process.kill()
            process.end()
            process.close()


def _check_serving_flags(configuration: "Configuration") -> None:
    """Raise a CliError if ``--host`` or ``--port`` was typed for the transport stdio."""
    if configuration.serving_flags:
        from genui_cli.serve import missing_for_others  # noqa: PLC0415 -- for this error only

        conditions = (fix for _, fix in missing_for_others(configuration.serve))
        raise CliError(
            f"{' and '.join(configuration.serving_flags)} without --transport: a host that starts this "
            "command speaks to it on standard input and output",
            hint="; ".join(("add --transport http (or sse) to serve on an address", *conditions)),
        )


def _run_proxy(upstream: UpstreamOptions, configuration: "Configuration | None" = None) -> int:
    """Relay between the host on the standard streams and the upstream; return the exit code.

    The upstream starts before the relay is imported, so that both become ready at the same time.

    Raises CliError if the upstream cannot be started, or stopped while the host was still there.
    """
    process = _start_upstream(upstream)
    try:
        return _relay(process, configuration, process.command.secrets)
    finally:
        process.end()


def _start_upstream(upstream: UpstreamOptions) -> "UpstreamProcess":
    """Start the upstream. Raises CliError if it cannot be started."""
    from genui_adapters.io.process import CannotStart, UpstreamProcess  # noqa: PLC0415 -- not for --help

    command = upstream_command(upstream)
    _end_on_signals()
    try:
        return UpstreamProcess(command)
    except CannotStart as error:
        from genui_cli.failures import starting_hint  # noqa: PLC0415 -- for errors only

        raise CliError(str(error), hint=starting_hint(command), exit_code=UPSTREAM_UNREACHABLE) from error


def _relay(process: "UpstreamProcess", configuration: "Configuration | None", secrets: frozenset[str]) -> int:
    from genui_adapters.compose import wrapper_from  # noqa: PLC0415 -- imported while the upstream starts
    from genui_adapters.host.stdio_serving import serve_stdio  # noqa: PLC0415
    from genui_adapters.telemetry.configured_event_log import known_secrets, listeners_for  # noqa: PLC0415
    from genui_core.errors import GenUiError  # noqa: PLC0415
    from genui_core.ports.event_log import Level  # noqa: PLC0415

    if sys.stdin is not None and sys.stdin.isatty():
        print(  # noqa: T201 -- a message to the person
            "mcp-gen-ui waits for an MCP host on its standard input. To look at the UIs yourself, "
            "put `preview` before the `--`.",
            file=sys.stderr,
        )
    wrapper = wrapper_from(configuration, os.environ, listeners_for(os.environ), secrets)
    wrapper.event_log.record(Level.DEBUG, "wrapper", "startup", upstream=process.name, pid=process.pid)
    gc.freeze()  # loaded modules are never garbage: the collector need not visit them
    gc.enable()
    try:
        if serve_stdio(wrapper, process, companion=_companion):
            return OK
    except GenUiError as error:
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
    """Return the companion page; its server is imported when an agent first opens the page."""
    from genui_cli.preview.companion import CompanionServer  # noqa: PLC0415 -- see above

    return CompanionServer(host)


def _place_of_log(configuration: "Configuration | None") -> str:
    """Return where a person finds the upstream's output in the log."""
    if configuration is None:
        return "in the log above"
    logging = configuration.logging
    if logging.level not in ("debug", "info"):
        return "logged with --log-level info"
    is_in_file = logging.destination == "file" and logging.file
    return f"in {logging.file}" if is_in_file else "in the log above"


def _open_standard_streams() -> None:
    """Open closed standard streams on the null device, so that no other file takes their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _end_on_signals() -> None:
    """Exit on signals until the relay handles them: the ``finally`` of the caller ends the upstream."""

    def leave(_number: int, _frame: object) -> None:
        sys.exit(OK)

    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)
