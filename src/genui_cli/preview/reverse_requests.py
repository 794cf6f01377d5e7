"""Answers to what a server asks of its host."""

from genui_cli.preview.wire import METHOD_NOT_FOUND

_RESULTS: dict[str, dict[str, object]] = {"ping": {}, "roots/list": {"roots": []}}
_NOT_YET = frozenset({"sampling/createMessage", "elicitation/create"})


def answer(message: dict[str, object]) -> dict[str, object]:
    """Return the response to the request `message` of a server."""
    envelope = {"jsonrpc": "2.0", "id": message["id"]}
    method = str(message["method"])
    if method in _RESULTS:
        return {**envelope, "result": _RESULTS[method]}
    return {**envelope, "error": {"code": METHOD_NOT_FOUND, "message": _refusal(method)}}


def _refusal(method: str) -> str:
    if method in _NOT_YET:
        return f"The preview does not support {method} yet."
    return f"Method not found: {method}"
