"""Where the command starts: the common case at once, everything else through the command line library."""

import os
import sys
from collections.abc import Mapping, Sequence

from genui_cli.cli_error import FAILED, INTERRUPTED, CliError, report
from genui_cli.upstream_options import UpstreamOptions, split_at_dashes

_ONCE = frozenset(
    ("--upstream", "--config", "--server", "--llm", "--model", "--frozen", "--transport", "--host", "--port")
)
_TRANSPORTS = (None, "stdio", "http", "sse")
_LAST_PORT = 65535
_NAMING = ("--upstream", "--config")


def main() -> None:
    """Run the command that the process was started with, and exit."""
    # A process that we start of ourselves must not find its modules in the working directory.
    os.environ["PYTHONSAFEPATH"] = "1"
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command line; return its exit code. Whatever goes wrong was said by then, in full with ``--debug``."""
    words, argv = split_at_dashes(arguments)
    if "--no-color" in words:
        os.environ["NO_COLOR"] = "1"
    try:
        return _command(words, argv)
    except CliError as cli_error:
        return report(cli_error, as_json="--json" in words)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of the output has closed it, as commands in a pipe do
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAILED
    except Exception as error:
        if "--debug" in words:
            raise
        from genui_cli.failures import error_about  # noqa: PLC0415 -- for when all is lost

        return report(error_about(error), as_json="--json" in words)


def _command(words: Sequence[str], argv: tuple[str, ...]) -> int:
    plain = _plain_run(words, argv)
    if plain is None:
        from genui_cli.commands import run_command  # noqa: PLC0415 -- see _plain_run

        return run_command(words, argv)
    from genui_cli.launch import launch_plainly  # noqa: PLC0415 -- not for --help

    return launch_plainly(*plain)


def _plain_run(
    words: Sequence[str], argv: tuple[str, ...]
) -> tuple[UpstreamOptions, Mapping[str, str | int]] | None:
    """Recognise what hosts start all day: a proxy with its upstream, and perhaps a model or a file.

    Loading the command line library would cost more than the whole relay; what it is for,
    help and a person's mistakes, cannot come up here.
    """
    flags, values = words[::2], words[1::2]
    if len(flags) != len(values) or any(value.startswith("-") for value in values):
        return None
    once = [flag for flag in flags if flag != "-e"]
    if not set(once) <= _ONCE or len(set(once)) < len(once):
        return None
    if not argv and not any(flag in once for flag in _NAMING):
        return None
    pairs = [*zip(flags, values, strict=True)]
    given: dict[str, str | int] = {flag.lstrip("-"): value for flag, value in pairs if flag != "-e"}
    if given.get("transport") not in _TRANSPORTS:
        return None
    port = given.get("port")
    if port is not None:
        if not str(port).isascii() or not str(port).isdecimal() or int(port) > _LAST_PORT:
            return None
        given["port"] = int(port)
    env = tuple(value for flag, value in pairs if flag == "-e")
    upstream = given.pop("upstream", None)
    return UpstreamOptions(None if upstream is None else str(upstream), argv, env), given
