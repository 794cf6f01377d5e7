"""The settings the core obeys, each with its default (SPEC §11)."""

from datetime import timedelta
from typing import Literal

from attrs import Factory, frozen

from genui_core.domain.apps_extension import AppsSetting
from genui_core.domain.backoff import Backoff
from genui_core.domain.retry import RetryPolicy

Theme = Literal["light", "dark", "system"]
GenerationMode = Literal["fragment", "document"]
HostRuntime = Literal["inline", "host"]


@frozen
class Limits:
    """The bounds of ``generation.limits``."""

    max_prompt_tokens: int = 4000
    max_output_tokens: int = 8000
    max_refinement_history: int = 5
    max_schema_depth: int = 5
    max_output_display_bytes: int = 102_400


@frozen(kw_only=True)
class CacheSettings:
    """The bounds of ``cache``.

    Attributes:
        max_entries: ``cache.maxEntries``.
        max_entry_size_bytes: ``cache.maxEntrySizeBytes``, of one view's source.
        max_total_size_bytes: ``cache.maxTotalSizeBytes``, of all sources.
        ttl_ms: ``cache.ttlMs``: how long a view is kept at most; None for ever.
        fallback_ttl_ms: ``cache.fallbackTtlMs``.
    """

    max_entries: int = 100
    max_entry_size_bytes: int = 512_000
    max_total_size_bytes: int = 52_428_800
    ttl_ms: int | None = None
    fallback_ttl_ms: int = 300_000

    @property
    def ttl(self) -> timedelta | None:
        """How long a view is kept at most; None for ever."""
        return None if self.ttl_ms is None else timedelta(milliseconds=self.ttl_ms)


@frozen(kw_only=True)
class GenerationSettings:
    """The settings of ``generation``, and of ``llm`` as far as they are the core's.

    Attributes:
        mode: ``generation.mode``: what the model writes.
        serve_within_ms: ``generation.serveWithinMs``: the longest a read waits for a view.
        timeout_ms: ``generation.timeoutMs``: the longest a generation takes.
        max_retries: ``generation.maxRetries``.
        retry_delay_ms: ``generation.retryDelayMs``.
        max_concurrent: ``generation.maxConcurrentGenerations``.
        max_tokens: ``llm.maxTokens``; None means 4096 for fragments and 8000 for documents.
        temperature: ``llm.temperature``.
        classify_model: ``llm.classifyModel``.
        strict: ``security.strict``.
    """

    mode: GenerationMode = "fragment"
    serve_within_ms: int = 8_000
    timeout_ms: int = 60_000
    max_retries: int = 2
    retry_delay_ms: int = 1_000
    max_concurrent: int = 2
    max_tokens: int | None = None
    temperature: float | None = 0.2
    classify_model: str | None = None
    strict: bool = True

    @property
    def answer_tokens(self) -> int:
        """The most a model may write for a view."""
        return self.max_tokens or (8_000 if self.mode == "document" else 4_096)

    @property
    def retry_policy(self) -> RetryPolicy:
        """How often and how late a model is asked again."""
        return RetryPolicy(self.timeout_ms, self.max_retries, self.retry_delay_ms)


@frozen
class UpstreamSettings:
    """How long to wait for the upstream, and when to start or connect to it again (``upstream``).

    Attributes:
        start_timeout_ms: How long it may take from its start to its first word.
        call_timeout_ms: How long it may take to answer a request; None sets no limit.
        max_line_bytes: Up to this length a line is looked at as a whole.
        reconnect_delay_ms: How long to wait before a second start; the first is made at once.
        max_reconnect_delay_ms: The longest wait.
        reconnect_backoff_multiplier: By how much each wait is longer than the one before it.
    """

    start_timeout_ms: int = 120_000
    call_timeout_ms: int | None = None
    max_line_bytes: int = 32 * 1024 * 1024
    reconnect_delay_ms: int = 1000
    max_reconnect_delay_ms: int = 30_000
    reconnect_backoff_multiplier: float = 2.0

    @property
    def backoff(self) -> Backoff:
        """The waits between starts."""
        return Backoff(
            self.reconnect_delay_ms, self.max_reconnect_delay_ms, self.reconnect_backoff_multiplier
        )


@frozen
class ToolRefresh:
    """Whether the upstream's tools are listed anew from time to time (``toolRefresh``).

    Attributes:
        enabled: Whether they are.
        interval_ms: How long after a listing the next one is made.
        retry_backoff_ms: How long after a first, a second and any further failure.
    """

    enabled: bool = False
    interval_ms: int = 300_000
    retry_backoff_ms: tuple[int, ...] = (30_000, 60_000, 120_000)


@frozen
class Settings:
    """What a `Wrapper` is told; immutable.

    Attributes:
        apps: ``host.apps``, whether hosts get UIs.
        stamp_results: ``host.stampResults``, whether a call's result names its view too, for hosts
            that look there.
        enabled_tools: ``generation.enabledTools``; None means every tool gets a UI.
        default_theme: ``generation.defaultTheme``, for hosts that name no theme.
        limits: ``generation.limits``.
        upstream: ``upstream``, as far as it concerns the connection.
        tool_refresh: ``toolRefresh``.
    """

    apps: AppsSetting = AppsSetting.AUTO
    stamp_results: bool = False
    enabled_tools: frozenset[str] | None = None
    default_theme: Theme = "light"
    limits: Limits = Factory(Limits)
    upstream: UpstreamSettings = Factory(UpstreamSettings)
    tool_refresh: ToolRefresh = Factory(ToolRefresh)

    def gives_ui(self, tool_name: str) -> bool:
        """Whether the allow-list lets a tool have a UI (SPEC W13)."""
        return self.enabled_tools is None or tool_name in self.enabled_tools
