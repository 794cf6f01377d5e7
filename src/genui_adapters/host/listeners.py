"""The hosts that are told what changes, each at its own pace."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Protocol

import anyio
from attrs import define, field

from genui_core.domain.logging.log_levels import LOG_MESSAGE, is_wanted
from genui_core.domain.mcp.jsonrpc import json_text
from genui_core.domain.mcp.subscriptions import CHANGES, RESOURCE_UPDATED
from genui_core.domain.views.view_news import FollowedAddresses, view_news
from genui_core.ports.change_notifier import ChangeNotifier
from genui_core.ports.tool_source import HostChannel, Params

_MOST_WAITING = 256


@define(eq=False)
class Mailbox:
    """Keeps notifications for a host until it takes them; of changes that are the same, one.

    A host that does not read holds up no other host: of too many notifications, the oldest are dropped.
    """

    line: HostChannel
    _waiting: dict[object, tuple[str, Params]] = field(factory=dict)
    _arrived: anyio.Event = field(factory=anyio.Event)

    def put(self, method: str, params: Params) -> None:
        """Keep a notification."""
        key = (method, json_text(params)) if method in CHANGES else object()
        self._waiting[key] = (method, params)
        if len(self._waiting) > _MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        self._arrived.set()

    async def flush(self) -> None:
        """Tell the host what waits."""
        while self._waiting:
            method, params = self._waiting.pop(next(iter(self._waiting)))
            await self.line.tell(method, params)

    async def run(self) -> None:
        """Tell the host what arrives, until cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived = anyio.Event()
            await self.flush()


class Listener(Protocol):
    """A host that wants to be told. Its methods never wait."""

    def put(self, method: str, params: Params) -> None:
        """Take a notification of the server's."""
        ...

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Queue the notifications for changed views of these tools."""
        ...


@define(eq=False)
class SessionListener(Listener):
    """A host of the handshake generations: it is told in its session, and of the addresses that it has read.

    Attributes:
        mailbox: The queue of its notifications.
        gets_apps: Whether it is served views.
        has_own_upstream: Whether all that the upstream says is said to this host alone.
        followed: Which views it has read.
        subscribed: The upstream resources that it subscribed to.
        log_level: The log level that it asked for; None for the server's default.
    """

    mailbox: Mailbox
    gets_apps: bool
    has_own_upstream: bool = True
    followed: FollowedAddresses = field(factory=FollowedAddresses)
    subscribed: set[str] = field(factory=set)
    log_level: object = None

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


@define(eq=False)
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
