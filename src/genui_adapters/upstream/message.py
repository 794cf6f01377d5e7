"""JSON-RPC messages between bytes and plain values, guarded at this edge."""

from collections.abc import Mapping
from json import JSONEncoder

from genui_core.domain.json_text import parse
from genui_core.domain.jsonrpc import PARSE_DEPTH_ERRORS
from genui_core.errors import InvalidArguments

Message = Mapping[str, object]

_encode = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def encoded(message: Message) -> bytes:
    """Return a message as one line of JSON in UTF-8, without its end.

    Raises:
        InvalidArguments: It holds what JSON cannot: a lone surrogate, an infinite number, bytes,
            or more levels than can be written. Sent on, it would end somebody's connection.
    """
    try:
        return _encode(message).encode()
    except (TypeError, *PARSE_DEPTH_ERRORS) as error:
        raise InvalidArguments(f"This cannot be sent as JSON: {error}") from error


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
    if not messages or not all(isinstance(each, dict) and each.get("jsonrpc") == "2.0" for each in messages):
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
