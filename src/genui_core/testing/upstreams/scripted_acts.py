"""What a scripted upstream does: it sends messages, or it dies."""

from collections.abc import Mapping

from attrs import frozen

Message = Mapping[str, object]


@frozen
class Say:
    """Send a message.

    Attributes:
        message: The message.
        of: The id of the request on whose stream it goes; None where it belongs to none.
    """

    message: Message
    of: object = None


@frozen
class Die:
    """Stop at once, with whatever is unanswered."""


Act = Say | Die


def answered(request_id: object, result: Message) -> Say:
    """Answer a request."""
    return Say({"jsonrpc": "2.0", "id": request_id, "result": result}, request_id)


def refused(request_id: object, error: Message) -> Say:
    """Answer a request with an error."""
    return Say({"jsonrpc": "2.0", "id": request_id, "error": error}, request_id)


def noted(method: str, params: Message, of: object = None) -> Say:
    """Send a notification."""
    return Say({"jsonrpc": "2.0", "method": method, "params": params}, of)


def structured(request_id: object, content: object) -> Say:
    """Answer a tool call with this as its structured content."""
    return answered(request_id, {"content": [], "structuredContent": content})
