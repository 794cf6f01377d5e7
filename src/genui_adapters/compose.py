"""The composition root: which adapters a wrapper is made of."""

from typing import TYPE_CHECKING

from genui_adapters.telemetry.stream_journal import LogFormat, StreamJournal
from genui_core.application.wrapper import Wrapper
from genui_core.domain.apps_extension import AppsSetting
from genui_core.domain.settings import Settings, UpstreamSettings
from genui_core.ports.journal import Journal, Level

if TYPE_CHECKING:  # what a relay between two stdio streams never needs
    from genui_adapters.upstream.options import Generation, RemoteUpstream
    from genui_adapters.upstream.process import UpstreamCommand
    from genui_core.ports.tool_source import ToolSourceOpener


def stdio_wrapper(*, log_level: str, log_format: LogFormat, apps: str) -> Wrapper:
    """Return a wrapper that logs to standard error.

    Args:
        log_level: ``debug``, ``info``, ``warn`` or ``error``.
        log_format: One line an event, as text or as JSON.
        apps: ``auto``, ``always`` or ``never`` (SPEC W14).
    """
    journal = StreamJournal(Level[log_level.upper()], log_format)
    return Wrapper(settings=Settings(apps=AppsSetting(apps)), journal=journal)


def tool_source_opener(
    upstream: "UpstreamCommand | RemoteUpstream",
    *,
    journal: Journal,
    settings: UpstreamSettings | None = None,
    protocol: "Generation" = "auto",
) -> "ToolSourceOpener":
    """Return what opens connections to an upstream, each kept up until it is closed.

    Args:
        upstream: The command that starts it, or its URL with headers.
        journal: Takes what happens to the connections, and the log of a started upstream.
        settings: How connections are made; the defaults of SPEC §11 where nothing is given.
        protocol: Which generation the upstream is asked to speak.
    """
    from genui_adapters.upstream.openers import remote_opener, stdio_opener  # noqa: PLC0415
    from genui_adapters.upstream.options import ConnectionOptions, RemoteUpstream  # noqa: PLC0415

    options = ConnectionOptions.of(settings or UpstreamSettings(), protocol)
    if isinstance(upstream, RemoteUpstream):
        return remote_opener(upstream, options, journal)
    return stdio_opener(upstream, options, journal)
