"""JSON-RPC messages as plain values: out of bytes, and made."""

from collections.abc import Mapping

from genui_core.domain.mcp.json_text import parse

Message = Mapping[str, object]


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
