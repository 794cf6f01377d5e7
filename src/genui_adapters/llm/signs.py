"""Whether there may be a model to use, told at every start: so it loads next to nothing."""

from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlsplit

from genui_adapters.llm.ollama_server import ollama_address

ANTHROPIC_CREDENTIALS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
OPENAI_CREDENTIALS = ("OPENAI_API_KEY",)
_WITHIN_S = 0.2


def is_model_likely(environment: Mapping[str, str]) -> bool:
    """Whether a credential is set, or somebody listens where Ollama would."""
    if any(environment.get(each) for each in (*ANTHROPIC_CREDENTIALS, *OPENAI_CREDENTIALS)):
        return True
    import socket  # noqa: PLC0415 -- not for who has a credential

    parts = urlsplit(ollama_address(environment))
    with suppress(OSError):
        socket.create_connection((parts.hostname or "", parts.port or 80), _WITHIN_S).close()
        return True
    return False
