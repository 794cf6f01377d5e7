"""Every provider by its name."""

from collections.abc import Callable, Mapping

from genui_adapters.registry import Registry
from genui_core.domain.settings.llm_settings import LlmSettings
from genui_core.ports.event_log import EventLog
from genui_core.ports.llm_provider import LLMProvider

ProviderFactory = Callable[[LlmSettings, Mapping[str, str], EventLog], LLMProvider]
"""Makes a provider of the section ``llm``, of the variables it may read, and of a log.

It must be quick and send nothing: it is called while a host waits for its first answer. It
raises `ProviderFailed` with ``AUTHENTICATION`` where a credential is missing, and with
``INVALID_REQUEST`` where the settings do not suffice.
"""

_HERE = "genui_adapters.llm.factories"

PROVIDERS: Registry[ProviderFactory] = Registry(
    kind="LLM provider",
    group="mcp_gen_ui.llm_providers",
    built_in={
        "anthropic": f"{_HERE}:anthropic",
        "openai": f"{_HERE}:openai",
        "ollama": f"{_HERE}:ollama",
        "host": f"{_HERE}:host",
        "replay": f"{_HERE}:replay",
        "manual": f"{_HERE}:manual",
    },
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
