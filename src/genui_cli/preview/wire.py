"""What the preview's server answers: a result, an error, or nothing any more."""

import json
from collections.abc import Mapping

from starlette.responses import Response

from genui_core.domain.mcp.jsonrpc import APPLICATION_ERROR


class PreviewError(Exception):
    """Any failure of the preview's connection to its server."""


class RequestFailed(PreviewError):
    """The server answered a request with an error, kept here unchanged."""

    def __init__(self, error: Mapping[str, object]) -> None:
        super().__init__(str(error.get("message")))
        self.error = error


class ServerEnded(PreviewError):
    """The server process has ended, could not be started, or has closed its output."""


def decode(text: bytes | str) -> dict[str, object] | None:
    """Return the JSON object in a text, or None when the text is anything else."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def outcome(message: Mapping[str, object]) -> dict[str, object]:
    """Return the result that a response carries (JSON-RPC 2.0, section 5), or raise `RequestFailed`."""
    result, error = message.get("result"), message.get("error")
    if isinstance(result, dict):
        return result
    text = "The server answered with neither a result nor an error."
    raise RequestFailed(error if isinstance(error, dict) else {"code": APPLICATION_ERROR, "message": text})


def json_response(value: object) -> Response:
    """Return an answer to the page.

    It is ASCII: a lone surrogate in a result must reach the page as its escape, not break the answer.
    """
    return Response(json.dumps(value), media_type="application/json")
