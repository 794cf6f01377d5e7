"""JSON-RPC 2.0 messages as the wrapper writes them, and its error codes (requirement E1)."""

from collections.abc import Iterable, Mapping
from json import JSONEncoder
from json.encoder import encode_basestring_ascii
from typing import Literal, TypeVar

from genui_core.errors import (
    GenUiError,
    HostRefused,
    InvalidArguments,
    ResourceNotFound,
    UnknownTool,
    UpstreamDied,
    UpstreamFailed,
    UpstreamTimeout,
    UpstreamUnreachable,
)

RequestId = str | int | float
Params = Mapping[str, object]
Result = Mapping[str, object]
"""The result of a request: parsed JSON, unchanged, with its keys in the same order."""
Failure = TypeVar("Failure", HostRefused, UpstreamFailed)
MessageKind = Literal["request", "notification", "answer"]

PARSE_DEPTH_ERRORS = (ValueError, RecursionError)
"""The exceptions that parsing hostile or broken JSON text raises."""


def message_kind(value: object) -> MessageKind | None:
    """Return the kind of a JSON-RPC message, or None if a parsed JSON value is no such message."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return None
    has_id, method = "id" in value, value.get("method")
    if has_id and type(value["id"]) not in (str, int, float):
        is_error = value["id"] is None and method is None and "error" in value
        return "answer" if is_error else None
    if isinstance(method, str):
        params = value.get("params")
        is_fit = isinstance(params, dict) or params in (None, [])  # as some hosts write no params
        return ("request" if has_id else "notification") if is_fit else None
    return "answer" if has_id and ("result" in value or "error" in value) else None


def refused_id(value: object) -> RequestId | None:
    """Return the id of a value that is no JSON-RPC message, if a request with that id waits for an answer."""
    request_id = value.get("id") if isinstance(value, dict) and "method" in value else None
    return request_id if type(request_id) in (str, int, float) else None


def id_of(message: Mapping[str, object]) -> RequestId:
    """Return the id of a request or an answer."""
    return message["id"]  # type: ignore[return-value]  # `message_kind` has checked it


def id_text(request_id: RequestId) -> str:
    """Return an id as JSON text in pure ASCII."""
    return encode_basestring_ascii(request_id) if isinstance(request_id, str) else repr(request_id)


json_text = JSONEncoder(separators=(",", ":")).encode
"""Returns compact JSON in pure ASCII, so that any string can be encoded and sent."""


def result_pieces(request_id: RequestId, result: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the line of an answer in pieces, from the JSON of its result in pieces."""
    return f'{{"jsonrpc":"2.0","id":{id_text(request_id)},"result":'.encode(), *result, b"}\n"


def request_message(request_id: RequestId, method: str, params: Params | None) -> dict[str, object]:
    """Return a request."""
    message: dict[str, object] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else {**message, "params": params}


def notification_message(method: str, params: Params | None = None) -> dict[str, object]:
    """Return a notification."""
    message: dict[str, object] = {"jsonrpc": "2.0", "method": method}
    return message if params is None else {**message, "params": params}


def result_message(request_id: object, result: Result) -> dict[str, object]:
    """Return the answer to a request."""
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def error_message(request_id: object, error: Mapping[str, object]) -> dict[str, object]:
    """Return the answer to a request that failed; its id is None if the request's id is unknown."""
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def outcome_of(answer: Mapping[str, object], failure: type[Failure]) -> Result | Failure:
    """Return the result in an answer, or a failure of this class with the error in it."""
    result, error = answer.get("result"), answer.get("error")
    if isinstance(result, Mapping):
        return result
    missing = {"code": INTERNAL_ERROR, "message": "The answer is no JSON-RPC answer."}
    return failure(error if isinstance(error, Mapping) else missing)


def failure_message(request_id: object, code: int, text: str) -> dict[str, object]:
    """Return the answer to a request that failed, from an error code and a text."""
    return error_message(request_id, {"code": code, "message": text})


def line_of(message: Mapping[str, object]) -> bytes:
    """Return a message as a line of ASCII."""
    return json_text(message).encode() + b"\n"


def notification_line(method: str, params: Params | None = None) -> bytes:
    """Return the line of a notification."""
    return line_of(notification_message(method, params))


_encode = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def outbound(value: object) -> bytes:
    """Return a value as compact JSON in UTF-8, on one line.

    Raises:
        InvalidArguments: The value contains a lone surrogate, an infinite number, bytes or too many
            levels, none of which JSON can carry. Forwarded, it would end a peer's connection.
    """
    try:
        return _encode(value).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArguments(f"This cannot be sent as JSON: {error}") from error


PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
APPLICATION_ERROR = -32000
RESOURCE_NOT_FOUND = -32001
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
REQUEST_CANCELLED = -32800

_BAD = PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION
_HTTP_STATUSES = {**dict.fromkeys(_BAD, 400), METHOD_NOT_FOUND: 404}


def http_status(error: Mapping[str, object] | None) -> int:
    """Return the HTTP status of a JSON answer: 200, unless the protocol defines one for its error."""
    code = error.get("code") if error is not None else None
    return _HTTP_STATUSES.get(code, 200) if isinstance(code, int) else 200


_RETRYABLE = (UpstreamDied, UpstreamFailed, UpstreamTimeout, UpstreamUnreachable)


def rpc_error(
    error: GenUiError, *, request_id: str, tool_name: str | None = None, stateless: bool = False
) -> dict[str, object]:
    """Return the JSON-RPC error object for an error of the core.

    Args:
        error: What went wrong.
        request_id: The request id of the error's log event.
        tool_name: The name of the tool, if the error does not hold it.
        stateless: Whether the host uses the stateless era (2026-07-28), in which a missing resource
            has another code.
    """
    if isinstance(error, ResourceNotFound):
        return {
            "code": INVALID_PARAMS if stateless else RESOURCE_NOT_FOUND,
            "message": str(error),
            "data": {"uri": error.uri, "toolName": error.tool_name, "requestId": request_id},
        }
    data = error_data(error, request_id, tool_name)
    return {"code": APPLICATION_ERROR, "message": str(error), "data": data}


def error_data(error: GenUiError, request_id: str, tool_name: str | None = None) -> dict[str, object]:
    """Return the fields of an error for programs, besides its message (requirement E1)."""
    return {
        "toolName": error.name if isinstance(error, UnknownTool) else tool_name,
        "errorType": error.error_type,
        "fallbackUsed": None,
        "retryable": isinstance(error, _RETRYABLE),
        "requestId": request_id,
    }
