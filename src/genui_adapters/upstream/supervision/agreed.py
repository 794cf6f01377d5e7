"""A connection that has agreed on a generation, asked in the same way in both."""

from attrs import define, field

from genui_adapters.upstream.session.connection import Connection, Subscriptions
from genui_core.errors import UpstreamFailed
from genui_core.ports.tool_source import HostChannel, Params, Result, UpstreamFacts

_HEADER_MISMATCH = -32020
_MAX_PAGES = 100


@define(eq=False)
class AgreedConnection:
    """A connection of the generations with a handshake, whose requests need nothing more.

    Attributes:
        connection: What requests go over.
        facts: What the upstream said of itself.
    """

    connection: Connection
    facts: UpstreamFacts

    def begin(self) -> None:
        """Hear from now on what the upstream says unasked."""
        self.connection.listen()

    async def request(
        self,
        method: str,
        params: Params | None,
        channel: HostChannel | None = None,
        timeout_ms: float | None = None,
    ) -> Result:
        """Return what the upstream answers; raises as `Connection.request`."""
        return await self.connection.request(method, params, channel, timeout_ms=timeout_ms)


@define(eq=False)
class StatelessConnection(AgreedConnection):
    """A connection of the stateless generation: news are asked for, and headers repeat arguments."""

    _subscriptions: Subscriptions = field(kw_only=True)

    def begin(self) -> None:
        """Hear from now on of every list that changes."""
        self._subscriptions.follow_lists(self.facts)

    async def request(
        self,
        method: str,
        params: Params | None,
        channel: HostChannel | None = None,
        timeout_ms: float | None = None,
    ) -> Result:
        """Return what the upstream answers; subscribing, which this generation does otherwise, included."""
        uri = (params or {}).get("uri")
        if method == "resources/subscribe" and isinstance(uri, str):
            self._subscriptions.subscribe(uri)
            return {}
        if method == "resources/unsubscribe" and isinstance(uri, str):
            self._subscriptions.unsubscribe(uri)
            return {}
        try:
            result = await super().request(method, params, channel, timeout_ms)
        except UpstreamFailed as failed:
            if method != "tools/call" or failed.error.get("code") != _HEADER_MISMATCH:
                raise
            # It was turned away for want of headers, before anything was done: the listing says which.
            await self._learn_headers()
            return await super().request(method, params, channel, timeout_ms)
        if method == "tools/list":
            self.connection.stamp.mirrored.learn(result)
        return result

    async def _learn_headers(self) -> None:
        cursor: object = None
        for _ in range(_MAX_PAGES):
            page = await self.connection.request("tools/list", {"cursor": cursor} if cursor else {})
            self.connection.stamp.mirrored.learn(page)
            cursor = page.get("nextCursor")
            if not cursor:
                return
