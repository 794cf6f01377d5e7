"""An upstream's tools, listed once, for commands that look at them."""

from collections.abc import Mapping
from typing import NamedTuple

from attrs import evolve

from genui_adapters.compose import tool_source_opener
from genui_adapters.telemetry.configured_event_log import event_log_from, known_secrets
from genui_cli.failures import LastWords, upstream_failure
from genui_cli.remote_options import upstream_of
from genui_cli.upstream_options import UpstreamOptions
from genui_core.domain.logging.redaction import redacted
from genui_core.domain.settings.configuration import Configuration, LoggingSettings
from genui_core.domain.tools.tool import Tool, is_tool
from genui_core.errors import (
    GenUiError,
    UpstreamDied,
    UpstreamForbidden,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from genui_core.ports.event_log import EventLog
from genui_core.ports.tool_source import HostFacts, Params, ToolSource

_MOST_PAGES = 1000
_US = HostFacts(
    {"name": "mcp-gen-ui-inspect", "version": "1"},
    {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}},
)


class Listed(NamedTuple):
    """What an upstream offers.

    Attributes:
        info: What it says of itself, its ``serverInfo``.
        tools: Its tools, in its order.
    """

    info: Mapping[str, object]
    tools: list[Tool]


async def upstream_tools(
    typed: UpstreamOptions, configuration: Configuration, environment: Mapping[str, str], event_log: EventLog
) -> Listed:
    """Return an upstream's tools, and who it is. None is called.

    Raises:
        CliError: The upstream is not named, cannot be reached or does not answer.
        GenUiError: It answers with an error.
    """
    target = upstream_of(typed, environment)
    secrets = secrets_at(typed, configuration, environment)
    heard = LastWords(event_log, secrets)
    opener = tool_source_opener(
        target,
        event_log=heard,
        settings=configuration.settings.upstream,
        protocol=configuration.upstream.protocol,
    )
    try:
        async with opener(_US, _ignore) as source:
            return await _listed(source)
    except GenUiError as error:
        error.args = (redacted(str(error), secrets),)
        if isinstance(error, (UpstreamDied, UpstreamForbidden, UpstreamTimeout, UpstreamUnreachable)):
            raise upstream_failure(error, target, heard) from error
        raise


def quiet_event_log(
    typed: UpstreamOptions, configuration: Configuration, environment: Mapping[str, str]
) -> EventLog:
    """Return a log in which what goes well is not worth a line beside a result."""
    secrets = secrets_at(typed, configuration, environment)
    return event_log_from(quieter(configuration.logging), secrets)


def secrets_at(
    typed: UpstreamOptions, configuration: Configuration, environment: Mapping[str, str]
) -> frozenset[str]:
    """Return the secrets of the configuration, of the environment and of the words that name the upstream.

    Raises CliError as `upstream_tools`.
    """
    return known_secrets(configuration, environment) | upstream_of(typed, environment).secrets


def quieter(logging: LoggingSettings) -> LoggingSettings:
    """Return what is configured of the log, without what goes well, unless somebody asked for that."""
    return evolve(logging, level="warn") if logging.level == "info" else logging


async def _ignore(_method: str, _params: Params) -> None:
    """Take no notice of what an upstream tells of itself."""


async def _listed(source: ToolSource) -> Listed:
    facts = await source.facts()
    tools: dict[str, Tool] = {}
    cursor: object = None
    for _ in range(_MOST_PAGES):
        page = await source.request("tools/list", {} if cursor is None else {"cursor": cursor})
        listed = page.get("tools")
        for each in filter(is_tool, listed if isinstance(listed, list) else ()):
            tools.setdefault(str(each["name"]), Tool(each))
        cursor = page.get("nextCursor")
        if not isinstance(cursor, str) or not cursor:
            break
    return Listed(facts.info, list(tools.values()))
