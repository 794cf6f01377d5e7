"""What is known of an upstream's tools before any of them is called."""

from collections import Counter
from collections.abc import Mapping
from functools import partial

from attrs import evolve, frozen

from genui_adapters.compose import journal_from, known_secrets, store_from, tool_source_opener
from genui_cli.remote_options import remote_upstream
from genui_cli.upstream_options import UpstreamOptions, upstream_command
from genui_core.domain.classification import UiType, classify
from genui_core.domain.configuration import Configuration
from genui_core.domain.settings import Settings
from genui_core.domain.tool import Tool, is_tool
from genui_core.ports.journal import Journal
from genui_core.ports.tool_source import HostFacts, Params, ToolSource

_MOST_PAGES = 1000
_DESCRIPTION_CHARACTERS = 50
_US = HostFacts(
    {"name": "mcp-gen-ui-inspect", "version": "1"},
    {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}},
)


@frozen
class InspectedTool:
    """A tool, and what its UI would be.

    Attributes:
        definition: As the upstream lists it.
        ui_type: ``rich``, ``minimal``, ``undetermined`` (a model would be asked), ``own`` or ``none``.
        reason: Why.
        kept_views: How many views of it the store has.
    """

    definition: Mapping[str, object]
    ui_type: str
    reason: str
    kept_views: int

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.definition["name"])

    def row(self) -> tuple[str, ...]:
        """Return it as a row of a table."""
        description = " ".join(str(self.definition.get("description") or "").split())
        if len(description) > _DESCRIPTION_CHARACTERS:
            description = f"{description[: _DESCRIPTION_CHARACTERS - 1]}…"
        return (self.name, self.ui_type, self.reason, str(self.kept_views), description)

    def as_data(self) -> dict[str, object]:
        """Return it as JSON."""
        return {
            "name": self.name,
            "uiType": self.ui_type,
            "reason": self.reason,
            "cachedViews": self.kept_views,
            "definition": self.definition,
        }


async def inspected(
    typed: UpstreamOptions, configuration: Configuration, environment: Mapping[str, str]
) -> list[InspectedTool]:
    """Return an upstream's tools. None is called.

    Raises:
        Complaint: The upstream is not named, or by words that cannot be understood.
        GenUiError: It cannot be reached, or does not answer.
    """
    journal, settings = _journal(configuration, environment), configuration.settings
    upstream = remote_upstream(typed, environment) or upstream_command(typed)
    opener = tool_source_opener(
        upstream, journal=journal, settings=settings.upstream, protocol=configuration.upstream.protocol
    )
    async with opener(_US, _ignore) as source:
        tools = await _listed(source)
    store = store_from(settings, environment, journal)
    kept = Counter(view.tool_name for view in await store.entries())
    await store.close()
    return [_inspected(tool, settings, kept[tool.name]) for tool in tools]


def _journal(configuration: Configuration, environment: Mapping[str, str]) -> Journal:
    """What goes well is not worth a line beside a result."""
    logging = configuration.logging
    quiet = evolve(logging, level="warn") if logging.level == "info" else logging
    return journal_from(quiet, known_secrets(configuration, environment))


async def _ignore(_method: str, _params: Params) -> None:
    """Take no notice of what an upstream tells of itself."""


async def _listed(source: ToolSource) -> list[Tool]:
    await source.facts()
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
    return list(tools.values())


def _inspected(tool: Tool, settings: Settings, kept: int) -> InspectedTool:
    made = partial(InspectedTool, tool.definition, kept_views=kept)
    if tool.brings_own_ui:
        return made("own", "it brings one of its own")
    if not settings.gives_ui(tool.name):
        return made("none", "generation.enabledTools leaves it out")
    configured = settings.ui_type.get(tool.name)
    if configured is not None:
        return made(str(configured), "generation.uiType says so")
    found = classify(tool)
    return made(str(found), _REASONS[found])


_REASONS = {
    UiType.RICH: "its results have a shape",
    UiType.MINIMAL: "it changes things, or its results say little",
    UiType.UNDETERMINED: "a model would be asked",
}
