"""Lists an upstream's tools, for commands that need them once. No tool is called."""

import os
from collections.abc import Iterable, Mapping
from functools import partial

import anyio
from attrs import evolve, frozen

from genui_adapters.compose import provider_from, store_from
from genui_adapters.llm.choice import choose
from genui_adapters.telemetry.configured_event_log import event_log_from, known_secrets
from genui_adapters.upstream.openers import tool_source_opener
from genui_cli.cli_error import UPSTREAM_UNREACHABLE, CliError
from genui_cli.failures import LastWords, error_about, upstream_failure
from genui_cli.output import cut
from genui_cli.upstream_options import UpstreamOptions, upstream_of
from genui_core.application.services import SilentEventLog
from genui_core.application.upstream_tools import is_enabled, tool_pages
from genui_core.domain.logging.redaction import redacted, without_secrets
from genui_core.domain.mcp.envelope import SHOWS_APPS
from genui_core.domain.mcp.jsonrpc import Params
from genui_core.domain.settings.configuration import Configuration, LoggingSettings
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.classification import UiType, classify
from genui_core.domain.tools.tool import Tool, is_tool
from genui_core.domain.views.stored_view import StoredView
from genui_core.errors import (
    GenUiError,
    ProviderFailed,
    UpstreamDied,
    UpstreamForbidden,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from genui_core.ports.event_log import EventLog
from genui_core.ports.tool_source import HostFacts, ToolSource

_DESCRIPTION_CHARACTERS = 50
_US = HostFacts({"name": "mcp-gen-ui-inspect", "version": "1"}, SHOWS_APPS)


async def upstream_tools(
    typed: UpstreamOptions, configuration: Configuration, event_log: EventLog
) -> tuple[Mapping[str, object], list[Tool]]:
    """Return an upstream's ``serverInfo``, and its tools in its order. No tool is called.

    Raises:
        CliError: The upstream is not named, cannot be reached or does not answer.
        GenUiError: The upstream answers with an error.
    """
    target, secrets = upstream_of(typed, os.environ), secrets_at(typed, configuration)
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


async def tool_names(upstream: UpstreamOptions, within_s: float) -> tuple[str, ...]:
    """Return the names of an upstream's tools. No tool is called.

    Raises CliError if the upstream does not list them within the time, or fails.
    """
    try:
        with anyio.fail_after(within_s):
            _, listed = await upstream_tools(upstream, Configuration(), SilentEventLog())
    except TimeoutError as error:
        text = f"it listed no tools within {within_s:g} s"
        hint = "give it more time: --timeout SECONDS"
        raise CliError(text, hint=hint, exit_code=UPSTREAM_UNREACHABLE) from error
    except GenUiError as error:
        raise error_about(error) from error
    return tuple(each.name for each in listed)


def quiet_event_log(typed: UpstreamOptions, configuration: Configuration) -> EventLog:
    """Return a log without informational events, which would clutter the output of a command."""
    return event_log_from(quieter(configuration.logging), secrets_at(typed, configuration))


def secrets_at(typed: UpstreamOptions, configuration: Configuration) -> frozenset[str]:
    """Return the secrets in the configuration, the environment and the upstream's options.

    Raises CliError as `upstream_tools`.
    """
    return known_secrets(configuration, os.environ) | upstream_of(typed, os.environ).secrets


def quieter(logging: LoggingSettings) -> LoggingSettings:
    """Return the log settings with level ``warn`` in place of ``info``; other levels stay."""
    return evolve(logging, level="warn") if logging.level == "info" else logging


async def _ignore(_method: str, _params: Params) -> None:
    """Ignore the upstream's notifications."""


async def _listed(source: ToolSource) -> tuple[Mapping[str, object], list[Tool]]:
    facts = await source.facts()
    tools: dict[str, Tool] = {}
    async for page in tool_pages(partial(source.request, "tools/list"), {}):
        listed = page.get("tools")
        for each in filter(is_tool, listed if isinstance(listed, list) else ()):
            tools.setdefault(str(each["name"]), Tool(each))
    return facts.info, list(tools.values())


@frozen
class InspectedTool:
    """A tool, and the kind of view that it would get.

    Attributes:
        definition: The tool as the upstream lists it, without secrets.
        ui_type: ``rich``, ``minimal``, ``undetermined`` (a model would be asked), ``own`` or ``none``.
        stored_views: The number of views in the store that were made for its definition.
    """

    definition: Mapping[str, object]
    ui_type: str
    reason: str
    stored_views: int

    @property
    def name(self) -> str:
        """The tool's name."""
        return str(self.definition["name"])

    def row(self) -> tuple[str, ...]:
        """Return the row of the tool in the table."""
        description = " ".join(str(self.definition.get("description") or "").split())
        short = cut(description, _DESCRIPTION_CHARACTERS)
        return (self.name, self.ui_type, self.reason, str(self.stored_views), short)

    def as_data(self) -> dict[str, object]:
        """Return the tool as JSON data."""
        return {
            "name": self.name,
            "uiType": self.ui_type,
            "reason": self.reason,
            "cachedViews": self.stored_views,
            "definition": self.definition,
        }


async def inspect_tools(typed: UpstreamOptions, configuration: Configuration) -> list[InspectedTool]:
    """Return an upstream's tools, each with the kind of view that it would get. No tool is called.

    Raises:
        CliError: The upstream is not named, cannot be reached or does not answer.
        GenUiError: The upstream answers with an error, or the store cannot be used.
    """
    event_log, settings = quiet_event_log(typed, configuration), configuration.settings
    _, offered = await upstream_tools(typed, configuration, event_log)
    store = store_from(settings, os.environ, event_log)
    views = await store.entries()
    await store.close()
    secrets = secrets_at(typed, configuration)
    return [_inspect_tool(tool, settings, secrets, views) for tool in offered]


def provider_note(settings: Settings) -> str:
    """Return which model would write the views, and why. The model is not asked.

    Raises:
        UnknownAdapter: There is no provider of the configured name.
        BrokenAdapter: The provider cannot be loaded.
    """
    choice = choose(settings, os.environ)
    try:
        provider = provider_from(choice.settings, os.environ)
    except ProviderFailed as failure:
        return f"every tool gets the minimal view: {failure}"
    if provider is None:
        return f"every tool gets the minimal view, without a model ({choice.reason}); {choice.change}"
    return f"{provider.name} {provider.model} ({choice.reason}) would write the views; {choice.change}"


def no_view_reason(tool: Tool, settings: Settings) -> str | None:
    """Return why a tool gets no view from the wrapper, or None."""
    if tool.own_ui is not None:
        return "the tool has its own view"
    return None if is_enabled(tool.name, settings) else "generation.enabledTools excludes the tool"


def _inspect_tool(
    tool: Tool, settings: Settings, secrets: frozenset[str], views: Iterable[StoredView]
) -> InspectedTool:
    stored = sum(each.is_made_for(tool.hash) for each in views) if tool.has_hash else 0
    made = partial(InspectedTool, without_secrets(tool.definition, secrets), stored_views=stored)
    reason = no_view_reason(tool, settings)
    if reason is not None:
        return made("own" if tool.own_ui is not None else "none", reason)
    configured = settings.ui_type.get(tool.name)
    if configured is not None:
        return made(str(configured), "generation.uiType says so")
    found = classify(tool)
    return made(str(found), _REASONS[found])


_REASONS = {
    UiType.RICH: "its results have a shape",
    UiType.MINIMAL: "its results say little",
    UiType.UNDETERMINED: "a model would be asked",
}
