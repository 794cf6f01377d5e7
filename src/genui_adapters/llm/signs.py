"""Whether there may be a model to use, told at every start: so it loads next to nothing."""

from collections.abc import Mapping
from contextlib import suppress

ANTHROPIC_CREDENTIALS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
OPENAI_CREDENTIALS = ("OPENAI_API_KEY",)
NO_MODEL: Mapping[str, str | None] = {
    "provider": "none",
    "model": None,
    "reason": "no credential is set and no Ollama runs here",
    "change": "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a provider with --llm",
}
"""What is logged where there is no model."""
_OLLAMA = ("127.0.0.1", 11434)
_WITHIN_S = 0.2


def is_model_likely(environment: Mapping[str, str]) -> bool:
    """Whether a credential is set, or somebody listens where Ollama usually does."""
    if any(environment.get(each) for each in (*ANTHROPIC_CREDENTIALS, *OPENAI_CREDENTIALS, "OLLAMA_HOST")):
        return True
    import socket  # noqa: PLC0415 -- not for who has a credential

    with suppress(OSError):
        # A connection "to a host and port" would look the number up as a name, and load what that takes.
        with socket.socket() as probe:
            probe.settimeout(_WITHIN_S)
            probe.connect(_OLLAMA)
        return True
    return False
