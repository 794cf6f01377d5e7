"""The methods by what happens to them: routed, waiting, repeated, or served from memory."""

from typing import TypeVar

Route = TypeVar("Route")


def routes_of(
    *,
    initialize: Route,
    discover: Route,
    list_tools: Route,
    call_tool: Route,
    list_resources: Route,
    list_templates: Route,
    read: Route,
    subscribe: Route,
    unsubscribe: Route,
) -> dict[str, Route]:
    """Return the transport's handler of each of these methods; a transport cannot omit one.

    All others are mere traffic.
    """
    return {
        "initialize": initialize,
        "server/discover": discover,
        "tools/list": list_tools,
        "tools/call": call_tool,
        "resources/list": list_resources,
        "resources/templates/list": list_templates,
        "resources/read": read,
        "resources/subscribe": subscribe,
        "resources/unsubscribe": unsubscribe,
    }


KNOWN_LISTS = frozenset({"tools/list", "resources/list", "resources/templates/list", "prompts/list"})
"""The lists that hosts get as they were known last, while the upstream is down."""

REPEATABLE = KNOWN_LISTS | {"resources/read", "prompts/get"}
"""What may be sent again if the connection was lost before the answer: it changes nothing."""

MAY_WAIT = REPEATABLE | {
    "initialize",
    "server/discover",
    "ping",
    "resources/subscribe",
    "resources/unsubscribe",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
}
"""What may wait for a new upstream. Behind the stdio relay a tool call fails at once, so that its caller knows."""
