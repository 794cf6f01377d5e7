"""From what was typed to the running proxy, by the way that is the shortest for it."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from genui_adapters.environment import is_anything_configured, is_model_likely
from genui_cli.cli_error import CliError
from genui_cli.upstream_options import UpstreamOptions

if TYPE_CHECKING:
    from genui_core.domain.settings.configuration import Configuration

_WHERE_TO_SERVE = {"transport", "host", "port"}


def launch(upstream: UpstreamOptions, configuration: "Configuration | None" = None) -> int:
    """Serve until it ends; return the exit code.

    Raises CliError if something is wrong with what was typed, or with the upstream.
    """
    upstream = upstream._replace(configured=configuration.upstream if configuration else None)
    if configuration is not None and configuration.serve.transport != "stdio":
        return _serve(upstream, configuration, {})
    if configuration is not None:
        _check_serving_flags(configuration)
    if upstream.url is None and not upstream.headers:
        from genui_cli.proxy import run_proxy  # noqa: PLC0415 -- one way is enough

        return run_proxy(upstream, configuration)
    return _serve(upstream, configuration, {})


def _serve(
    upstream: UpstreamOptions, configuration: "Configuration | None", typed: Mapping[str, object]
) -> int:
    """Serve on an event loop; an upstream that is started here gets ready while that is imported."""
    from genui_cli.proxy import started_ahead  # noqa: PLC0415 -- for this transport

    with started_ahead(upstream) as process:
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


def launch_plainly(upstream: UpstreamOptions, values: Mapping[str, object]) -> int:
    """Serve an upstream; what is configured is loaded if there may be anything."""
    is_plain = values.keys() <= _WHERE_TO_SERVE and all(values.values())
    if is_plain and not is_anything_configured(os.environ) and not is_model_likely(os.environ):
        if not values:
            return launch(upstream)
        if values.get("transport") in ("http", "sse") and upstream.is_named:
            return _serve(upstream, None, values)
    return launch(upstream, load_aloud(upstream, values))


def load_aloud(
    upstream: UpstreamOptions, values: Mapping[str, object], *, quiet: bool = False
) -> "Configuration":
    """Return the configuration for what was typed, or raise a `CliError`, and tell the person about it."""
    from genui_cli.configuration.loading import load  # noqa: PLC0415 -- slow, and rarely needed
    from genui_cli.output import tell  # noqa: PLC0415
    from genui_core.ports.event_log import Level  # noqa: PLC0415

    loaded = load(values, os.environ, names_upstream=upstream.is_named)
    if not quiet:
        for line in loaded.remarks():
            level = Level.WARN if line.startswith("warning: ") else Level.INFO
            text, log_format = f"mcp-gen-ui: {line}", loaded.configuration.logging.format
            tell(text, log_format, level, "configuration_read", text=line.removeprefix("warning: "))
    return loaded.configuration
