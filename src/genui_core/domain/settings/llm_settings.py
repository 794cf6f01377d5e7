"""The settings of the model that writes views, and of its generations (``llm``, ``generation``)."""

from collections.abc import Mapping
from typing import Final, Literal

from attrs import frozen

from genui_core.domain.settings.setting import section, setting

GenerationMode = Literal["fragment", "document"]
ANSWER_TOKENS: Final[Mapping[GenerationMode, int]] = {"fragment": 4096, "document": 8000}


@frozen(kw_only=True, field_transformer=section("generation"))
class GenerationSettings:
    """How a model writes views: ``generation``, and some keys of ``llm`` and ``security``.

    Each field has its own description.
    """

    mode: GenerationMode = setting(
        "fragment", "What the model writes: a `fragment` for the wrapper's page, or a whole HTML `document`."
    )
    serve_within_ms: int | Literal["auto"] = setting(
        "auto",
        "The longest time that a host waits for a view; then it gets the minimal view until the written one is"
        " ready. `auto` is 8000, and 20 as soon as a page in the host has asked for its next view (`host.live`).",
        least=0,
    )
    timeout_ms: int = setting(60_000, "The time limit for a generation.", least=1000)
    max_retries: int = setting(2, "The number of retries after a failed request to the model.", least=0)
    retry_delay_ms: int = setting(
        1_000, "The delay before the first retry; each further delay is longer.", least=0
    )
    max_concurrent: int = setting(
        2,
        "The most generations that run at the same time.",
        key="generation.maxConcurrentGenerations",
        least=1,
    )
    max_tokens: int | None = setting(
        None,
        "The most tokens that a model may write for a view.",
        key="llm.maxTokens",
        least=1,
        fallback=f"{ANSWER_TOKENS['fragment']} for fragments, {ANSWER_TOKENS['document']} for documents",
    )
    temperature: float | None = setting(
        0.2, "The sampling temperature, for APIs that accept it.", key="llm.temperature", least=0, most=2
    )
    classify_model: str | None = setting(
        None,
        "The model that decides which tools get a written view.",
        key="llm.classifyModel",
        fallback="the provider's small one, see below",
    )
    strict: bool = setting(
        True, "Refuse views that run text as code, instead of reporting a warning.", key="security.strict"
    )


HOST = "host"
"""The provider that uses the model of the host that requests a view."""
BUILT_IN_PROVIDERS = ("anthropic", "openai", "ollama", HOST, "replay", "manual")
"""The providers that come with the wrapper, in the order in which help and pages list them."""


@frozen(kw_only=True, field_transformer=section("llm"))
class LlmSettings:
    """The provider, its model and its credential (``llm``); each field has its own description."""

    provider: str = setting(
        "auto",
        "Who runs the model: a name below, one that an installed package brings, or "
        "`package.module:Class`. `auto` takes the first with a credential; with `none`, no model "
        "writes views.",
        known=("auto", "none", *BUILT_IN_PROVIDERS),
    )
    model: str | None = setting(
        None,
        "The model; for `replay` and `manual`, the folder of recordings or prompts.",
        fallback="the provider's, see below",
    )
    api_key: str | None = setting(
        None,
        "The credential. Prefer the provider's own variable; a literal key in a file gives a warning.",
        fallback="the provider's own variable",
        is_secret=True,
        expands=True,
    )
    base_url: str | None = setting(
        None, "The address of another server with the provider's API.", fallback="the provider's own"
    )
    api: Literal["responses", "chat"] | None = setting(
        None,
        "Which of OpenAI's two APIs the wrapper calls.",
        fallback="`responses`; `chat` where `llm.baseUrl` is set",
    )
    effort: str | None = setting(
        None, "The reasoning effort, with a value that the provider knows.", fallback="the model's own"
    )
