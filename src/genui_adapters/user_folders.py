"""Where a person's system keeps what belongs to a program: its configuration, its cache, its data.

A plain start asks this before anything else, so it is worked out here, in texts: a library for
it, and even paths as objects, cost more than the question is worth.
"""

import os
import sys
from collections.abc import Mapping
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
    """Return this program's folder for a purpose. It need not be there.

    Args:
        purpose: What the folder holds.
        environment: The variables of the person's session.
        platform: As `sys.platform` names it.
    """
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
