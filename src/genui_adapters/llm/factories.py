"""Makes the built-in providers; their libraries are loaded with the first generation."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from attrs import evolve

from genui_adapters.environment import ANTHROPIC_CREDENTIALS
from genui_adapters.llm.choice import default_model, ollama_address
from genui_adapters.llm.provider_shell import DeferredProvider, ProviderOptions, default_models
from genui_core.domain.settings.llm_settings import LlmSettings
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.event_log import EventLog
from genui_core.ports.llm_provider import LLMProvider

Variables = Mapping[str, str]

_NO_KEY_NEEDED = "none"
"""What is sent to a server of one's own, which asks for no key, because something must be sent."""


def anthropic(llm: LlmSettings, environment: Variables, _event_log: EventLog) -> LLMProvider:
    """Return Anthropic's models; `ProviderFailed` without a credential."""
    if not (llm.api_key or any(environment.get(each) for each in ANTHROPIC_CREDENTIALS)):
        raise _no_credential("anthropic", "ANTHROPIC_API_KEY")
    key = llm.api_key or environment.get("ANTHROPIC_API_KEY")
    options = _options("anthropic", llm, key, llm.base_url or environment.get("ANTHROPIC_BASE_URL"))
    return _deferred("anthropic", "AnthropicProvider", options)


def openai(llm: LlmSettings, environment: Variables, _event_log: EventLog) -> LLMProvider:
    """Return OpenAI's models, or those of a server that speaks the same; `ProviderFailed` with neither key nor server."""
    key = llm.api_key or environment.get("OPENAI_API_KEY")
    address = llm.base_url or environment.get("OPENAI_BASE_URL")
    if not key and not address:
        raise _no_credential("openai", "OPENAI_API_KEY")
    options = _options("openai", llm, key or _NO_KEY_NEEDED, address)
    return _deferred("openai", "OpenAIProvider", options)


def ollama(llm: LlmSettings, environment: Variables, _event_log: EventLog) -> LLMProvider:
    """Return the models of an Ollama server; where none is named, the one it got last.

    Raises ProviderFailed if no model is named and the server has none, or does not answer.
    """
    address = llm.base_url or ollama_address(environment)
    model = llm.model or default_model(address)
    if model is None:
        raise ProviderFailed(
            ProviderErrorCode.INVALID_REQUEST,
            f"no model was found at Ollama's {address}; is it running? get one with: ollama pull MODEL",
        )
    key = llm.api_key or environment.get("OLLAMA_API_KEY")
    options = _options("ollama", evolve(llm, model=model), key, address)
    return _deferred("ollama", "OllamaProvider", options)


def host(llm: LlmSettings, _environment: Variables, _event_log: EventLog) -> LLMProvider:
    """Return the provider that asks the host's own model; a model name is only a preference."""
    from genui_adapters.llm.host import HostProvider  # noqa: PLC0415 -- see above

    return HostProvider(llm.model)


def replay(llm: LlmSettings, _environment: Variables, _event_log: EventLog) -> LLMProvider:
    """Return the recordings in the folder that stands in the place of a model, and must be named."""
    from genui_adapters.llm.replay import ReplayProvider  # noqa: PLC0415 -- see above

    return ReplayProvider(_folder("replay", llm))


def manual(llm: LlmSettings, _environment: Variables, event_log: EventLog) -> LLMProvider:
    """Return a person, asked through files in the folder that stands in a model's place and must be named."""
    from genui_adapters.llm.replay import ManualProvider  # noqa: PLC0415 -- see above

    return ManualProvider(_folder("manual", llm), event_log)


def _deferred(name: str, kind: str, options: ProviderOptions) -> LLMProvider:
    """Return a provider of the module of its name, which is loaded with its library when it is first asked."""

    def made() -> LLMProvider:
        provider: LLMProvider = getattr(import_module(f"genui_adapters.llm.{name}"), kind)(options)
        return provider

    return DeferredProvider(name, options.model, made)


def _options(provider: str, llm: LlmSettings, key: str | None, address: str | None) -> ProviderOptions:
    model = llm.model or default_models(provider).model
    if model is None:
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, f"{provider} needs the name of a model")
    return ProviderOptions(model=model, api_key=key, base_url=address, api=llm.api, effort=llm.effort)


def _folder(provider: str, llm: LlmSettings) -> Path:
    if not llm.model:
        raise ProviderFailed(
            ProviderErrorCode.INVALID_REQUEST, f"{provider} needs a folder: --llm {provider}:FOLDER"
        )
    return Path(llm.model).expanduser()


def _no_credential(provider: str, variable: str) -> ProviderFailed:
    return ProviderFailed(
        ProviderErrorCode.AUTHENTICATION, f"{provider} needs a credential: set {variable}, or llm.apiKey"
    )
