"""From the words a person typed to the upstream to start.

On the way to a running proxy this module comes before everything else: it keeps to the
standard library.
"""

import os
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from genui_adapters.upstream.environment import upstream_environment
from genui_adapters.upstream.process import UpstreamCommand
from genui_cli.complaint import Complaint
from genui_cli.exit_codes import USAGE

_EXAMPLE = "mcp-gen-ui -- npx -y @modelcontextprotocol/server-everything"
TWICE = "the upstream was given twice"


class UpstreamOptions(NamedTuple):
    """What was typed about the upstream.

    Attributes:
        upstream: The value of ``--upstream``.
        argv: What stood after ``--``.
        env: Each ``-e``: ``KEY=VALUE``, or ``KEY`` to pass on our own.
        cwd: The value of ``--cwd``.
        headers: Each ``-H``: ``NAME: VALUE``, for an upstream behind a URL.
    """

    upstream: str | None = None
    argv: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    cwd: str | None = None
    headers: tuple[str, ...] = ()


def split_at_dashes(words: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Split a command line at the first ``--``: ours, and the upstream's as it is."""
    if "--" not in words:
        return list(words), ()
    at = words.index("--")
    return list(words[:at]), tuple(words[at + 1 :])


def is_remote(options: UpstreamOptions) -> bool:
    """Whether the upstream is behind a URL."""
    return options.upstream is not None and options.upstream.startswith(("http://", "https://"))


def upstream_command(options: UpstreamOptions) -> UpstreamCommand:
    """Return how to start the upstream.

    Raises:
        Complaint: No upstream, or two, or words that cannot be understood.
    """
    env = upstream_environment(os.environ, _configured(options.env))
    return UpstreamCommand(upstream_argv(options), env, options.cwd)


def upstream_argv(options: UpstreamOptions) -> tuple[str, ...]:
    """Return the upstream's command line.

    Raises:
        Complaint: As `upstream_command`.
    """
    if options.upstream is not None and options.argv:
        raise Complaint(TWICE, hint="use --upstream or --, not both", exit_code=USAGE)
    if options.argv:
        return options.argv
    if options.upstream is None:
        raise Complaint("no upstream MCP server was given", hint=f"for example: {_EXAMPLE}", exit_code=USAGE)
    return _split(options.upstream)


def _split(upstream: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(upstream))
    except ValueError as error:
        raise Complaint(
            f"--upstream {upstream!r}: {error}", hint="check the quotes", exit_code=USAGE
        ) from error
    if not words:
        raise Complaint("--upstream is empty", hint=f"for example: {_EXAMPLE}", exit_code=USAGE)
    return words


def _configured(settings: Sequence[str]) -> dict[str, str]:
    configured = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not name or (not equals and name not in os.environ):
            raise Complaint(
                f"-e {setting}: no such variable is set here", hint="write -e KEY=VALUE", exit_code=USAGE
            )
        configured[name] = value if equals else os.environ[name]
    return configured
