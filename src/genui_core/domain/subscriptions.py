"""The notifications that hosts subscribe to, in the words of ``subscriptions/listen`` (2026-07-28)."""

from collections.abc import Collection, Mapping

from genui_core.domain.apps_extension import request_meta
from genui_core.domain.jsonrpc import RequestId

LISTEN = "subscriptions/listen"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"

TOOLS_CHANGED = "notifications/tools/list_changed"
PROMPTS_CHANGED = "notifications/prompts/list_changed"
RESOURCES_CHANGED = "notifications/resources/list_changed"
RESOURCE_UPDATED = "notifications/resources/updated"
CHANGES = (TOOLS_CHANGED, PROMPTS_CHANGED, RESOURCES_CHANGED, RESOURCE_UPDATED)
"""What is told only where it was asked for."""

SUBSCRIPTION_ID_KEY = "io.modelcontextprotocol/subscriptionId"
_URIS = "resourceSubscriptions"
_WISHES = {
    TOOLS_CHANGED: "toolsListChanged",
    PROMPTS_CHANGED: "promptsListChanged",
    RESOURCES_CHANGED: "resourcesListChanged",
}

Wishes = Mapping[str, object]
"""What a host wants to be told: the ``notifications`` of the request, or of its acknowledgement."""


def wishes_of(params: Mapping[str, object]) -> Wishes:
    """Return what a request wants to be told, or an acknowledgement promises."""
    wishes = params.get("notifications")
    return wishes if isinstance(wishes, Mapping) else {}


def wished_uris(wishes: Wishes) -> list[str]:
    """Return the resources whose updates are wanted."""
    uris = wishes.get(_URIS)
    return [each for each in uris if isinstance(each, str)] if isinstance(uris, list) else []


def with_uris(wishes: Wishes, uris: Collection[str]) -> dict[str, object]:
    """Return a subscription with updates of these resources and no others."""
    rest = {key: value for key, value in wishes.items() if key != _URIS}
    return {**rest, _URIS: list(uris)} if uris else rest


def granted(wishes: Wishes, *, kinds: Collection[str], uris: Collection[str]) -> dict[str, object]:
    """Return the part of a subscription that covers these kinds of lists and these resources."""
    lists = {_WISHES[kind]: True for kind in _WISHES if kind in kinds and wishes.get(_WISHES[kind]) is True}
    return with_uris(lists, [each for each in wished_uris(wishes) if each in uris])


def together(wishes: Wishes, *promises: Wishes) -> dict[str, object]:
    """Return the union of several parts, with the addresses in the order of the subscription."""
    promised = dict.fromkeys(uri for each in promises for uri in wished_uris(each))
    merged = {key: value for each in promises for key, value in each.items()}
    in_order = [uri for uri in wished_uris(wishes) if uri in promised]
    return with_uris(merged, dict.fromkeys([*in_order, *promised]))


def is_wished(wishes: Wishes, method: str, params: Mapping[str, object]) -> bool:
    """Whether a notification is among what is wanted."""
    if method == RESOURCE_UPDATED:
        return params.get("uri") in wished_uris(wishes)
    return method in _WISHES and wishes.get(_WISHES[method]) is True


def subscribed(params: Mapping[str, object], subscription_id: RequestId) -> dict[str, object]:
    """Return the params of a message that names the subscription it belongs to."""
    return {**params, "_meta": {**request_meta(params), SUBSCRIPTION_ID_KEY: subscription_id}}
