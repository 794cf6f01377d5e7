"""The hosts that listen for changes, over both protocol eras."""

from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Protocol

import anyio
from attrs import field, frozen

from genui_adapters.io.nursery import Mailbox, nursery
from genui_core.domain.mcp.envelope import LOG_MESSAGE, is_wanted
from genui_core.domain.mcp.jsonrpc import METHOD_NOT_FOUND
from genui_core.domain.mcp.methods import (
    ACKNOWLEDGED,
    CHANGES,
    RESOURCE_UPDATED,
    Subscription,
    wanted_uris,
)
from genui_core.domain.tools.tool import FollowedAddresses, view_news
from genui_core.errors import UpstreamFailed
from genui_core.ports.change_notifier import ChangeNotifier
from genui_core.ports.tool_source import HostChannel, Params, Result

MOST_WAITING = 256
"""More notifications than these do not wait for one host."""


class Listener(Protocol):
    """A host that wants to be told. Its methods never wait."""

    def put(self, method: str, params: Params) -> None:
        """Take a notification of the server's."""

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Queue the notifications for changed views of these tools."""


class SessionListener(Listener):
    """A host of the handshake eras: it is told in its session, and of the addresses that it has read.

    Attributes:
        has_own_upstream: Whether all that the upstream says is said to this host alone.
    """

    def __init__(self, mailbox: Mailbox, *, gets_apps: bool, has_own_upstream: bool = True) -> None:
        self.mailbox = mailbox
        self.gets_apps = gets_apps
        self.has_own_upstream = has_own_upstream
        self.followed = FollowedAddresses()
        self.subscribed: set[str] = set()
        self.log_level: object = None

    def put(self, method: str, params: Params) -> None:
        """Take a notification of the server's."""
        if self.has_own_upstream or self._wants(method, params):
            self.mailbox.put(method, params)

    def _wants(self, method: str, params: Params) -> bool:
        """Whether what is said to several hosts is for this one too."""
        if method == LOG_MESSAGE:
            return self.log_level is None or is_wanted(params.get("level"), self.log_level)
        if method == RESOURCE_UPDATED:  # of the resource, or of a part of it
            return str(params.get("uri")).startswith(tuple(self.subscribed))
        return True

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Tell of the lists, and of each address that was read."""
        if self.gets_apps:
            for method, params in view_news(tool_names, self.followed):
                self.mailbox.put(method, params)


@frozen(eq=False)
class Listeners(ChangeNotifier):
    """All hosts that are told the same."""

    _all: dict[Listener, None] = field(factory=dict)

    def add(self, listener: Listener) -> None:
        """Tell a host from now on."""
        self._all[listener] = None

    def remove(self, listener: Listener) -> None:
        """Tell a host no more."""
        self._all.pop(listener, None)

    @contextmanager
    def hearing(self, listener: Listener) -> Iterator[None]:
        """Tell a host inside of the block."""
        self.add(listener)
        try:
            yield
        finally:
            self.remove(listener)

    def put(self, method: str, params: Params) -> None:
        """Tell all."""
        for listener in tuple(self._all):
            listener.put(method, params)

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Tell all whose views these are."""
        for listener in tuple(self._all):
            listener.views_changed(tool_names)


@frozen(eq=False)
class ListenStream(HostChannel, Listener):
    """The stream of one such request.

    What the server says on the stream that it has for us goes through `tell`; what comes from
    elsewhere through `put` and `views_changed`. Nothing comes before the acknowledgement.

    Attributes:
        terms: What the host is told, and which part of it comes from elsewhere than the server's own stream.
    """

    channel: HostChannel
    terms: Subscription
    _acknowledged: anyio.Event = field(init=False, factory=anyio.Event)
    _mailbox: Mailbox = field(init=False)

    @_mailbox.default
    def _(self) -> Mailbox:
        return Mailbox(self.channel.tell, MOST_WAITING)

    def put(self, method: str, params: Params) -> None:
        """Take a notification that may be wanted."""
        if self.terms.covers(method, params):
            self._mailbox.put(method, self.terms.marked(params))

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Tell of the lists, and of each address that is wanted."""
        for method, params in view_news(tool_names, wanted_uris(self.terms.ours)):
            self.put(method, params)

    async def ask(self, method: str, params: Params) -> Result:
        """Refuse: requests to the host are not allowed on this stream."""
        return await self.channel.ask(method, params)

    async def tell(self, method: str, params: Params) -> None:
        """Pass on what the server says on its own stream, under the id that the host knows."""
        if method == ACKNOWLEDGED:
            await self._acknowledge(params)
        else:
            await self.channel.tell(method, self.terms.marked(params) if method in CHANGES else params)

    async def serve(self, server: Callable[[], Awaitable[Result]] | None = None) -> Result:
        """Keep the stream up until the server ends its own or the host leaves; return its last result.

        Raises UpstreamFailed if the server refuses the stream, or ends it with an error.
        """
        async with nursery() as tasks:
            tasks.start_soon(self._tell_ours)
            result = None if server is None else await self._served(server)
            if result is None:
                await self._acknowledge({})
                await anyio.sleep_forever()
        return self.terms.marked(result or {})

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
        await self.channel.tell(ACKNOWLEDGED, self.terms.acknowledged(params))
        self._acknowledged.set()
