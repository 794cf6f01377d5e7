"""What a start asks of the environment: where a program's folders are, and what is configured or set up.

A plain start asks this before anything else, so the answers are plain texts: a library, and even paths as
objects, would cost more than the questions are worth.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Literal

_PROGRAM = "mcp-gen-ui"
Purpose = Literal["config", "cache", "data"]

_XDG: Mapping[Purpose, tuple[str, str]] = {
    "config": ("XDG_CONFIG_HOME", ".config"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "data": ("XDG_DATA_HOME", ".local/share"),
}
_MAC: Mapping[Purpose, str] = {
    "config": "Library/Application Support",
    "cache": "Library/Caches",
    "data": "Library/Application Support",
}


def user_folder(purpose: Purpose, environment: Mapping[str, str], platform: str = sys.platform) -> str:
    """Return this program's folder for a purpose. It need not be there."""
    if platform == "win32":
        base = environment.get("LOCALAPPDATA") or f"{_home(environment, 'USERPROFILE')}/AppData/Local"
        return f"{base}/{_PROGRAM}/Cache" if purpose == "cache" else f"{base}/{_PROGRAM}"
    home = _home(environment, "HOME")
    if platform == "darwin":
        return f"{home}/{_MAC[purpose]}/{_PROGRAM}"
    variable, usual = _XDG[purpose]
    named = environment.get(variable, "")
    return f"{named if named.startswith('/') else f'{home}/{usual}'}/{_PROGRAM}"


def _home(environment: Mapping[str, str], variable: str) -> str:
    return environment.get(variable) or os.path.expanduser("~")  # noqa: PTH111 -- see above


FILE_NAMES = ("mcp-gen-ui.json", "mcp-gen-ui.toml")
PREFIX = "MCP_GEN_UI_"
"""The prefix of every environment variable."""
CONFIG_VARIABLE = f"{PREFIX}CONFIG"
UNDO_VARIABLE = f"{PREFIX}INSTALL_UNDO"
"""What ``install --wrap`` writes into a host's entry for ``--undo``; no setting."""


def usual_places(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the configuration files that are looked for, in this order, when none is named."""
    folders = (".", user_folder("config", environment))
    return tuple(f"{folder}/{name}" for folder in folders for name in FILE_NAMES)


def is_anything_configured(environment: Mapping[str, str]) -> bool:
    """Whether a file or a variable may say something. What it says is another matter."""
    if any(name.startswith(PREFIX) for name in environment):
        return True
    return any(map(os.path.isfile, usual_places(environment)))


CREDENTIALS: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "openai": ("OPENAI_API_KEY",),
}
"""The variables that hold a provider's credential, its key first, in the order in which ``auto`` tries the providers."""
NO_MODEL: Mapping[str, str | None] = {
    "provider": "none",
    "model": None,
    "reason": "no credential is set and no Ollama runs here",
    "change": f"set {' or '.join(names[0] for names in CREDENTIALS.values())}, or name a provider with --llm",
}
"""What is logged where there is no model."""
_OLLAMA = ("127.0.0.1", 11434)
_WITHIN_S = 0.2


def is_model_likely(environment: Mapping[str, str]) -> bool:
    """Whether a credential is set, or somebody listens where Ollama usually does."""
    if any(environment.get(each) for names in (*CREDENTIALS.values(), ("OLLAMA_HOST",)) for each in names):
        return True
    import socket  # noqa: PLC0415 -- not for who has a credential

    with suppress(OSError):
        # A connection "to a host and port" would look the number up as a name, and load what that takes.
        with socket.socket() as probe:
            probe.settimeout(_WITHIN_S)
            probe.connect(_OLLAMA)
        return True
    return False
