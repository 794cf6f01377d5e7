"""The ``_meta`` of params: what of it is between us and the upstream, and no host's business, or the reverse."""

from collections.abc import Collection

from genui_core.domain.mcp.envelope import request_meta
from genui_core.ports.tool_source import Params

CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"


def without_meta(params: Params, keys: Collection[str]) -> Params:
    """Return the params without these keys of their ``_meta``, and without one that is empty then.

    Params that have none of them are returned as they are.
    """
    meta = request_meta(params)
    if not any(key in meta for key in keys):
        return params
    kept = {key: value for key, value in meta.items() if key not in keys}
    rest = {key: value for key, value in params.items() if key != "_meta"}
    return {**rest, "_meta": kept} if kept else rest
