"""Where configuration is looked for, and whether there is any: asked at every start, so it loads nothing."""

import os
from collections.abc import Mapping

from genui_adapters.environment import user_folder

FILE_NAMES = ("mcp-gen-ui.json", "mcp-gen-ui.toml")
PREFIX = "MCP_GEN_UI_"
"""The prefix of every environment variable."""
CONFIG_VARIABLE = f"{PREFIX}CONFIG"
UNDO_VARIABLE = f"{PREFIX}INSTALL_UNDO"
"""What ``install --wrap`` writes into a host's entry for ``--undo``; no setting."""


def usual_places(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the files that are looked for, in this order, when none is named."""
    folders = (".", user_folder("config", environment))
    return tuple(f"{folder}/{name}" for folder in folders for name in FILE_NAMES)


def is_anything_configured(environment: Mapping[str, str]) -> bool:
    """Whether a file or a variable may say something. What it says is another matter."""
    if any(name.startswith(PREFIX) for name in environment):
        return True
    return any(map(os.path.isfile, usual_places(environment)))
