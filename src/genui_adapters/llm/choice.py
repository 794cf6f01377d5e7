"""Every provider by its name: chooses one for ``auto``, and makes the built-in ones.

The providers' libraries are loaded with the first generation.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from attrs import evolve, frozen

from genui_adapters.environment import CREDENTIALS, NO_MODEL
from genui_adapters.registry import Registry
from genui_core.domain.settings.llm_settings import BUILT_IN_PROVIDERS, LlmSettings
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.event_log import EventLog, Level

if TYPE_CHECKING:  # the help lists the providers, and a start may name none: both need no other modules
    from genui_adapters.llm.provider_shell import ProviderOptions
    from genui_core.domain.settings.settings import Settings
    from genui_core.ports.llm_provider import LLMProvider

_DEFAULT_ADDRESS = "http://127.0.0.1:11434"
_DEFAULT_PORT = 11434
_ANYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 -- where a server listens, not the wrapper
_EXPLICIT_WITHIN_S = 2.0
_MOST_BYTES = 1_000_000


def ollama_address(environment: Mapping[str, str]) -> str:
    """Return the Ollama server's URL: ``OLLAMA_HOST`` in any form that Ollama accepts, or the default."""
    named = environment.get("OLLAMA_HOST", "").strip().rstrip("/")
    if not named:
        return _DEFAULT_ADDRESS
    try:
        parts = urlsplit(named if "://" in named else f"http://{named}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return _DEFAULT_ADDRESS
    host = "127.0.0.1" if host in _ANYWHERE else f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}.get(parts.scheme, _DEFAULT_PORT) if "://" in named else _DEFAULT_PORT
    return f"{parts.scheme}://{host}:{port or usual}{parts.path}"


def last_pulled_model(address: str, within_s: float = _EXPLICIT_WITHIN_S) -> str | None:
    """Return the last model that an Ollama server pulled and that writes text; None without one in time."""
    with suppress(OSError, ValueError):
        return next((name for name in _pulled_models(address, within_s) if "embed" not in name), None)
    return None


def check_provider(llm: LlmSettings, environment: Mapping[str, str]) -> None:
    """Raise ProviderFailed if an Ollama server lacks the named model, or recordings are missing."""
    if llm.provider == "replay":
        from genui_adapters.llm.replay import read_recordings  # noqa: PLC0415 -- only for this provider

        read_recordings(_folder("replay", llm))
    if llm.provider != "ollama" or llm.model is None:
        return
    address = llm.base_url or ollama_address(environment)
    place = f"Ollama at {urlsplit(address).netloc.rpartition('@')[2]}"
    with suppress(ValueError):  # a server that lists its models only with a key
        try:
            pulled = _pulled_models(address, _EXPLICIT_WITHIN_S)
        except OSError as error:
            text = f"{place} does not answer: {error.strerror or error}. Start it, or name it in OLLAMA_HOST"
            raise ProviderFailed(ProviderErrorCode.NETWORK_ERROR, text) from error
        if not {llm.model, f"{llm.model}:latest"} & {*pulled}:
            text = f"{place} has no model {llm.model!r}. Get it with: ollama pull {llm.model}"
            raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, text)


def _pulled_models(address: str, within_s: float) -> list[str]:
    """Return the models of an Ollama server, the last pulled first; OSError or ValueError without an answer."""
    listed = json.loads(_read_tags(address, within_s))
    if not isinstance(listed, dict) or not isinstance(listed.get("models"), list):
        raise ValueError("no list of models")  # noqa: TRY004 -- the answer is wrong, as if it were no JSON
    names = (each.get("name") for each in listed["models"] if isinstance(each, dict))
    return [name for name in names if isinstance(name, str)]


def _read_tags(address: str, within_s: float) -> bytes:
    """Read the list of models; without a server, fail before an HTTP client is loaded."""
    import socket  # noqa: PLC0415 -- only to look for a server

    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    socket.create_connection((parts.hostname or "", port), within_s).close()

    from http import client  # noqa: PLC0415 -- slow, and only needed if a server listens

    kind = client.HTTPSConnection if parts.scheme == "https" else client.HTTPConnection
    with closing(kind(parts.hostname or "", port, timeout=within_s)) as connection:
        try:
            connection.request("GET", f"{parts.path}/api/tags")
            return connection.getresponse().read(_MOST_BYTES)
        except client.HTTPException as error:
            raise OSError(str(error)) from error


DEFAULT_MODELS_FILE = Path(__file__).with_name("default_models.json")


@frozen
class DefaultModels:
    """The default models of one provider.

    Attributes:
        model: Writes views; None if only the provider knows its models.
        classify_model: Decides which tools get a rich view; None for the same model.
    """

    model: str | None = None
    classify_model: str | None = None


@cache
def default_models(provider: str) -> DefaultModels:
    """Return the default models of a provider; without names if the file does not list the provider."""
    listed = json.loads(DEFAULT_MODELS_FILE.read_text(encoding="utf-8")).get(provider)
    if not isinstance(listed, dict):
        return DefaultModels()
    return DefaultModels(listed.get("model"), listed.get("classifyModel"))


PROBE_WITHIN_S = 0.2
_CHANGE = "name another with --llm NAME, or llm.provider in the configuration"
_TURN_OFF = f"{_CHANGE}; --llm none turns it off"


@frozen
class Choice:
    """The chosen provider.

    Attributes:
        settings: The settings with the provider's name, and its models if no request is needed to know them.
    """

    settings: "Settings"
    reason: str
    change: str = _TURN_OFF

    def log_to(self, event_log: EventLog) -> None:
        """Log which provider was chosen, why, and how to change that."""
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
    """Return the provider to use, and the reason.

    If no provider is named and no credential is set, this looks for an Ollama server, for 200 ms at most; a
    machine without one refuses the connection at once.
    """
    if (named := settings.llm.provider) != "auto":
        change = _CHANGE if named == "none" else _TURN_OFF
        return Choice(_configure(settings, environment, named), "it was named", change)
    for provider, variables in CREDENTIALS.items():
        for variable in variables:
            if environment.get(variable):
                chosen = _configure(settings, environment, provider, default_models(provider).model)
                return Choice(chosen, f"{variable} is set")
    address = ollama_address(environment)
    if (model := installed(address, PROBE_WITHIN_S)) is not None:
        chosen = _configure(settings, environment, "ollama", model)
        return Choice(chosen, f"Ollama runs at {address} and has a model")
    return Choice(_configure(settings, environment, "none"), str(NO_MODEL["reason"]), str(NO_MODEL["change"]))


def _configure(
    settings: "Settings", environment: Mapping[str, str], provider: str, model: str | None = None
) -> "Settings":
    """Return the settings with a provider and, unless they name models, those that are usual at its server."""
    llm, generation, usual = settings.llm, settings.generation, default_models(provider)
    address = llm.base_url or environment.get(f"{provider.upper()}_BASE_URL")
    if address and f"api.{provider}.com" not in address:
        # Another server with OpenAI's API has models of its own; one with Anthropic's forwards to Anthropic.
        usual = DefaultModels(None if provider == "openai" else usual.model)
    generation = evolve(generation, classify_model=generation.classify_model or usual.classify_model)
    llm = evolve(llm, provider=provider, model=llm.model or model or usual.model)
    return evolve(settings, llm=llm, generation=generation)


_NO_KEY_NEEDED = "none"
"""The key for another server that needs none, since the library must send one."""


def anthropic(llm: LlmSettings, environment: Mapping[str, str], _event_log: EventLog) -> "LLMProvider":
    """Return the provider of Anthropic's models; raise `ProviderFailed` without a credential."""
    options = _options("anthropic", llm, environment)
    if not (options.api_key or environment.get("ANTHROPIC_AUTH_TOKEN")):
        raise _no_credential("anthropic")
    from genui_adapters.llm.anthropic import AnthropicProvider  # noqa: PLC0415 -- only for this provider

    return AnthropicProvider(options)


def openai(llm: LlmSettings, environment: Mapping[str, str], _event_log: EventLog) -> "LLMProvider":
    """Return the provider of OpenAI or another server; `ProviderFailed` without key and server, or model."""
    options = _options("openai", llm, environment)
    if not options.api_key and not options.base_url:
        raise _no_credential("openai")
    from genui_adapters.llm.openai import OpenAIProvider  # noqa: PLC0415 -- only for this provider

    return OpenAIProvider(evolve(options, api_key=options.api_key or _NO_KEY_NEEDED))


def ollama(llm: LlmSettings, environment: Mapping[str, str], _event_log: EventLog) -> "LLMProvider":
    """Return the provider of an Ollama server; the default model is the one it pulled last.

    Raises ProviderFailed if no model is named and the server has none, or does not answer.
    """
    address = llm.base_url or ollama_address(environment)
    model = llm.model or last_pulled_model(address)
    if model is None:
        text = f"no model was found at Ollama's {address}; is it running? get one with: ollama pull MODEL"
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, text)
    options = _options("ollama", evolve(llm, model=model, base_url=address), environment)
    from genui_adapters.llm.ollama import OllamaProvider  # noqa: PLC0415 -- only for this provider

    return OllamaProvider(options)


def host(llm: LlmSettings, _environment: Mapping[str, str], _event_log: EventLog) -> "LLMProvider":
    """Return the provider that asks the host's own model; a model name is only a preference."""
    from genui_adapters.llm.host import HostProvider  # noqa: PLC0415 -- only for this provider

    return HostProvider(llm.model)


def replay(llm: LlmSettings, _environment: Mapping[str, str], _event_log: EventLog) -> "LLMProvider":
    """Return the provider of recordings; the model's name is the required folder."""
    from genui_adapters.llm.replay import ReplayProvider  # noqa: PLC0415 -- only for this provider

    return ReplayProvider(_folder("replay", llm))


def manual(llm: LlmSettings, _environment: Mapping[str, str], event_log: EventLog) -> "LLMProvider":
    """Return the provider that asks a person through files; the model's name is the required folder."""
    from genui_adapters.llm.replay import ManualProvider  # noqa: PLC0415 -- only for this provider

    return ManualProvider(_folder("manual", llm), event_log)


def _options(provider: str, llm: LlmSettings, environment: Mapping[str, str]) -> "ProviderOptions":
    """Return a provider's options: its key, address and model. Raises ProviderFailed without a model."""
    from genui_adapters.llm.provider_shell import ProviderOptions  # noqa: PLC0415 -- only for a model

    key = llm.api_key or environment.get(f"{provider.upper()}_API_KEY")
    address = llm.base_url or environment.get(f"{provider.upper()}_BASE_URL")
    if llm.model is None:
        text = f"{provider} needs llm.model for another server: set it, or use --llm {provider}:MODEL"
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, text)
    return ProviderOptions(model=llm.model, api_key=key, base_url=address, api=llm.api, effort=llm.effort)


def _folder(provider: str, llm: LlmSettings) -> Path:
    if not llm.model:
        text = f"{provider} needs a folder: --llm {provider}:FOLDER"
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, text)
    return Path(llm.model).expanduser()


def _no_credential(provider: str) -> ProviderFailed:
    text = f"{provider} needs a credential: set {CREDENTIALS[provider][0]}, or llm.apiKey"
    return ProviderFailed(ProviderErrorCode.AUTHENTICATION, text)


ProviderFactory = Callable[[LlmSettings, Mapping[str, str], EventLog], "LLMProvider"]
"""Makes a provider from the section ``llm``, the variables that it may read, and an event log.

It must be fast and send nothing, since it runs while a host waits for its first answer. It raises
`ProviderFailed`: ``AUTHENTICATION`` without a credential, ``INVALID_REQUEST`` for insufficient settings.
"""

PROVIDERS = Registry[ProviderFactory](
    kind="LLM provider",
    group="mcp_gen_ui.llm_providers",
    built_in={name: f"{__name__}:{name}" for name in BUILT_IN_PROVIDERS},
    reserved=("auto", "none"),
)


def split_name(text: str) -> tuple[str, str | None]:
    """Split the value of ``--llm``, ``PROVIDER[:MODEL]``, at its first colon.

    A provider's name has no dot and the path of a module has one, so ``package.module:Class``
    is a provider, and a model may follow it after a second colon.
    """
    name, colon, rest = text.partition(":")
    if "." in name:
        attribute, _, rest = rest.partition(":")
        name = f"{name}{colon}{attribute}"
    return name, rest or None
