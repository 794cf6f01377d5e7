"""What a host sees of the core's errors: the one table of codes and kinds (SPEC §13)."""

from collections.abc import Mapping

from genui_core.errors import (
    GenUiError,
    InvalidArguments,
    NotValidated,
    ResourceNotFound,
    UnknownTool,
    UpstreamDied,
    UpstreamFailed,
    UpstreamForbidden,
    UpstreamTimeout,
    UpstreamUnreachable,
)

APPLICATION_ERROR = -32000
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
RESOURCE_NOT_FOUND = -32001

ERROR_TYPES: dict[type[GenUiError], str] = {
    UnknownTool: "UNKNOWN_TOOL",
    ResourceNotFound: "RESOURCE_NOT_FOUND",
    InvalidArguments: "INVALID_ARGUMENTS",
    NotValidated: "VALIDATION_FAILED",
    UpstreamDied: "UPSTREAM_DIED",
    UpstreamFailed: "UPSTREAM_UNREACHABLE",
    UpstreamForbidden: "UPSTREAM_UNREACHABLE",
    UpstreamTimeout: "UPSTREAM_TIMEOUT",
    UpstreamUnreachable: "UPSTREAM_UNREACHABLE",
}
_RETRYABLE = (UpstreamDied, UpstreamFailed, UpstreamTimeout, UpstreamUnreachable)


def rpc_error(
    error: GenUiError, *, request_id: str, tool_name: str | None = None, stateless: bool = False
) -> dict[str, object]:
    """Return the JSON-RPC error object for an error of the core.

    Args:
        error: What went wrong.
        request_id: The id under which the log has it.
        tool_name: The tool it is about, where the error does not say.
        stateless: Whether the host speaks the 2026-07-28 generation, which has a code of its
            own for a missing resource.
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
    """Return the fields of an error for programs, besides its message (SPEC §13).

    Args:
        error: What went wrong.
        request_id: The id under which the log has it.
        tool_name: The tool it is about, where the error does not say.
    """
    return {
        "toolName": error.name if isinstance(error, UnknownTool) else tool_name,
        "errorType": _error_type(error),
        "fallbackUsed": None,
        "retryable": isinstance(error, _RETRYABLE),
        "requestId": request_id,
    }


def _error_type(error: GenUiError) -> str:
    """Return the kind of an error; one that an adapter made more precise is of the kind it refines."""
    kinds = (ERROR_TYPES[each] for each in type(error).__mro__ if each in ERROR_TYPES)
    return next(kinds, "GENERATION_FAILED")


def of_request(error: Mapping[str, object], request_id: str, tool_name: str | None) -> dict[str, object]:
    """Return an error object as one request fails with it.

    Args:
        error: The error object, which several requests may fail with.
        request_id: The id under which the log has this request.
        tool_name: The tool that this request calls, if it calls one.
    """
    data = error.get("data")
    own: dict[str, object] = {"requestId": request_id}
    if tool_name is not None:
        own["toolName"] = tool_name
    return {**error, "data": {**(data if isinstance(data, Mapping) else {}), **own}}
