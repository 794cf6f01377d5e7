"""The program's folders, and whether the environment holds a configuration or a model.

Each start runs this code before anything else. So it works with strings: importing a library, even `pathlib`,
would take longer than the code itself.
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
    """Return the path of this program's folder for a purpose; the folder may be missing."""
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
"""The variable in a host's entry from which ``install --undo`` restores the old entry; no setting."""


def usual_places(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the paths of the config files that are tried in this order if none is named."""
    folders = (".", user_folder("config", environment))
    return tuple(f"{folder}/{name}" for folder in folders for name in FILE_NAMES)


def is_anything_configured(environment: Mapping[str, str]) -> bool:
    """Whether there is a config file or a variable with `PREFIX`; neither is read."""
    if any(name.startswith(PREFIX) for name in environment):
        return True
    return any(map(os.path.isfile, usual_places(environment)))


CREDENTIALS: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "openai": ("OPENAI_API_KEY",),
}
"""The variables with a provider's credential, key first; ``auto`` tries the providers in this order."""
NO_MODEL: Mapping[str, str | None] = {
    "provider": "none",
    "model": None,
    "reason": "no credential is set and no Ollama runs here",
    "change": f"set {' or '.join(names[0] for names in CREDENTIALS.values())}, or name a provider with --llm",
}
"""The fields of the event ``provider_chosen`` if there is no model."""
_OLLAMA = ("127.0.0.1", 11434)
_WITHIN_S = 0.2


def is_model_likely(environment: Mapping[str, str]) -> bool:
    """Whether a credential is set, or a server listens at Ollama's default address."""
    if any(environment.get(each) for names in (*CREDENTIALS.values(), ("OLLAMA_HOST",)) for each in names):
        return True
    import socket  # noqa: PLC0415 -- not needed with a credential

    with suppress(OSError):
        # `create_connection` would look the address up as a name, and import a codec for that.
        with socket.socket() as probe:
            probe.settimeout(_WITHIN_S)
            probe.connect(_OLLAMA)
        return True
    return False
