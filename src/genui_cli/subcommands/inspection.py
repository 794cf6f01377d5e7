"""What is known of an upstream's tools before any of them is called."""

from collections import Counter
from collections.abc import Mapping
from functools import partial

from attrs import evolve, frozen

from genui_adapters.compose import provider_choice, provider_from, store_from
from genui_cli.subcommands.upstream_tools import quiet_event_log, secrets_at, upstream_tools
from genui_cli.upstream_options import UpstreamOptions
from genui_core.application.upstream_tools import is_enabled
from genui_core.domain.logging.redaction import ordered_secrets, without_secrets
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.classification import UiType, classify
from genui_core.domain.tools.tool import Tool
from genui_core.errors import ProviderFailed

_DESCRIPTION_CHARACTERS = 50


@frozen
class InspectedTool:
    """A tool, and what its UI would be.

    Attributes:
        definition: As the upstream lists it, without the secrets that it may repeat.
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
        CliError: The upstream is not named, or by words that cannot be understood.
        GenUiError: It cannot be reached, or does not answer.
    """
    event_log, settings = quiet_event_log(typed, configuration, environment), configuration.settings
    offered = await upstream_tools(typed, configuration, environment, event_log)
    store = store_from(settings, environment, event_log)
    kept = Counter(view.tool_name for view in await store.entries())
    await store.close()
    secrets = ordered_secrets(secrets_at(typed, configuration, environment))
    found = [_inspected(tool, settings, kept[tool.name]) for tool in offered.tools]
    return [evolve(each, definition=without_secrets(each.definition, secrets)) for each in found]


def provider_note(settings: Settings, environment: Mapping[str, str]) -> str:
    """Return which model would write the views, and why. It is not asked.

    Raises:
        UnknownAdapter: There is no provider of the configured name.
        BrokenAdapter: It cannot be loaded.
    """
    choice = provider_choice(settings, environment)
    try:
        provider = provider_from(choice.settings, environment)
    except ProviderFailed as failure:
        return f"every tool gets the minimal view: {failure}"
    if provider is None:
        return f"every tool gets the minimal view, without a model ({choice.reason}); {choice.change}"
    return f"{provider.name} {provider.model} ({choice.reason}) would write the views; {choice.change}"


def _inspected(tool: Tool, settings: Settings, kept: int) -> InspectedTool:
    made = partial(InspectedTool, tool.definition, kept_views=kept)
    if tool.brings_own_ui:
        return made("own", "it brings one of its own")
    if not is_enabled(tool.name, settings):
        return made("none", "generation.enabledTools leaves it out")
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
