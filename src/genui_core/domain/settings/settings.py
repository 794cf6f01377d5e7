"""The settings of the core, each with its default (requirement S1)."""

from collections.abc import Mapping
from typing import Literal

from attrs import Factory, frozen

from genui_core.domain.mcp.envelope import AppsSetting
from genui_core.domain.settings.brand import BrandSettings
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.llm_settings import GenerationSettings, LlmSettings
from genui_core.domain.settings.setting import Hints, section, setting
from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.domain.tools.classification import UiType

Theme = Literal["light", "dark", "system"]
HostRuntime = Literal["inline", "host"]


@frozen(field_transformer=section("generation.limits"))
class Limits:
    """The limits of ``generation.limits``; each field has its own description."""

    max_prompt_tokens: int = setting(
        4000, "The longest prompt, without the current source; three bytes count as one token.", least=1
    )
    max_output_tokens: int = setting(8000, "The longest source that a model may edit.", least=1)
    max_refinement_history: int = setting(
        5, "How many of a view's newest refinements a prompt contains; all are kept.", least=1
    )
    max_schema_depth: int = setting(5, "How many levels of an input schema a form shows.", least=1)
    max_output_display_bytes: int = setting(
        102_400, "How many characters of a long text a view shows before it offers more.", least=1
    )


@frozen(field_transformer=section("toolRefresh"))
class ToolRefresh:
    """Whether and how often the wrapper lists the upstream's tools again (``toolRefresh``).

    Each field has its own description.
    """

    enabled: bool = setting(False, "List the upstream's tools again at intervals.")
    interval_ms: int = setting(300_000, "The time between two listings.", least=10_000)
    retry_backoff_ms: tuple[int, ...] = setting(
        (30_000, 60_000, 120_000),
        "The delay after a first, a second, and any further failed listing.",
        least=1,
    )


@frozen(kw_only=True, field_transformer=section("security"))
class GrantedDomains:
    """The origins and devices that a host should allow views to use; each field has its own description."""

    connect: tuple[str, ...] = setting(
        (), "Origins that views may send requests to.", key="security.connectDomains"
    )
    resource: tuple[str, ...] = setting(
        (), "Origins that views may load images, fonts and styles from.", key="security.resourceDomains"
    )
    frame: tuple[str, ...] = setting(
        (), "Origins that views may show in a frame.", key="security.frameDomains"
    )
    base_uri: tuple[str, ...] = setting(
        (), "Origins that a view's document may take as its base.", key="security.baseUriDomains"
    )
    permissions: tuple[Literal["camera", "microphone", "geolocation", "clipboardWrite"], ...] = setting(
        (), "The permissions of the browser that a host should grant to views."
    )
    domain: str = setting(
        "",
        "The origin that a host should show views at, in the form that this host wants.",
        fallback="the host's own choice",
    )


@frozen(kw_only=True, field_transformer=section("companion"))
class CompanionSettings:
    """The settings of the companion page (``companion``); each field has its own description."""

    mode: Literal["onDemand", "always", "never"] = setting(
        "onDemand",
        "Offer the agent a page in the browser (`_ui_open`, `_ui_wait`, `_ui_push`): over stdio, where the host"
        " shows no MCP Apps; in every host; or in none.",
    )
    link_in_results: bool = setting(
        False, "Add the address of that page to the text of each result; without it results stay as they are."
    )


@frozen(field_transformer=section("generation"))
class Settings:
    """The settings of a `Wrapper`; immutable. Each field has its own description.

    Attributes:
        limits: ``generation.limits``.
        upstream: The timeouts, limits and delays of ``upstream``.
        tool_refresh: ``toolRefresh``.
        generation: The rest of ``generation``, and the keys of ``llm`` that concern how a model writes.
        cache: ``cache``.
        llm: The keys of ``llm`` that concern the provider and its model.
        granted: The domains of ``security``.
        brand: ``brand``.
        companion: ``companion``.
    """

    apps: AppsSetting = setting(
        AppsSetting.AUTO,
        "Give UIs to hosts that support MCP Apps, to all hosts, or to none.",
        key="host.apps",
    )
    stamp_results: bool = setting(
        False, "Add the view's address to results too, for hosts that read it there.", key="host.stampResults"
    )
    embed_results: bool = setting(
        False,
        "Add the view to each result of a call, for hosts that render only resources inside results.",
        key="host.embedResults",
    )
    enabled_tools: frozenset[str] | None = setting(
        None, "Only these tools get UIs; all others pass through unchanged.", fallback="every tool"
    )
    default_theme: Theme = setting(
        "light", "The theme for hosts that name none. Prompts tell the model to design for it first."
    )
    limits: Limits = Factory(Limits)
    upstream: UpstreamSettings = Factory(UpstreamSettings)
    tool_refresh: ToolRefresh = Factory(ToolRefresh)
    generation: GenerationSettings = Factory(GenerationSettings)
    cache: CacheSettings = Factory(CacheSettings)
    llm: LlmSettings = Factory(LlmSettings)
    granted: GrantedDomains = Factory(GrantedDomains)
    brand: BrandSettings = Factory(BrandSettings)
    companion: CompanionSettings = Factory(CompanionSettings)
    page_policy: bool = setting(
        True,
        "Give every view a Content-Security-Policy under which only its own scripts run, and guard its"
        " frame; without it, a host may add scripts to views.",
        key="security.pagePolicy",
    )
    host_runtime: HostRuntime = setting(
        "inline", "Include the App API in every view, or let a host resolve its import.", key="host.runtime"
    )
    live: Literal["auto", "off"] = setting(
        "auto",
        "Let an open page put a newly written view in its place, or show the new view only when it is"
        " opened again.",
        key="host.live",
    )
    own_tools: Literal["all", "core", "none"] = setting(
        "all",
        "The `_ui_*` tools that the model sees: all, only `_ui_refine` and `_ui_regenerate`, or none.",
        key="host.ownTools",
    )
    prompts_directory: str | None = setting(
        None,
        "A folder with your own prompt templates; `mcp-gen-ui prompts eject` writes one.",
        fallback="the built-in ones",
        is_path=True,
    )
    ui_type: Mapping[str, UiType] = setting(
        Factory(dict),
        "By tool name: whether the tool gets a rich or a minimal view.",
        choices=("rich", "minimal"),
    )
    hints: Mapping[str, Hints] = setting(Factory(dict), "By tool name: hints for the prompt.")
    examples: Mapping[str, tuple[object, ...]] = setting(
        Factory(dict), "By tool name: examples of results for the model."
    )
    prefetch: bool = setting(False, "Generate views after the start, before hosts read them.")
    refinements: Literal["session", "persist"] = setting(
        "session", "Keep refinements for the session, or permanently."
    )
    share_result_values: bool = setting(
        False, "Send the model values from results, and not only their shape."
    )
