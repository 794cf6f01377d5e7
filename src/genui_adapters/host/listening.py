"""``subscriptions/listen`` of the stateless generation: one request whose answer is a stream (2026-07-28)."""

from collections.abc import Awaitable, Callable, Collection

import anyio
from attrs import define, field

from genui_adapters.host.listeners import Listener, Mailbox
from genui_adapters.io.nursery import nursery
from genui_core.domain.mcp.jsonrpc import METHOD_NOT_FOUND, RequestId
from genui_core.domain.mcp.subscriptions import (
    ACKNOWLEDGED,
    CHANGES,
    Wanted,
    is_subscribed,
    subscribed,
    together,
    wanted_by,
    wanted_uris,
)
from genui_core.domain.views.view_news import view_news
from genui_core.errors import UpstreamFailed
from genui_core.ports.tool_source import HostChannel, Params, Result


@define(eq=False)
class ListenStream(HostChannel, Listener):
    """The stream of one such request.

    What the server says on the stream that it has for us goes through `tell`; what comes from
    elsewhere through `put` and `views_changed`. Nothing comes before the acknowledgement.

    Attributes:
        line: The connection to the host.
        subscription_id: The id of the request, which each message carries.
        wanted: The notifications that the host asked for.
        ours: Those that come from elsewhere than the server's own stream.
    """

    line: HostChannel
    subscription_id: RequestId
    wanted: Wanted
    ours: Wanted
    _mailbox: Mailbox = field(init=False)
    _acknowledged: anyio.Event = field(init=False, factory=anyio.Event)

    def __attrs_post_init__(self) -> None:
        """Keep what comes before the acknowledgement."""
        self._mailbox = Mailbox(self.line)

    def put(self, method: str, params: Params) -> None:
        """Take a notification that may be wanted."""
        if is_subscribed(self.ours, method, params):
            self._mailbox.put(method, subscribed(params, self.subscription_id))

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Tell of the lists, and of each address that is wanted."""
        for method, params in view_news(tool_names, wanted_uris(self.ours)):
            self.put(method, params)

    async def ask(self, method: str, params: Params) -> Result:
        """Refuse: requests to the host are not allowed on this stream."""
        return await self.line.ask(method, params)

    async def tell(self, method: str, params: Params) -> None:
        """Pass on what the server says on its own stream, under the id that the host knows."""
        if method == ACKNOWLEDGED:
            await self._acknowledge(params)
        elif method in CHANGES:
            await self.line.tell(method, subscribed(params, self.subscription_id))
        else:
            await self.line.tell(method, params)

    async def serve(self, server: Callable[[], Awaitable[Result]] | None = None) -> Result:
        """Keep the stream up until the server ends its own, or the host leaves.

        Args:
            server: Has the server itself serve such a stream, where it is asked to.

        Returns:
            The result that ends the stream.

        Raises:
            UpstreamFailed: The server refuses the stream, or ends it with an error.
        """
        async with nursery() as tasks:
            tasks.start_soon(self._tell_ours)
            result = None if server is None else await self._served(server)
            if result is None:
                await self._acknowledge({})
                await anyio.sleep_forever()
        return subscribed(result or {}, self.subscription_id)

    async def _served(self, server: Callable[[], Awaitable[Result]]) -> Result | None:
        """Have the server serve its stream; None where it does not know how."""
        try:
            return await server()
        except UpstreamFailed as failed:
            if failed.error.get("code") != METHOD_NOT_FOUND or self._acknowledged.is_set():
                raise
            return None

    async def _tell_ours(self) -> None:
        await self._acknowledged.wait()
        await self._mailbox.run()

    async def _acknowledge(self, params: Params) -> None:
        promised = together(self.wanted, wanted_by(params), self.ours)
        said = subscribed({**params, "notifications": promised}, self.subscription_id)
        await self.line.tell(ACKNOWLEDGED, said)
        self._acknowledged.set()
