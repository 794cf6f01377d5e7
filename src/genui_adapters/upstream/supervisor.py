"""Keeps one connection to an upstream up: makes it, notices its loss, makes it anew."""

from random import random

import anyio
from attrs import define, field

from genui_adapters.upstream.connecting import Connector
from genui_adapters.upstream.connection import Connection
from genui_adapters.upstream.link import AskDifferently, NotTaken, SessionLost
from genui_adapters.upstream.restoration import Restoration
from genui_core.errors import GenUiError, UpstreamDied, UpstreamUnreachable
from genui_core.ports.journal import Journal, Level
from genui_core.ports.tool_source import HostLine, Params, Result, ToolSource, UpstreamFacts

_REPEATABLE = frozenset(
    {
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
        "prompts/get",
    }
)
"""What may be asked again when the connection was lost before the answer: it changes nothing."""
_NOT_FOR_UPSTREAM = frozenset({"notifications/initialized", "notifications/cancelled"})
"""What is said about a connection, or a request, that the upstream does not know: we say our own."""


@define(eq=False)
class Supervisor(ToolSource):
    """A source whose connection is made by one task and borrowed by requests.

    While a lost connection is made anew for the first time, requests wait for it; once that has
    failed they fail at once, until it is there again.

    Attributes:
        name: What to call the upstream in the journal.
    """

    name: str
    _connector: Connector
    _journal: Journal
    _connection: Connection | None = None
    _trouble: GenUiError | None = None
    _changed: anyio.Event = field(factory=anyio.Event)
    _restoration: Restoration = field(factory=Restoration)
    _was_connected: bool = False

    # --- borrowing ----------------------------------------------------------------------

    async def facts(self) -> UpstreamFacts:
        """Return what the upstream said of itself, waiting for the connection while it is being made."""
        return (await self._connected()).facts

    async def request(self, method: str, params: Params | None, line: HostLine | None = None) -> Result:
        """Have the upstream answer a request; one that it never took is sent again, once."""
        result = await self._request(method, params, line)
        self._restoration.asked(method, params)
        return result

    async def _request(self, method: str, params: Params | None, line: HostLine | None) -> Result:
        connection = await self._connected()
        timeout_ms = self._connector.options.call_timeout_ms
        try:
            return await connection.request(method, params, line, timeout_ms=timeout_ms)
        except NotTaken:
            pass
        except UpstreamDied:
            if method not in _REPEATABLE:
                raise
        connection = await self._connected(instead_of=connection)
        try:
            return await connection.request(method, params, line, timeout_ms=timeout_ms)
        except NotTaken as lost:
            raise UpstreamUnreachable(lost.reason) from lost

    async def notify(self, method: str, params: Params | None) -> None:
        """Pass on a notification of the host's. Without a connection it is dropped."""
        if self._connection is not None and method not in _NOT_FOR_UPSTREAM:
            await self._connection.notify(method, params)

    async def _connected(self, instead_of: Connection | None = None) -> Connection:
        while True:
            connection = self._connection
            if connection is not None and connection is not instead_of and connection.loss is None:
                return connection
            if self._trouble is not None:
                raise self._trouble
            await self._changed.wait()

    # --- owning -------------------------------------------------------------------------

    async def run(self) -> None:
        """Keep the connection up until cancelled. Only one task may do this."""
        backoff, failures = self._connector.options.backoff, 0
        while True:
            began = anyio.current_time()
            end = await self._one_connection()
            lived_ms = (anyio.current_time() - began) * 1000
            if isinstance(end, AskDifferently):
                continue
            if isinstance(end, SessionLost) and lived_ms > backoff.initial_ms:
                continue
            failures = backoff.failures_after(failures, lived_ms)
            await anyio.sleep(backoff.delay_ms(failures, random()) / 1000)  # noqa: S311 -- jitter

    async def _one_connection(self) -> GenUiError:
        """Make a connection and wait for its end; return why it ended, or why there was none."""
        connection = None
        try:
            async with self._connector.connect() as connection:
                self._publish(connection)
                await connection.lost.wait()
                self._change(None, None)
        except AskDifferently as hint:
            return hint
        except Exception as error:  # noqa: BLE001 -- whatever it was, the upstream is tried again
            if connection is None:
                return self._failed(error)
            self._fault(error)
        loss = connection.loss or UpstreamDied()
        self._change(None, None)
        self._journal.record(Level.ERROR, "tool_proxy", "upstream_died", upstream=self.name, reason=str(loss))
        return loss

    def _publish(self, connection: Connection) -> None:
        self._change(connection, None)
        event = "upstream_connected"
        if self._was_connected:
            event = "upstream_restarted"
            connection.tasks.start_soon(self._restoration.restore, connection)
        self._was_connected = True
        self._journal.record(
            Level.INFO, "tool_proxy", event, upstream=self.name, version=connection.facts.protocol_version
        )

    def _failed(self, error: Exception) -> GenUiError:
        """Take note that no connection could be made."""
        if not isinstance(error, GenUiError):
            self._fault(error)
        trouble = error if isinstance(error, GenUiError) else UpstreamUnreachable("of a fault of ours")
        self._change(None, trouble)
        self._journal.record(
            Level.ERROR, "tool_proxy", "upstream_unreachable", upstream=self.name, reason=str(trouble)
        )
        return trouble

    def _fault(self, error: Exception) -> None:
        self._journal.record(Level.ERROR, "tool_proxy", "fault", upstream=self.name, error=repr(error))

    def _change(self, connection: Connection | None, trouble: GenUiError | None) -> None:
        self._connection, self._trouble = connection, trouble
        self._changed.set()
        self._changed = anyio.Event()
