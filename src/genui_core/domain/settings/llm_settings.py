"""Which model writes the views, and how it is reached (``llm``)."""

from typing import Literal

from genui_core.domain.settings.setting import note
from genui_core.records import field, frozen

HOST = "host"
"""The provider that asks the model of whichever host wants a view."""
_PROVIDERS = ("auto", "none", "anthropic", "openai", "ollama", HOST, "replay", "manual")


@frozen(kw_only=True)
class LlmSettings:
    """What a provider is told; each field says itself what it is for."""

    provider: str = field(
        default="auto",
        metadata=note(
            "llm.provider",
            "Who runs the model: a name below, one that an installed package brings, or "
            "`package.module:Class`. `auto` takes the first there is a credential for; `none` has no "
            "views written.",
            known=_PROVIDERS,
        ),
    )
    model: str | None = field(
        default=None,
        metadata=note(
            "llm.model",
            "The model; for `replay` and `manual`, the folder of recordings or prompts.",
            fallback="the provider's, see below",
        ),
    )
    api_key: str | None = field(
        default=None,
        repr=False,
        metadata=note(
            "llm.apiKey",
            "The credential. Prefer the provider's own variable; a literal key in a file gives a warning.",
            fallback="the provider's own variable",
            is_secret=True,
            expands=True,
        ),
    )
    base_url: str | None = field(
        default=None,
        metadata=note(
            "llm.baseUrl",
            "The address of another server with the provider's API.",
            fallback="the provider's own",
        ),
    )
    api: Literal["responses", "chat"] | None = field(
        default=None,
        metadata=note(
            "llm.api",
            "Which of OpenAI's two APIs the wrapper calls.",
            fallback="`responses`; `chat` where `llm.baseUrl` is set",
        ),
    )
    effort: str | None = field(
        default=None,
        metadata=note(
            "llm.effort",
            "The reasoning effort, with a value that the provider knows.",
            fallback="the model's own",
        ),
    )
