"""What a scripted upstream remembers, and what it has to tell."""

from attrs import define, field

from genui_core.testing.upstreams.scripted_acts import Message

NEWS: tuple[tuple[str, Message], ...] = (
    ("notifications/tools/list_changed", {}),
    ("notifications/resources/updated", {"uri": "x://y", "vendor": 1.0}),
)
"""What the tool ``news`` says, in this order."""


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
