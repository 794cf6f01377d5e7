"""The methods that may wait, be repeated or be served from memory, and subscriptions to changes."""

from collections.abc import Collection, Mapping

from attrs import field, frozen

from genui_core.domain.mcp.envelope import request_meta
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import RequestId

KNOWN_LISTS = frozenset({"tools/list", "resources/list", "resources/templates/list", "prompts/list"})
"""The lists that hosts get in their last known version while the upstream is down."""

REPEATABLE = KNOWN_LISTS | {"resources/read", "prompts/get"}
"""The methods that change nothing, so the wrapper may repeat them if a connection is lost."""

MAY_WAIT = REPEATABLE | {
    "initialize", "server/discover", "ping", "resources/subscribe", "resources/unsubscribe",
    "completion/complete", "logging/setLevel", "subscriptions/listen",
}  # fmt: skip
"""The methods that may wait for a new upstream. Over stdio, a tool call fails at once instead."""


SET_LOG_LEVEL, SUBSCRIBE, UNSUBSCRIBE = "logging/setLevel", "resources/subscribe", "resources/unsubscribe"
_MOST_SUBSCRIPTIONS = 1000
_LEVEL = ""


@frozen(eq=False, repr=False)
class UpstreamState:
    """The state that hosts set at an upstream: the log level, and the newest thousand subscriptions."""

    _requests: dict[str, tuple[str, Mapping[str, object]]] = field(init=False, factory=dict)

    def note(self, method: str, params: Mapping[str, object]) -> None:
        """Record a request that sets the log level, subscribes or unsubscribes; ignore all others."""
        uri = params.get("uri")
        if method == SET_LOG_LEVEL:
            self._requests[_LEVEL] = method, params
        elif method == SUBSCRIBE and isinstance(uri, str):
            self._requests[uri] = method, params
            if len(self._requests) > _MOST_SUBSCRIPTIONS:
                del self._requests[next(each for each in self._requests if each != _LEVEL)]
        elif method == UNSUBSCRIBE and isinstance(uri, str):
            self._requests.pop(uri, None)

    def requests(self) -> list[tuple[str, Mapping[str, object]]]:
        """Return the requests that restore this state at the next upstream."""
        return list(self._requests.values())


LISTEN = "subscriptions/listen"
CANCELLED = "notifications/cancelled"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"

TOOLS_CHANGED = "notifications/tools/list_changed"
PROMPTS_CHANGED = "notifications/prompts/list_changed"
RESOURCES_CHANGED = "notifications/resources/list_changed"
RESOURCE_UPDATED = "notifications/resources/updated"
CHANGES = (TOOLS_CHANGED, PROMPTS_CHANGED, RESOURCES_CHANGED, RESOURCE_UPDATED)
"""The notifications about changes, which a stateless host gets only if it subscribes to them."""

SUBSCRIPTION_ID_KEY = "io.modelcontextprotocol/subscriptionId"
_URIS = "resourceSubscriptions"
_FIELDS = {
    TOOLS_CHANGED: "toolsListChanged",
    PROMPTS_CHANGED: "promptsListChanged",
    RESOURCES_CHANGED: "resourcesListChanged",
}

Wanted = Mapping[str, object]
"""The content of a subscription: the ``notifications`` of a request or of its acknowledgement."""


def wanted_by(params: Mapping[str, object]) -> Wanted:
    """Return the ``notifications`` that a request asks for, or an acknowledgement promises."""
    return as_object(params.get("notifications"))


def wanted_uris(wanted: Wanted) -> list[str]:
    """Return the addresses of the resources whose updates a subscription asks for."""
    uris = wanted.get(_URIS)
    return [each for each in uris if isinstance(each, str)] if isinstance(uris, list) else []


def with_uris(wanted: Wanted, uris: Collection[str]) -> dict[str, object]:
    """Return a subscription with updates of these resources and no others."""
    rest = {key: value for key, value in wanted.items() if key != _URIS}
    return {**rest, _URIS: list(uris)} if uris else rest


def granted(wanted: Wanted, *, kinds: Collection[str], uris: Collection[str]) -> dict[str, object]:
    """Return the part of a subscription that covers these kinds of lists and these resources."""
    lists = {_FIELDS[kind]: True for kind in _FIELDS if kind in kinds and wanted.get(_FIELDS[kind]) is True}
    return with_uris(lists, [each for each in wanted_uris(wanted) if each in uris])


def _union(wanted: Wanted, *promises: Wanted) -> dict[str, object]:
    """Return the union of several promises, with the addresses in the order of the subscription."""
    promised = dict.fromkeys(uri for each in promises for uri in wanted_uris(each))
    merged = {key: value for each in promises for key, value in each.items()}
    in_order = [uri for uri in wanted_uris(wanted) if uri in promised]
    return with_uris(merged, dict.fromkeys([*in_order, *promised]))


@frozen
class Subscription:
    """One ``subscriptions/listen``, whose stream has the upstream's notifications and the wrapper's.

    Attributes:
        id: The id of the request, which every message of the stream contains.
        ours: The part of the subscription for which the wrapper sends notifications.
    """

    id: RequestId
    wanted: Wanted
    ours: Wanted

    def acknowledged(self, params: Mapping[str, object]) -> dict[str, object]:
        """Return the acknowledgement's params: the upstream's promises together with the wrapper's."""
        return self.marked({**params, "notifications": _union(self.wanted, wanted_by(params), self.ours)})

    def covers(self, method: str, params: Mapping[str, object]) -> bool:
        """Whether the stream must have a notification that does not come on the upstream's stream."""
        if method == RESOURCE_UPDATED:
            return params.get("uri") in wanted_uris(self.ours)
        return method in _FIELDS and self.ours.get(_FIELDS[method]) is True

    def marked(self, params: Mapping[str, object]) -> dict[str, object]:
        """Return the params of a message with the id of the subscription in ``_meta``."""
        return {**params, "_meta": {**request_meta(params), SUBSCRIPTION_ID_KEY: self.id}}
