"""Progress tokens on their way through: hosts that share a connection use the same ones, so each is exchanged."""

from genui_core.domain.mcp.envelope import request_meta
from genui_core.ports.tool_source import Params

_KEY = "progressToken"
_MAX_DIGITS = 15


def token_of(params: Params | None) -> object:
    """Return the token the host gave with a request, or None."""
    return request_meta(params).get(_KEY)


def with_token(params: Params | None, token: int) -> Params | None:
    """Return the params with the wrapper's token in place of the original, or unchanged without one."""
    meta = request_meta(params)
    if params is None or _KEY not in meta:
        return params
    return {**params, "_meta": {**meta, _KEY: token}}


def own_id(value: object) -> int:
    """Return the wrapper's request id, or 0 if it is none; some servers write ``"7"`` for ``7``."""
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdecimal() and len(value) <= _MAX_DIGITS else 0
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def progressed_request(params: Params) -> int:
    """Return the id of the request that a progress notification belongs to, 0 for none."""
    return own_id(params.get(_KEY))


def for_host(params: Params, token: object) -> Params:
    """Return a progress notification's params with the host's own token."""
    return {**params, _KEY: token}
