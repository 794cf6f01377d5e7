"""Where a person's systems keep what belongs to a program: its configuration, its cache, its data.

Asking a library for these three names costs more than all else that a plain start reads from
disk, so they are worked out here.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
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


def user_folder(purpose: Purpose, environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return this program's folder for a purpose. It need not be there.

    Args:
        purpose: What is to be kept.
        environment: The variables of the person's session.
        platform: As `sys.platform` names it.
    """
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        base = Path(local) if local else _home(environment, platform) / "AppData" / "Local"
        return base / _PROGRAM / "Cache" if purpose == "cache" else base / _PROGRAM
    if platform == "darwin":
        return _home(environment, platform) / _MAC[purpose] / _PROGRAM
    variable, usual = _XDG[purpose]
    named = environment.get(variable, "")
    return (Path(named) if Path(named).is_absolute() else _home(environment, platform) / usual) / _PROGRAM


def _home(environment: Mapping[str, str], platform: str) -> Path:
    named = environment.get("USERPROFILE" if platform == "win32" else "HOME")
    return Path(named) if named else Path.home()
