"""Chooses a provider if the settings name none (``auto``), and explains the choice."""

from collections.abc import Callable, Mapping

from genui_adapters.llm.ollama_server import default_model, ollama_address
from genui_adapters.llm.options import default_models
from genui_adapters.llm.signs import ANTHROPIC_CREDENTIALS, OPENAI_CREDENTIALS
from genui_core.domain.settings.settings import Settings
from genui_core.ports.event_log import EventLog, Level
from genui_core.records import evolve, frozen

PROBE_WITHIN_S = 0.2
_CHANGE = "--llm NAME, or llm.provider in the configuration; --llm none turns it off"
_ADD_ONE = "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a provider with --llm"
_BY_CREDENTIAL = (("anthropic", ANTHROPIC_CREDENTIALS), ("openai", OPENAI_CREDENTIALS))


@frozen
class Choice:
    """A provider that was chosen.

    Attributes:
        settings: Those that it was chosen for, with its name and, as far as they are known
            without asking it, its models.
        reason: Why it was.
        change: What to do about it.
    """

    settings: Settings
    reason: str
    change: str = _CHANGE

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


def probe(address: str) -> str | None:
    """Return the model of the Ollama server at an address, within 200 ms, or None."""
    return default_model(address, PROBE_WITHIN_S)


def choose(
    settings: Settings, environment: Mapping[str, str], installed: Callable[[str], str | None] = probe
) -> Choice:
    """Return the provider to use; only where none is named and no credential is set is a server asked.

    Args:
        settings: What is configured.
        environment: Where credentials are.
        installed: Tells which model an Ollama server at an address has.
    """
    if settings.llm.provider != "auto":
        return Choice(_with(settings, environment, settings.llm.provider), "it was named")
    for provider, variables in _BY_CREDENTIAL:
        for variable in variables:
            if environment.get(variable):
                return Choice(_with(settings, environment, provider), f"{variable} is set")
    address = ollama_address(environment)
    model = installed(address)
    if model is not None:
        chosen = _with(settings, environment, "ollama", model)
        return Choice(chosen, f"Ollama runs at {address} and has a model")
    none = _with(settings, environment, "none")
    return Choice(none, "no credential is set and no Ollama runs here", _ADD_ONE)


def _with(
    settings: Settings, environment: Mapping[str, str], provider: str, model: str | None = None
) -> Settings:
    """Name the provider and its usual models; a server of one's own has models of its own."""
    llm, generation = settings.llm, settings.generation
    if not (llm.base_url or environment.get(f"{provider.upper()}_BASE_URL")):
        usual = default_models(provider)
        model = model or usual.model
        generation = evolve(generation, classify_model=generation.classify_model or usual.classify_model)
    llm = evolve(llm, provider=provider, model=llm.model or model)
    return evolve(settings, llm=llm, generation=generation)
