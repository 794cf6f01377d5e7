"""The methods that the wrapper edits or answers, in every transport."""

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
