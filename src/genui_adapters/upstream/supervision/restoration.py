"""Restores a host's subscriptions after a reconnect, and reports changes that it may have missed."""

from attrs import define, field

from genui_adapters.upstream.supervision.agreed import AgreedConnection
from genui_core.errors import GenUiError
from genui_core.ports.tool_source import Params

_LISTS = ("tools", "resources", "prompts")


@define(eq=False)
class Restoration:
    """Remembers what a connection was told, to tell it to the next one."""

    _log_level: Params | None = None
    _subscriptions: dict[object, Params] = field(factory=dict)

    def asked(self, method: str, params: Params | None) -> None:
        """Record a request that succeeded."""
        given = params or {}
        if method == "logging/setLevel":
            self._log_level = given
        elif method == "resources/subscribe":
            self._subscriptions[str(given.get("uri"))] = given
        elif method == "resources/unsubscribe":
            self._subscriptions.pop(str(given.get("uri")), None)

    async def restore(self, agreed: AgreedConnection) -> None:
        """Tell a new connection what the one before was told, and the host that anything may have changed."""
        told = [("resources/subscribe", each) for each in self._subscriptions.values()]
        if self._log_level is not None:
            told.append(("logging/setLevel", self._log_level))
        for method, params in told:
            try:
                await agreed.request(method, params)
            except GenUiError:
                continue  # it knew this before; what it cannot do now, the host will notice
        for each in _LISTS:
            if each in agreed.facts.capabilities:
                agreed.connection.notices.put(f"notifications/{each}/list_changed", {})
