"""JSON-RPC 2.0 messages as the wrapper writes them itself (MCP base protocol)."""

import json
from collections.abc import Iterable, Mapping

RequestId = str | int | float

PARSE_DEPTH_ERRORS = (ValueError, RecursionError)
"""What parsing hostile or broken JSON text raises."""


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
