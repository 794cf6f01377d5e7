"""Every provider by its name: the choice if the settings name none (``auto``), and how each built-in one is made.

The providers' libraries are loaded with the first generation.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from attrs import evolve, frozen

from genui_adapters.environment import CREDENTIALS, NO_MODEL
from genui_adapters.llm.provider_shell import ProviderOptions, default_models
from genui_adapters.registry import Registry
from genui_core.domain.settings.llm_settings import BUILT_IN_PROVIDERS, LlmSettings
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.llm_provider import LLMProvider

if TYPE_CHECKING:  # the help lists the providers, and needs no other settings
    from genui_core.domain.settings.settings import Settings

_USUAL = "http://127.0.0.1:11434"
_USUAL_PORT = 11434
_ANYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 -- where a server listens, not where we do
_EXPLICIT_WITHIN_S = 2.0
_MOST_BYTES = 1_000_000


def ollama_address(environment: Mapping[str, str]) -> str:
    """Return the server's URL, as ``OLLAMA_HOST`` names it in any of the ways Ollama knows."""
    named = environment.get("OLLAMA_HOST", "").strip().rstrip("/")
    if not named:
        return _USUAL
    try:
        parts = urlsplit(named if "://" in named else f"http://{named}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return _USUAL
    host = "127.0.0.1" if host in _ANYWHERE else f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}.get(parts.scheme, _USUAL_PORT) if "://" in named else _USUAL_PORT
    return f"{parts.scheme}://{host}:{port or usual}{parts.path}"


def last_pulled_model(address: str, within_s: float = _EXPLICIT_WITHIN_S) -> str | None:
    """Return the model that an Ollama server got last and that can write; None without one in time."""
    with suppress(OSError, ValueError):
        listed = json.loads(_tags(address, within_s))
        models = listed.get("models") if isinstance(listed, dict) else None
        for model in models if isinstance(models, list) else ():
            name = model.get("name") if isinstance(model, dict) else None
            if isinstance(name, str) and "embed" not in name:
                return name
    return None


def _tags(address: str, within_s: float) -> bytes:
    """Read the list of models; a machine without a server says so before anything more is loaded."""
    import socket  # noqa: PLC0415 -- not for who names a provider

    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    socket.create_connection((parts.hostname or "", port), within_s).close()

    from http import client  # noqa: PLC0415 -- slow, and only of use where a server listens

    kind = client.HTTPSConnection if parts.scheme == "https" else client.HTTPConnection
    connection = kind(parts.hostname or "", port, timeout=within_s)
    try:
        connection.request("GET", f"{parts.path}/api/tags")
        return connection.getresponse().read(_MOST_BYTES)
    except client.HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        connection.close()


PROBE_WITHIN_S = 0.2
_CHANGE = "name another with --llm NAME, or llm.provider in the configuration"
_TURN_OFF = f"{_CHANGE}; --llm none turns it off"


@frozen
class Choice:
    """A provider that was chosen.

    Attributes:
        settings: Those that it was chosen for, with its name and, as far as they are known
            without asking it, its models.
    """

    settings: "Settings"
    reason: str
    change: str = _TURN_OFF

    def tell(self, event_log: EventLog) -> None:
        """Note which provider was chosen, why, and how to change that."""
        llm = self.settings.llm
        event_log.record(
            Level.INFO,
            "llm",
            "provider_chosen",
            provider=llm.provider,
            model=llm.model,
            reason=self.reason,
            change=self.change,
        )


def choose(
    settings: "Settings",
    environment: Mapping[str, str],
    installed: Callable[[str, float], str | None] = last_pulled_model,
) -> Choice:
    """Return the provider to use, and why.

    Only where none is named and no credential is set is an Ollama server looked for, for 200 ms at most; on a
    machine without one that is told at once.
    """
    if (named := settings.llm.provider) != "auto":
        change = _CHANGE if named == "none" else _TURN_OFF
        return Choice(_with(settings, environment, named), "it was named", change)
    for provider, variables in CREDENTIALS.items():
        for variable in variables:
            if environment.get(variable):
                return Choice(_with(settings, environment, provider), f"{variable} is set")
    address = ollama_address(environment)
    if (model := installed(address, PROBE_WITHIN_S)) is not None:
        chosen = _with(settings, environment, "ollama", model)
        return Choice(chosen, f"Ollama runs at {address} and has a model")
    return Choice(_with(settings, environment, "none"), str(NO_MODEL["reason"]), str(NO_MODEL["change"]))


def _with(
    settings: "Settings", environment: Mapping[str, str], provider: str, model: str | None = None
) -> "Settings":
    """Name the provider and its usual models; a server of one's own has models of its own."""
    llm, generation = settings.llm, settings.generation
    if not (llm.base_url or environment.get(f"{provider.upper()}_BASE_URL")):
        usual = default_models(provider)
        model = model or usual.model
        generation = evolve(generation, classify_model=generation.classify_model or usual.classify_model)
    llm = evolve(llm, provider=provider, model=llm.model or model)
    return evolve(settings, llm=llm, generation=generation)


_NO_KEY_NEEDED = "none"
"""What is sent to a server of one's own, which asks for no key, because something must be sent."""


def anthropic(llm: LlmSettings, environment: Mapping[str, str], _event_log: EventLog) -> LLMProvider:
    """Return Anthropic's models; `ProviderFailed` without a credential."""
    if not (llm.api_key or any(environment.get(each) for each in CREDENTIALS["anthropic"])):
        raise _no_credential("anthropic")
    key = llm.api_key or environment.get("ANTHROPIC_API_KEY")
    options = _options("anthropic", llm, key, llm.base_url or environment.get("ANTHROPIC_BASE_URL"))
    from genui_adapters.llm.anthropic import AnthropicProvider  # noqa: PLC0415 -- not for who chooses another

    return AnthropicProvider(options)


def openai(llm: LlmSettings, environment: Mapping[str, str], _event_log: EventLog) -> LLMProvider:
    """Return OpenAI's models, or those of a server that speaks the same; `ProviderFailed` with neither key nor server."""
    key = llm.api_key or environment.get("OPENAI_API_KEY")
    address = llm.base_url or environment.get("OPENAI_BASE_URL")
    if not key and not address:
        raise _no_credential("openai")
    options = _options("openai", llm, key or _NO_KEY_NEEDED, address)
    from genui_adapters.llm.openai import OpenAIProvider  # noqa: PLC0415 -- not for who chooses another

    return OpenAIProvider(options)


def ollama(llm: LlmSettings, environment: Mapping[str, str], _event_log: EventLog) -> LLMProvider:
    """Return the models of an Ollama server; where none is named, the one it got last.

    Raises ProviderFailed if no model is named and the server has none, or does not answer.
    """
    address = llm.base_url or ollama_address(environment)
    model = llm.model or last_pulled_model(address)
    if model is None:
        text = f"no model was found at Ollama's {address}; is it running? get one with: ollama pull MODEL"
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, text)
    key = llm.api_key or environment.get("OLLAMA_API_KEY")
    options = _options("ollama", evolve(llm, model=model), key, address)
    from genui_adapters.llm.ollama import OllamaProvider  # noqa: PLC0415 -- not for who chooses another

    return OllamaProvider(options)


def host(llm: LlmSettings, _environment: Mapping[str, str], _event_log: EventLog) -> LLMProvider:
    """Return the provider that asks the host's own model; a model name is only a preference."""
    from genui_adapters.llm.host import HostProvider  # noqa: PLC0415 -- not for who chooses another

    return HostProvider(llm.model)


def replay(llm: LlmSettings, _environment: Mapping[str, str], _event_log: EventLog) -> LLMProvider:
    """Return the recordings in the folder that stands in the place of a model, and must be named."""
    from genui_adapters.llm.replay import ReplayProvider  # noqa: PLC0415 -- not for who chooses another

    return ReplayProvider(_folder("replay", llm))


def manual(llm: LlmSettings, _environment: Mapping[str, str], event_log: EventLog) -> LLMProvider:
    """Return a person, asked through files in the folder that stands in a model's place and must be named."""
    from genui_adapters.llm.replay import ManualProvider  # noqa: PLC0415 -- not for who chooses another

    return ManualProvider(_folder("manual", llm), event_log)


def _options(provider: str, llm: LlmSettings, key: str | None, address: str | None) -> ProviderOptions:
    if (model := llm.model or default_models(provider).model) is None:
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, f"{provider} needs the name of a model")
    return ProviderOptions(model=model, api_key=key, base_url=address, api=llm.api, effort=llm.effort)


def _folder(provider: str, llm: LlmSettings) -> Path:
    if not llm.model:
        text = f"{provider} needs a folder: --llm {provider}:FOLDER"
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, text)
    return Path(llm.model).expanduser()


def _no_credential(provider: str) -> ProviderFailed:
    text = f"{provider} needs a credential: set {CREDENTIALS[provider][0]}, or llm.apiKey"
    return ProviderFailed(ProviderErrorCode.AUTHENTICATION, text)


ProviderFactory = Callable[[LlmSettings, Mapping[str, str], EventLog], LLMProvider]
"""Makes a provider of the section ``llm``, of the variables it may read, and of a log.

It must be quick and send nothing: it is called while a host waits for its first answer. It
raises `ProviderFailed` with ``AUTHENTICATION`` where a credential is missing, and with
``INVALID_REQUEST`` where the settings do not suffice.
"""

PROVIDERS = Registry[ProviderFactory](
    kind="LLM provider",
    group="mcp_gen_ui.llm_providers",
    built_in={name: f"{__name__}:{name}" for name in BUILT_IN_PROVIDERS},
    reserved=("auto", "none"),
)


def split_name(text: str) -> tuple[str, str | None]:
    """Split ``PROVIDER[:MODEL]`` as it is written after ``--llm`` at its first colon.

    A provider's name has no dot and the path of a module has one, so ``package.module:Class``
    is a provider, and a model may follow it after a second colon.
    """
    name, _, rest = text.partition(":")
    if "." in name:
        attribute, _, rest = rest.partition(":")
        name = f"{name}:{attribute}"
    return name, rest or None
