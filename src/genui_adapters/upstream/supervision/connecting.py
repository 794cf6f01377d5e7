"""From nothing to a connection that has agreed on everything."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from attrs import field, frozen

from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.link import LinkOpener
from genui_adapters.upstream.options import ConnectionOptions
from genui_adapters.upstream.session.connection import Connection
from genui_adapters.upstream.session.negotiation import Experience, agree
from genui_adapters.upstream.session.notices import Notices
from genui_adapters.upstream.session.subscriptions import Subscriptions
from genui_adapters.upstream.supervision.agreed import AgreedConnection, StatelessConnection
from genui_core.errors import UpstreamDied, UpstreamFailed, UpstreamUnreachable
from genui_core.ports.event_log import EventLog
from genui_core.ports.tool_source import HostChannel, HostFacts, Notice, UpstreamFacts


@frozen
class Connector:
    """Makes connections of one host to one upstream, one after the other.

    Attributes:
        open_link: Makes what they stand on.
        host: Who the upstream is told it serves.
        notice: Takes what belongs to no request.
        owner: The host that is asked what belongs to no request.
        options: How a connection is made.
        event_log: Where oddities go.
        experience: What earlier connections taught.
    """

    open_link: LinkOpener
    host: HostFacts
    notice: Notice
    owner: HostChannel | None
    options: ConnectionOptions
    event_log: EventLog
    experience: Experience = field(factory=Experience)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[AgreedConnection]:
        """Make a connection; leaving closes it.

        Entering raises:
            UpstreamUnreachable: The upstream is not there, refused, or took too long.
            UpstreamForbidden: The upstream refused the credentials.
        """
        async with nursery() as tasks:
            notices = Notices(self.notice, self.event_log)
            connection = Connection.begun(self.host, tasks, notices, self.owner, self.event_log)
            async with self.open_link(connection.inbox) as link:
                connection.stand_on(link)
                tasks.start_soon(notices.run)
                agreed = self._agreed(connection, await self._facts(connection))
                agreed.begin()
                try:
                    yield agreed
                finally:  # fail all pending requests
                    connection.inbox.ended(UpstreamUnreachable("the connection was closed"))

    async def _facts(self, connection: Connection) -> UpstreamFacts:
        limit_ms = self.options.start_timeout_ms
        try:
            with anyio.fail_after(limit_ms / 1000):
                return await agree(connection, self.options.protocol, self.experience)
        except TimeoutError:
            raise UpstreamUnreachable(f"it was not ready within {limit_ms} ms") from None
        except UpstreamFailed as refused:
            raise UpstreamUnreachable(f"it refused: {refused.error.get('message')}") from refused
        except UpstreamDied as died:
            raise connection.loss or died from None

    def _agreed(self, connection: Connection, facts: UpstreamFacts) -> AgreedConnection:
        if not facts.stateless:
            return AgreedConnection(connection, facts)
        subscriptions = Subscriptions(connection, self.options.backoff)
        return StatelessConnection(connection, facts, subscriptions=subscriptions)
