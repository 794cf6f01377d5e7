"""JSON-RPC messages as plain values: out of bytes, and made; with progress tokens of their own.

Hosts that share a connection use the same progress tokens, so each is exchanged.
"""

from collections.abc import Mapping

from genui_core.domain.mcp.envelope import request_meta
from genui_core.domain.mcp.json_text import parse
from genui_core.ports.tool_source import Params

Message = Mapping[str, object]
_KEY = "progressToken"
_MAX_DIGITS = 15


def decoded(data: bytes) -> list[Message]:
    """Return the messages in a piece of JSON: one, or those of a batch (2025-03-26).

    Raises:
        ValueError: It is no message.
    """
    try:
        value = parse(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    messages = value if isinstance(value, list) else [value]
    if not messages or not all(map(_is_message, messages)):
        raise ValueError("not a JSON-RPC message")
    return list(messages)


def request_message(request_id: int, method: str, params: Mapping[str, object] | None) -> Message:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, **_given(params)}


def notification_message(method: str, params: Mapping[str, object] | None = None) -> Message:
    """Return a notification."""
    return {"jsonrpc": "2.0", "method": method, **_given(params)}


def result_message(request_id: object, result: Mapping[str, object]) -> Message:
    """Return the answer to a request of the other side's."""
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def error_message(request_id: object, error: Mapping[str, object]) -> Message:
    """Return the answer that a request of the other side's failed."""
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def _given(params: Mapping[str, object] | None) -> Message:
    return {} if params is None else {"params": params}


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and value.get("jsonrpc") == "2.0" and ("method" in value or "id" in value)


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
