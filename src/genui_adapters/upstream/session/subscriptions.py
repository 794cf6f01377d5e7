"""News of a stateless upstream: it comes on streams that are asked for (2026-07-28, ``subscriptions/listen``)."""

from collections.abc import Mapping

import anyio
from attrs import define, field

from genui_adapters.upstream.link import Rejected
from genui_adapters.upstream.pacing import Pacing
from genui_adapters.upstream.session.connection import Connection
from genui_core.domain.settings.upstream_settings import Backoff
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.tool_source import UpstreamFacts

_FILTERS = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}


@define(eq=False)
class Subscriptions:
    """Keeps the streams open that news come on: one for all lists, one for each resource.

    The news themselves arrive at the connection like those of any upstream.
    """

    _connection: Connection
    _backoff: Backoff
    _scopes: dict[str, anyio.CancelScope] = field(factory=dict)

    def follow_lists(self, facts: UpstreamFacts) -> None:
        """Hear of every list that the upstream says may change."""
        wanted = {name: True for key, name in _FILTERS.items() if _may_change(facts.capabilities.get(key))}
        if wanted:
            self._connection.tasks.start_soon(self._follow, wanted)

    def subscribe(self, uri: str) -> None:
        """Hear of a resource."""
        if uri not in self._scopes:
            self._scopes[uri] = anyio.CancelScope()
            self._connection.tasks.start_soon(self._follow_resource, uri, self._scopes[uri])

    def unsubscribe(self, uri: str) -> None:
        """Hear of a resource no more."""
        scope = self._scopes.pop(uri, None)
        if scope is not None:
            scope.cancel()

    async def _follow_resource(self, uri: str, scope: anyio.CancelScope) -> None:
        with scope:
            await self._follow({"resourceSubscriptions": [uri]})

    async def _follow(self, wanted: Mapping[str, object]) -> None:
        """Keep a stream open until the connection is lost, or the upstream refuses it."""
        pacing = Pacing.of(self._backoff)
        while self._connection.loss is None:
            pacing.begin()
            try:
                await self._connection.request("subscriptions/listen", {"notifications": wanted})
            except (UpstreamFailed, Rejected):
                return
            except GenUiError:
                pass  # the stream broke; where the connection did too, this ends here
            await anyio.sleep(pacing.pause_s())


def _may_change(capability: object) -> bool:
    return isinstance(capability, Mapping) and capability.get("listChanged") is True
