"""Entries for those who put them into a file themselves."""

import json
from collections.abc import Sequence


def as_mcp_json(name: str, us: Sequence[str], words: Sequence[str]) -> str:
    """Return the entry as most hosts list servers."""
    entry = {"command": us[0], "args": [*us[1:], *words]}
    return f"{json.dumps({'mcpServers': {name: entry}}, indent=2)}\n"
