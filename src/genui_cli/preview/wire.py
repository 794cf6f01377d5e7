"""JSON-RPC messages as one line of bytes each, and back."""

import json
from typing import Any, NotRequired, TypedDict, TypeGuard

from starlette.responses import Response


class PreviewError(Exception):
    """Any failure of the preview's connection to its server."""


class RequestFailed(PreviewError):
    """The server answered a request with an error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def as_wire(self) -> dict[str, object]:
        """Return the error object as JSON-RPC writes it."""
        error: dict[str, object] = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


class ServerEnded(PreviewError):
    """The server process has ended, could not be started, or has closed its output."""


METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
APPLICATION_ERROR = -32000


class ErrorObject(TypedDict):
    """What a response carries where there is no result (JSON-RPC 2.0, section 5.1)."""

    code: int
    message: str
    data: NotRequired[object]


def encode(message: dict[str, object]) -> bytes:
    """Return `message` as one line of UTF-8 JSON with its line end.

    Raises RequestFailed if the message holds what JSON cannot carry: a lone surrogate, NaN, infinity.
    """
    try:
        text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode() + b"\n"
    except ValueError as cannot:
        raise RequestFailed(INVALID_PARAMS, f"This cannot be sent as JSON: {cannot}") from cannot


def decode(line: bytes) -> dict[str, object] | None:
    """Return the JSON object on `line`, or None when the line is anything else."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def request(number: int, method: str, params: dict[str, object]) -> dict[str, object]:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def notification(method: str, params: dict[str, object] | None = None) -> dict[str, object]:
    """Return a notification; without `params` it carries none."""
    message: dict[str, object] = {"jsonrpc": "2.0", "method": method}
    return message if params is None else {**message, "params": params}


def outcome(message: dict[str, object]) -> dict[str, object]:
    """Return the result that a response carries, or raise `RequestFailed`."""
    result = message.get("result")
    if isinstance(result, dict):
        return result
    error = message.get("error")
    if not is_error(error):
        raise RequestFailed(APPLICATION_ERROR, "The server answered with neither a result nor an error.")
    raise RequestFailed(error["code"], error["message"], error.get("data"))


def is_error(error: object) -> TypeGuard[ErrorObject]:
    """Tell whether `error` is a JSON-RPC error object."""
    return (
        isinstance(error, dict)
        and isinstance(error.get("code"), int)
        and isinstance(error.get("message"), str)
    )


def json_response(value: object) -> Response:
    """Return an answer to the page.

    It is ASCII: a lone surrogate in a result must reach the page as its escape, not break the answer.
    """
    return Response(json.dumps(value), media_type="application/json")
