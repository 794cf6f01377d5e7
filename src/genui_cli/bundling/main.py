"""Starts the wrapper inside a bundle. The host passes the person's settings as variables."""

import os
import sys

_UNSET = "${user_config."
_PROVIDER, _KEY, _MODEL = (f"MCP_GEN_UI_LLM_{each}" for each in ("PROVIDER", "API_KEY", "MODEL"))
_BY_KEY = {"sk-ant-": "anthropic", "sk-": "openai"}
_WITHOUT_KEY = ("none", "host", "ollama")


def prepared(environment: dict[str, str]) -> dict[str, str]:
    """Return the variables without empty settings, and with the provider that a known kind of key implies.

    Args:
        environment: The variables; a host leaves the placeholder of an empty setting in place.
    """
    ours = (_PROVIDER, _KEY, _MODEL)
    kept = {
        name: value
        for name, value in environment.items()
        if _UNSET not in value and (value or name not in ours)
    }
    provider = kept.get(_PROVIDER, "auto")
    if provider == "auto" and _KEY in kept:
        provider = next((each for start, each in _BY_KEY.items() if kept[_KEY].startswith(start)), provider)
        kept[_PROVIDER] = provider
    elif provider in ("auto", "none"):
        kept.pop(_MODEL, None)
    if provider in _WITHOUT_KEY:
        kept.pop(_KEY, None)
    return kept


if __name__ == "__main__":
    settings = prepared(dict(os.environ))
    os.environ.clear()
    os.environ.update(settings)
    from genui_cli.entry import run

    sys.exit(run(sys.argv[1:]))
