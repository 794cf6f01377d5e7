"""JSON-RPC 2.0 messages as the wrapper writes them itself (MCP base protocol)."""

import json
from collections.abc import Iterable, Mapping
from typing import Literal, cast

RequestId = str | int | float
MessageKind = Literal["request", "notification", "answer"]

PARSE_DEPTH_ERRORS = (ValueError, RecursionError)
"""What parsing hostile or broken JSON text raises."""


def message_kind(value: object) -> MessageKind | None:
    """Return what a parsed JSON value is as a JSON-RPC message; None if it is no such message."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return None
    has_id, method = "id" in value, value.get("method")
    if has_id and type(value["id"]) not in (str, int, float):
        is_error = value["id"] is None and method is None and "error" in value
        return "answer" if is_error else None
    if isinstance(method, str):
        is_fit = isinstance(value.get("params", {}), dict)
        return ("request" if has_id else "notification") if is_fit else None
    return "answer" if has_id and ("result" in value or "error" in value) else None


def id_of(message: Mapping[str, object]) -> RequestId:
    """Return the id of a request or an answer."""
    return cast("RequestId", message["id"])


def json_text(value: object) -> str:
    """Return compact JSON in pure ASCII, so that any string can be encoded and sent."""
    return json.dumps(value, separators=(",", ":"))


def result_line(request_id: RequestId, result: str) -> bytes:
    """Return the line of an answer, from the JSON text of its result."""
    return b"".join(result_pieces(request_id, (result.encode(),)))


def result_pieces(request_id: RequestId, result: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the line of an answer in pieces, from those of the JSON text of its result."""
    return f'{{"jsonrpc":"2.0","id":{json.dumps(request_id)},"result":'.encode(), *result, b"}\n"


def error_line(request_id: RequestId, error: Mapping[str, object]) -> bytes:
    """Return the line of an error answer."""
    return f'{{"jsonrpc":"2.0","id":{json.dumps(request_id)},"error":{json_text(error)}}}\n'.encode()


def request_line(request_id: RequestId, method: str, params: Mapping[str, object] | None) -> bytes:
    """Return the line of a request."""
    message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return json_text(message if params is None else {**message, "params": params}).encode() + b"\n"


def notification_line(method: str, params: Mapping[str, object] | None = None) -> bytes:
    """Return the line of a notification."""
    message = {"jsonrpc": "2.0", "method": method}
    return json_text(message if params is None else {**message, "params": params}).encode() + b"\n"
