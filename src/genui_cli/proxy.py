"""``mcp-gen-ui [-- COMMAND]``: the proxy on standard input and output."""

import sys
from typing import Literal, NamedTuple

from genui_adapters.upstream.process import CannotStart, UpstreamProcess
from genui_cli.complaint import Complaint
from genui_cli.exit_codes import OK, UPSTREAM_UNREACHABLE
from genui_cli.upstream_options import UpstreamOptions, upstream_command


class ProxyOptions(NamedTuple):
    """What was typed about the proxy itself.

    Attributes:
        log_level: ``debug``, ``info``, ``warn`` or ``error``.
        log_format: ``text`` or ``json``.
        apps: ``auto``, ``always`` or ``never``.
    """

    log_level: str = "info"
    log_format: Literal["text", "json"] = "text"
    apps: str = "auto"


def run_proxy(upstream: UpstreamOptions, options: ProxyOptions) -> int:
    """Relay between the host on our standard streams and the upstream; return the exit code.

    The upstream is started before anything else is imported, so that both get ready at once.

    Raises:
        Complaint: The upstream cannot be started, or stopped while the host was still there.
    """
    command = upstream_command(upstream)
    try:
        process = UpstreamProcess(command)
    except CannotStart as error:
        raise Complaint(
            str(error), hint="check the command after --", exit_code=UPSTREAM_UNREACHABLE
        ) from error
    from genui_adapters.compose import stdio_wrapper  # noqa: PLC0415 -- see above
    from genui_adapters.host.stdio import serve_stdio  # noqa: PLC0415

    if sys.stdin.isatty():
        _explain_silence()
    wrapper = stdio_wrapper(log_level=options.log_level, log_format=options.log_format, apps=options.apps)
    if serve_stdio(wrapper, process):
        return OK
    code = process.exit_code(0)
    raise Complaint(
        f"the upstream {command.name!r} stopped by itself (exit code {code})",
        hint="what it wrote before is in the log above; try the command on its own",
        exit_code=UPSTREAM_UNREACHABLE,
    )


def _explain_silence() -> None:
    print(  # noqa: T201 -- a word to the person
        "mcp-gen-ui waits for an MCP host on its standard input. To look at the UIs yourself, "
        "put `preview` before the `--`.",
        file=sys.stderr,
    )
