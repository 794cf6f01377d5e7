"""The hosts that listen for changes, over both protocol eras."""

from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Protocol

import anyio
from attrs import field, frozen

from genui_adapters.host.channels import NoHost
from genui_adapters.io.nursery import Mailbox, nursery
from genui_core.domain.mcp.envelope import LOG_MESSAGE, is_wanted
from genui_core.domain.mcp.jsonrpc import METHOD_NOT_FOUND, Params, Result
from genui_core.domain.mcp.methods import ACKNOWLEDGED, CHANGES, RESOURCE_UPDATED, Subscription, wanted_uris
from genui_core.domain.tools.tool import FollowedAddresses, view_news
from genui_core.errors import UpstreamFailed
from genui_core.ports.change_notifier import ChangeNotifier
from genui_core.ports.tool_source import HostChannel, Notice

MOST_WAITING = 256
"""How many notifications may wait for one host."""


class Listener(Protocol):
    """A host that gets notifications. Its methods never wait."""

    def put(self, method: str, params: Params) -> None:
        """Queue a notification of the server."""

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Queue the notifications for changed views of these tools."""


class SessionListener(Listener):
    """A host of the handshake eras: its session gets the news of lists, and of addresses that it has read.

    Attributes:
        has_own_upstream: Whether the upstream's notifications are for this host alone.
    """

    def __init__(self, tell: Notice, *, gets_apps: bool, has_own_upstream: bool = True) -> None:
        self.mailbox = Mailbox(tell, MOST_WAITING)
        self.gets_apps = gets_apps
        self.has_own_upstream = has_own_upstream
        self.followed = FollowedAddresses()
        self.subscribed: set[str] = set()
        self.log_level: object = None

    def put(self, method: str, params: Params) -> None:
        """Queue a notification of the server."""
        if self.has_own_upstream or self.wants(method, params):
            self.mailbox.put(method, params)

    def wants(self, method: str, params: Params) -> bool:
        """Return whether this host wants a notification that goes to several hosts."""
        if method == LOG_MESSAGE:
            return self.log_level is None or is_wanted(params.get("level"), self.log_level)
        if method == RESOURCE_UPDATED:  # of the resource, or of a part of it
            return str(params.get("uri")).startswith(tuple(self.subscribed))
        return True

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Queue the notifications for the lists, and for each address that the host has read."""
        if self.gets_apps:
            for method, params in view_news(tool_names, self.followed):
                self.mailbox.put(method, params)


@frozen(eq=False, repr=False)
class Listeners(ChangeNotifier):
    """The hosts that get the same notifications."""

    _all: dict[Listener, None] = field(factory=dict)

    def add(self, listener: Listener) -> None:
        """Start notifying a host."""
        self._all[listener] = None

    def remove(self, listener: Listener) -> None:
        """Stop notifying a host."""
        self._all.pop(listener, None)

    @contextmanager
    def notifying(self, listener: Listener) -> Iterator[None]:
        """Notify a host inside the block."""
        self.add(listener)
        try:
            yield
        finally:
            self.remove(listener)

    def put(self, method: str, params: Params) -> None:
        """Queue a notification for each host."""
        for listener in tuple(self._all):
            listener.put(method, params)

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Queue the notifications for changed views of these tools, for each host."""
        for listener in tuple(self._all):
            listener.views_changed(tool_names)


@frozen(eq=False, repr=False)
class ListenStream(NoHost, Listener):
    """The stream of one ``subscriptions/listen`` request.

    Notifications of the server's own stream for the request go through `tell`, all others through
    `put` and `views_changed`. The acknowledgement comes first.

    Attributes:
        terms: What the host is notified of, and which part does not come from the server's own stream.
    """

    channel: HostChannel
    terms: Subscription
    _acknowledged: anyio.Event = field(init=False, factory=anyio.Event)
    _mailbox: Mailbox = field(init=False)

    @_mailbox.default
    def _(self) -> Mailbox:
        return Mailbox(self.channel.tell, MOST_WAITING)

    def put(self, method: str, params: Params) -> None:
        """Queue a notification if the host wants it."""
        if self.terms.covers(method, params):
            self._mailbox.put(method, self.terms.marked(params))

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Queue the notifications for the lists, and for each address that the host wants."""
        for method, params in view_news(tool_names, wanted_uris(self.terms.ours)):
            self.put(method, params)

    async def tell(self, method: str, params: Params) -> None:
        """Forward a notification of the server's own stream, with the host's subscription id."""
        if method == ACKNOWLEDGED:
            await self._acknowledge(params)
        else:
            await self.channel.tell(method, self.terms.marked(params) if method in CHANGES else params)

    async def serve(self, server: Callable[[], Awaitable[Result]] | None = None) -> Result:
        """Keep the stream open until the server ends its own or the host leaves; return its last result.

        Raises UpstreamFailed if the server refuses the stream, or ends it with an error.
        """
        async with nursery() as tasks:
            tasks.start_soon(self._send_queued)
            result = None if server is None else await self._result_from(server)
            if result is None:
                await self._acknowledge({})
                await anyio.sleep_forever()
        return self.terms.marked(result or {})

    async def _result_from(self, server: Callable[[], Awaitable[Result]]) -> Result | None:
        """Return the last result of the server's own stream; None if it does not support such streams."""
        try:
            return await server()
        except UpstreamFailed as failed:
            if failed.error.get("code") != METHOD_NOT_FOUND or self._acknowledged.is_set():
                raise
            return None

    async def _send_queued(self) -> None:
        await self._acknowledged.wait()
        await self._mailbox.run()

    async def _acknowledge(self, params: Params) -> None:
        await self.channel.tell(ACKNOWLEDGED, self.terms.acknowledged(params))
        self._acknowledged.set()
