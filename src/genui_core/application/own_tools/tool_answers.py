"""Calls of the wrapper's own tools: their arguments and their results."""

import json
from collections.abc import Mapping

from attrs import frozen

from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.jsonrpc import error_data
from genui_core.errors import GenUiError, InvalidArguments


@frozen
class Call:
    """A call of one of the wrapper's own tools.

    Attributes:
        session: What the host said of itself in it, an object that no other session has; None where there is no
            session.
    """

    views: ToolViews
    arguments: Mapping[str, object]
    request_id: str
    session: object = None


def success(structured: Mapping[str, object]) -> dict[str, object]:
    """Return a ``tools/call`` result, as text and as structured content."""
    text = json.dumps(structured, indent=2, ensure_ascii=False)
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": dict(structured),
        "isError": False,
    }


def failure(error: Exception, request_id: str, tool_name: str | None = None) -> dict[str, object]:
    """Return a ``tools/call`` result that says what went wrong, for a model that can do better."""
    known = error if isinstance(error, GenUiError) else GenUiError(f"mcp-gen-ui failed: {error!r}")
    return {
        "content": [{"type": "text", "text": str(known)}],
        "structuredContent": error_data(known, request_id, tool_name),
        "isError": True,
    }


def text_argument(arguments: Mapping[str, object], name: str, meaning: str) -> str:
    """Return an argument that must be a text with something in it, or raise `InvalidArguments`."""
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidArguments(f"{name} must be {meaning}, not {_shown(value)}.")
    return value


def choice_argument(arguments: Mapping[str, object], name: str, choices: tuple[str, ...]) -> str | None:
    """Return an argument that must be one of a few words, or None where it was left out."""
    value = arguments.get(name)
    if value is None or (isinstance(value, str) and value in choices):
        return value
    raise InvalidArguments(f"{name} must be one of {', '.join(choices)}, not {_shown(value)}.")


def switch_argument(arguments: Mapping[str, object], name: str) -> bool:
    """Return an argument that must be true or false; false where it was left out."""
    value = arguments.get(name, False)
    if isinstance(value, bool):
        return value
    raise InvalidArguments(f"{name} must be true or false, not {_shown(value)}.")


def number_argument(arguments: Mapping[str, object], name: str, meaning: str) -> int:
    """Return an argument that must be a whole number, or raise `InvalidArguments`."""
    value = arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or value % 1 != 0:
        raise InvalidArguments(f"{name} must be {meaning}, not {_shown(value)}.")
    return int(value)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:79]}…"  # noqa: PLR2004 -- a line of an error
