"""Values on their way to a host through the SDK: what can be sent, and how errors are said."""

from collections.abc import Mapping

from mcp import MCPError
from mcp_types import ErrorData
from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from genui_core.errors import GenUiError

_INTERNAL_ERROR = -32603
_NOT_NUMBERS = (b"NaN", b"Infinity")


def unsendable(value: object) -> str | None:
    """Return why a value cannot be sent as JSON, or None where it can.

    A lone surrogate, an infinite number or too many levels would end the session that it is
    sent in, or arrive as something else.
    """
    try:
        text = to_json(value, inf_nan_mode="constants")
    except (ValueError, RecursionError) as error:
        return str(error)
    if any(each in text for each in _NOT_NUMBERS) and _holds_no_number(value):
        return "a number is infinite or none at all"
    return None


def _holds_no_number(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_no_number, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_holds_no_number, value))
    return isinstance(value, float) and not float("-inf") < value < float("inf")


def plain(value: object) -> Mapping[str, object]:
    """Return what a handler or the SDK gave as a plain mapping, in wire names."""
    if isinstance(value, BaseModel):
        dumped: Mapping[str, object] = value.model_dump(mode="json", by_alias=True, exclude_none=True)
        return dumped
    return value if isinstance(value, Mapping) else {}


def error_object(error: MCPError) -> dict[str, object]:
    """Return the JSON-RPC error object that an error of the SDK's stands for."""
    return error.error.model_dump(mode="json", exclude_unset=True)


def sdk_error(error: GenUiError, told: Mapping[str, object]) -> MCPError:
    """Return what the SDK makes the host's error of; an error that came through the SDK stays as it is.

    Args:
        error: What went wrong.
        told: The JSON-RPC error of the host.
    """
    return error.__cause__ if isinstance(error.__cause__, MCPError) else _raised(told)


def _raised(error: Mapping[str, object]) -> MCPError:
    try:
        data = ErrorData.model_validate(error)
    except ValidationError:
        data = ErrorData(code=_INTERNAL_ERROR, message=str(error.get("message")), data=error.get("data"))
    if unsendable(data.data) is not None or unsendable(data.message) is not None:
        data = ErrorData(code=data.code, message=ascii(data.message))
    raised = MCPError(data.code, data.message, data.data)
    raised.error = data
    return raised
