"""Keeps a connection to the upstream: gives the present one to each request, and opens the next one.

After a reconnect it restores the hosts' subscriptions, and reports changes that hosts may have missed.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import anyio
from attrs import field, frozen

from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.connection import Connection, Subscriptions
from genui_adapters.upstream.link import AskDifferently, LinkOpener, Pacing
from genui_adapters.upstream.negotiation import Experience, agree
from genui_adapters.upstream.options import ConnectionOptions
from genui_adapters.upstream.switchboard import Notices
from genui_core.application.upstream_tools import tool_pages
from genui_core.domain.logging.redaction import logged_error
from genui_core.errors import GenUiError, UpstreamDied, UpstreamFailed, UpstreamUnreachable
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import HostChannel, HostFacts, Notice, Params, Result, UpstreamFacts

_HEADER_MISMATCH = -32020


@frozen(eq=False)
class AgreedConnection:
    """A connection of the eras with a handshake, whose requests need nothing more."""

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


@frozen(eq=False)
class StatelessConnection(AgreedConnection):
    """A connection of the stateless era: news are asked for, and headers repeat arguments."""

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
        """Return what the upstream answers; subscribing, which this era does otherwise, included."""
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
        async for page in tool_pages(partial(self.connection.request, "tools/list"), {}):
            self.connection.stamp.mirrored.learn(page)


_LISTS = ("tools", "resources", "prompts")


class Lending:
    """Holds the connection that stands now, or why there is none.

    Borrowers wait for the first connection while it is being made, and with patience for the next
    one when it was lost; where none is expected soon they are told why there is none.

    Attributes:
        was_lent: Whether there was a connection before.
    """

    def __init__(self, patience_s: float) -> None:
        self.patience_s = patience_s
        self._connection: AgreedConnection | None = None
        self._trouble: GenUiError | None = None
        self._is_expected = True
        self.was_lent = False
        self._changed = anyio.Event()

    @property
    def now(self) -> AgreedConnection | None:
        """The connection, or None where there is none at this moment."""
        return self._connection

    def offer(self, connection: AgreedConnection) -> None:
        """Lend this connection from now on."""
        self.was_lent = True
        self._connection, self._trouble = connection, None
        self._wake()

    def withdraw(self, trouble: GenUiError | None = None, *, next_in_s: float | None = 0) -> None:
        """Lend no connection, for a reason; the next one is tried in ``next_in_s``, or never (None)."""
        self._connection, self._trouble = None, trouble
        self._is_expected = self.was_lent and next_in_s is not None and next_in_s < self.patience_s
        self._wake()

    async def borrow(self, *, instead_of: AgreedConnection | None = None) -> AgreedConnection:
        """Return the connection, or the next if `instead_of` was lost, or raise why there is none."""
        with anyio.move_on_after(self.patience_s if self.was_lent else None):
            while True:
                lent = self._connection
                if lent is not None and lent is not instead_of and lent.connection.loss is None:
                    return lent
                if self._trouble is not None and not self._is_expected:
                    break
                await self._changed.wait()
        # Many requests raise the same error: without this, each would lengthen its traceback.
        raise (self._trouble or UpstreamUnreachable("it is being connected to again")).with_traceback(None)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


class Restoration:
    """Remembers what a connection was told, to tell it to the next one."""

    def __init__(self) -> None:
        self._log_level: Params | None = None
        self._subscriptions: dict[object, Params] = {}

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


@frozen
class Connector:
    """Makes connections of one host to one upstream, one after the other."""

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


@frozen(eq=False)
class Supervisor:
    """Owns the connections to an upstream, one after the other.

    Attributes:
        lending: Is given every connection while it stands.
        restoration: Brings every connection but the first to where the one before was.
    """

    name: str
    lending: Lending
    restoration: Restoration
    _connector: Connector
    _event_log: EventLog
    _is_shared: bool

    async def run(self) -> None:
        """Keep a connection up until cancelled."""
        pacing = Pacing(self._connector.options.backoff, is_shared=self._is_shared)
        while True:
            pacing.begin()
            end = await self._one_connection()
            if isinstance(end, AskDifferently):
                continue
            pause_s = pacing.pause_s()
            self.lending.withdraw(end, next_in_s=pause_s)
            await anyio.sleep(pause_s)

    async def _one_connection(self) -> GenUiError:
        """Make a connection and wait for its end; return why it ended, or why there was none."""
        agreed = None
        try:
            async with self._connector.connect() as agreed:
                self._begin(agreed)
                await agreed.connection.lost()
                self.lending.withdraw()
        except AskDifferently as hint:
            return hint
        except GenUiError as error:
            return self._ended("upstream_unreachable", error)
        except Exception as error:  # noqa: BLE001 -- whatever it was, the upstream is tried again
            self._record(Level.ERROR, "fault", error=logged_error(error))
            if agreed is None:
                return self._ended("upstream_unreachable", UpstreamUnreachable("an error in mcp-gen-ui"))
        return self._ended("upstream_died", agreed.connection.loss or UpstreamUnreachable("it was lost"))

    def _begin(self, agreed: AgreedConnection) -> None:
        if self.lending.was_lent:
            agreed.connection.tasks.start_soon(self.restoration.restore, agreed)
        event = "upstream_restarted" if self.lending.was_lent else "upstream_connected"
        self._record(Level.INFO, event, version=agreed.facts.protocol_version)
        self.lending.offer(agreed)

    def _ended(self, event: str, error: GenUiError) -> GenUiError:
        self._record(Level.ERROR, event, reason=str(error))
        return error

    def _record(self, level: Level, event: str, **metadata: object) -> None:
        self._event_log.record(level, "tool_proxy", event, upstream=self.name, **metadata)
