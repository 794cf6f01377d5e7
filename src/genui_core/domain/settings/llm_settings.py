"""Which model writes the views, and how it is reached (``llm``)."""

from typing import Literal

from attrs import field, frozen

from genui_core.domain.settings.setting import note

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
            "The model. For `replay` and `manual` it is the folder of the recordings or the questions.",
            fallback="the provider's, see below",
        ),
    )
    api_key: str | None = field(
        default=None,
        repr=False,
        metadata=note(
            "llm.apiKey",
            "The credential. Better kept in the provider's own variable; in a file it is warned about.",
            fallback="the provider's own variable",
            is_secret=True,
            expands=True,
        ),
    )
    base_url: str | None = field(
        default=None,
        metadata=note(
            "llm.baseUrl", "Another server that speaks the provider's API.", fallback="the provider's own"
        ),
    )
    api: Literal["responses", "chat"] | None = field(
        default=None,
        metadata=note(
            "llm.api",
            "Which of the two APIs of OpenAI is spoken.",
            fallback="`responses`; `chat` where `llm.baseUrl` is set",
        ),
    )
    effort: str | None = field(
        default=None,
        metadata=note(
            "llm.effort",
            "How much a model that thinks is to think, in its provider's words.",
            fallback="the model's own",
        ),
    )
