"""From the words a person typed to an upstream behind a URL."""

from collections.abc import Mapping

from genui_adapters.io.process import UpstreamCommand
from genui_adapters.upstream.options import RemoteUpstream
from genui_cli.cli_error import CliError
from genui_cli.upstream_options import TWICE, UpstreamOptions, upstream_command
from genui_core.domain.settings.configuration import expanded
from genui_core.errors import UnsetVariable

_EXAMPLE = "for example: mcp-gen-ui --upstream https://example.org/mcp"


def upstream_of(options: UpstreamOptions, environment: Mapping[str, str]) -> RemoteUpstream | UpstreamCommand:
    """Return the upstream, wherever it is; errors as for `remote_upstream`."""
    return remote_upstream(options, environment) or upstream_command(options)


def remote_upstream(options: UpstreamOptions, environment: Mapping[str, str]) -> RemoteUpstream | None:
    """Return the upstream behind a URL, or None where it is a command; headers may name ``${VARIABLES}``.

    Raises CliError if what was typed does not go together, or cannot be understood.
    """
    url, configured = options.url, options.configured
    if url is None:
        if options.headers:
            raise CliError("-H is for an upstream behind a URL", hint=_EXAMPLE)
        return None
    if options.argv:
        raise CliError(TWICE, hint="use --upstream or --, not both")
    if options.env or options.cwd or options.env_file:
        raise CliError(
            "-e, --env-file and --cwd are for an upstream that is started here, not for one behind a URL",
            hint=_EXAMPLE,
        )
    typed = dict(_header(each, environment) for each in options.headers)
    if configured is None:
        return RemoteUpstream(url, typed)
    return RemoteUpstream(
        url, {**configured.headers, **typed}, "sse" if configured.transport == "sse" else "http"
    )


def _header(typed: str, environment: Mapping[str, str]) -> tuple[str, str]:
    name, colon, value = typed.partition(":")
    if not colon or not name.strip():
        raise CliError(
            "-H is written NAME: VALUE", hint='for example: -H "Authorization: Bearer ${MY_TOKEN}"'
        )
    try:
        return name.strip(), expanded(value.strip(), environment, f"-H {name.strip()}")
    except UnsetVariable as error:
        raise CliError(str(error), hint="set it, or write the value itself") from error
