"""What a scripted upstream does: it sends messages, or it dies; and what it remembers."""

from collections.abc import Mapping

from attrs import define, field, frozen

Message = Mapping[str, object]

NEWS: tuple[tuple[str, Message], ...] = (
    ("notifications/tools/list_changed", {}),
    ("notifications/resources/updated", {"uri": "x://y", "vendor": 1.0}),
)
"""What the tool ``news`` says, in this order."""


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


@define
class Memory:
    """What a scripted upstream remembers.

    Attributes:
        requests: The requests that it got, each with its ``method`` and its ``params``.
        notifications: The notifications that it got, in the same form.
        cancelled: The names of the tools whose calls were cancelled.
        names: Which tool a request calls.
        askers: Which call a question of its own belongs to.
        meeting: The calls that wait for each other.
        listeners: The requests on whose streams news go; None is the stream of the connection.
    """

    requests: list[Message] = field(factory=list)
    notifications: list[Message] = field(factory=list)
    cancelled: list[object] = field(factory=list)
    names: dict[object, object] = field(factory=dict)
    askers: dict[object, object] = field(factory=dict)
    meeting: list[object] = field(factory=list)
    listeners: list[object] = field(factory=list)
