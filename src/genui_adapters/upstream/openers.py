"""Opens tool sources of configured upstreams, which stay connected."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import anyio
from attrs import field, frozen

from genui_adapters.io.nursery import nursery
from genui_adapters.io.process import UpstreamCommand, UpstreamProcess
from genui_adapters.upstream.connection import Connection
from genui_adapters.upstream.link import AskDifferently, Backoff, Inbox, Link, LinkOpener, Rejected
from genui_adapters.upstream.negotiation import Experience, agree
from genui_adapters.upstream.options import ProtocolEra, RemoteUpstream
from genui_adapters.upstream.pending import Notices
from genui_adapters.upstream.supervisor import AgreedConnection, SupervisedSource
from genui_core.domain.settings.upstream_settings import PATIENCE_S, UpstreamSettings
from genui_core.errors import UpstreamDied, UpstreamFailed, UpstreamUnreachable
from genui_core.ports.event_log import EventLog
from genui_core.ports.tool_source import (
    HostChannel,
    HostFacts,
    Notice,
    ToolSource,
    ToolSourceOpener,
    UpstreamFacts,
)

_ONLY_SSE = (400, 404, 405)
"""The statuses with which servers of 2024-11-05 answer a POST to the address of their stream."""


@frozen(eq=False, repr=False)
class SupervisedOpener(ToolSourceOpener):
    """Opens sources that reconnect whenever they lose their connection.

    Attributes:
        protocol: The protocol era to negotiate.
        is_shared: Whether other clients use the upstream, which is then no process of the wrapper.
        max_wait_s: How long a request waits for a reconnect.
    """

    name: str
    open_link: LinkOpener
    settings: UpstreamSettings
    protocol: ProtocolEra
    event_log: EventLog
    is_shared: bool = False
    max_wait_s: float = PATIENCE_S
    _experience: Experience = field(factory=Experience, init=False)

    @asynccontextmanager
    async def __call__(
        self, host: HostFacts, notice: Notice, owner: HostChannel | None = None
    ) -> AsyncIterator[ToolSource]:
        """Keep a connection open until the context is left."""
        connect = partial(self._connect, host, notice, owner)
        source = SupervisedSource(
            self.name, connect, self.max_wait_s, self.settings.call_timeout_ms, self.event_log
        )
        async with nursery() as tasks:
            tasks.start_soon(source.run, Backoff(self.settings, is_shared=self.is_shared))
            try:
                yield source
            finally:
                source.withdraw(UpstreamUnreachable("the connection was closed"), next_in_s=None)

    @asynccontextmanager
    async def _connect(
        self, host: HostFacts, notice: Notice, owner: HostChannel | None
    ) -> AsyncIterator[AgreedConnection]:
        """Make a connection; leaving closes it.

        Entering raises:
            UpstreamUnreachable: The upstream is missing, refused, or took too long.
            UpstreamForbidden: The upstream refused the credentials.
        """
        async with nursery() as tasks:
            notices = Notices(notice, self.event_log)
            connection = Connection(host, tasks, notices, owner, self.event_log)
            async with self.open_link(connection) as connection.link:
                tasks.start_soon(notices.run)
                facts = await self._facts(connection)
                agreed = AgreedConnection(connection, facts, self.settings)
                agreed.begin()
                try:
                    yield agreed
                finally:  # fail all pending requests
                    connection.end(UpstreamUnreachable("the connection was closed"))

    async def _facts(self, connection: Connection) -> UpstreamFacts:
        limit_ms = self.settings.start_timeout_ms
        try:
            with anyio.fail_after(limit_ms / 1000):
                return await agree(connection, self.protocol, self._experience)
        except TimeoutError:
            raise UpstreamUnreachable(f"it was not ready within {limit_ms} ms") from None
        except UpstreamFailed as refused:
            raise UpstreamUnreachable(f"it refused: {refused.error.get('message')}") from refused
        except UpstreamDied as died:
            raise connection.loss or died from None


def tool_source_opener(
    upstream: UpstreamCommand | RemoteUpstream,
    *,
    event_log: EventLog,
    settings: UpstreamSettings | None = None,
    protocol: ProtocolEra = "auto",
    ahead: list[UpstreamProcess] | None = None,
) -> SupervisedOpener:
    """Return an opener of tool sources for an upstream, each kept connected until it is closed.

    Args:
        upstream: The command that starts it for each connection, or its URL with headers.
        event_log: Gets the events of the connections, and the log of a started upstream.
        settings: The settings of the connections; by default, the default settings.
        protocol: The protocol era to negotiate.
        ahead: The process of the first connection, if it was started already; it is taken from the list.
    """
    chosen = settings or UpstreamSettings()
    if isinstance(upstream, RemoteUpstream):
        link = _remote_link(upstream, chosen, event_log)
        return SupervisedOpener(upstream.address, link, chosen, protocol, event_log, is_shared=True)
    from genui_adapters.upstream.stdio_link import open_stdio_link  # noqa: PLC0415 -- not for remote ones

    link = partial(open_stdio_link, upstream, chosen, event_log, [] if ahead is None else ahead)
    return SupervisedOpener(upstream.name, link, chosen, protocol, event_log)


def _remote_link(upstream: RemoteUpstream, settings: UpstreamSettings, event_log: EventLog) -> LinkOpener:
    from genui_adapters.upstream.sse import open_sse_link  # noqa: PLC0415 -- not for a command
    from genui_adapters.upstream.streamable import open_streamable_link  # noqa: PLC0415

    sse: LinkOpener = partial(open_sse_link, upstream, settings, event_log)
    if upstream.transport == "sse":
        return sse
    return RemoteLinkOpener(partial(open_streamable_link, upstream, settings, event_log), sse)


class RemoteLinkOpener:
    """Opens links over Streamable HTTP, or over SSE if the server refuses as the protocol foresees."""

    def __init__(self, streamable: LinkOpener, sse: LinkOpener) -> None:
        self.streamable = streamable
        self.sse = sse
        self._refused: Rejected | None = None

    @asynccontextmanager
    async def __call__(self, inbox: Inbox) -> AsyncIterator[Link]:
        """Open a link.

        An error of the first request on the link arrives here: raises `AskDifferently` if the next
        link should be of the other kind.
        """
        before = self._refused
        try:
            async with self.streamable(inbox) if before is None else self.sse(inbox) as link:
                yield link
        except Rejected as refused:
            if before is not None:
                self._refused = None
                raise before from None
            if refused.status not in _ONLY_SSE:
                raise
            self._refused = refused
            raise AskDifferently(refused.reason) from refused
