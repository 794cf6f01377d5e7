"""Entries for those who put them into a file themselves."""

import json
from collections.abc import Sequence


def as_mcp_json(name: str, us: Sequence[str], words: Sequence[str]) -> str:
    """Return the entry as most hosts list servers."""
    entry = {"command": us[0], "args": [*us[1:], *words]}
    return f"{json.dumps({'mcpServers': {name: entry}}, indent=2)}\n"


def as_goose_yaml(name: str, us: Sequence[str], words: Sequence[str]) -> str:
    """Return the entry as goose lists extensions; texts of JSON are texts of YAML too."""
    return (
        f"extensions:\n  {json.dumps(name)}:\n    name: {json.dumps(name)}\n    type: stdio\n    enabled: true\n"
        f"    cmd: {json.dumps(us[0])}\n    args: {json.dumps([*us[1:], *words])}\n    timeout: 300\n"
    )
