"""By what name a history is kept, where the names of tools and upstreams may be anything."""

import json
from hashlib import sha256


def history_name(tool_name: str, upstream_name: str) -> str:
    """Return 64 hexadecimal digits that stand for a tool of an upstream."""
    return sha256(json.dumps([upstream_name, tool_name]).encode()).hexdigest()
