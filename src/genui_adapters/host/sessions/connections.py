"""The connections to the upstream, and which hosts share one.

A host that can be asked has a connection of its own for its session, opened with its own
capabilities. Hosts that cannot, and stateless ones, share one with those who show the same.
"""

from collections.abc import Iterator
from typing import Protocol

from anyio.abc import TaskGroup
from attrs import define, field

from genui_adapters.host.sessions.upstream_connection import KnownAnswers, UpstreamConnection
from genui_adapters.io.nursery import nursery
from genui_core.application.requests.request_router import RequestRouter
from genui_core.application.requests.served_upstream import ServedUpstream
from genui_core.application.tool_views import ToolViews
from genui_core.domain.logging.redaction import logged_error
from genui_core.domain.mcp.jsonrpc import json_text
from genui_core.errors import GenUiError, UpstreamUnreachable
from genui_core.ports.event_log import Level
from genui_core.ports.tool_source import HostChannel, HostFacts, ToolSourceOpener

MOST_CONNECTIONS = 64


class IdleSessions(Protocol):
    """Says which sessions of hosts are idle, and ends them; a host may vanish without ending its own."""

    def idle_until(self, session_id: str) -> float | None:
        """Return when a session ends if it stays idle; None for one with an open request or stream."""
        ...

    def end(self, session_id: str) -> None:
        """End an idle session now."""
        ...


@define(eq=False)
class Connections:
    """Opens, shares and ends them; a task each, which alone may end it.

    Attributes:
        sessions: The sessions that may be ended to make room, where there are any.
    """

    _views: ToolViews
    _opener: ToolSourceOpener
    _tasks: TaskGroup
    _open: dict[str, UpstreamConnection] = field(factory=dict)
    _known: dict[str, KnownAnswers] = field(factory=dict)
    sessions: IdleSessions | None = None

    def __iter__(self) -> Iterator[UpstreamConnection]:
        """Go through those that are open."""
        return iter(tuple(self._open.values()))

    @property
    def all_are_lost(self) -> bool:
        """Whether there are connections and all of them are lost; False if no host needs any."""
        return bool(self._open) and all(each.is_lost for each in self._open.values())

    def acquire(
        self, host: HostFacts, key: str, owner: HostChannel | None, *, is_shared: bool
    ) -> UpstreamConnection:
        """Return the connection of that key, opened where there is none; its ``leave`` gives it back.

        Raises:
            UpstreamUnreachable: Too many are in use.
        """
        connection = self._open.get(key)
        if connection is None:
            self._make_room()
            known = self._known_to(host)
            connection = UpstreamConnection(
                key, RequestRouter(ServedUpstream(self._views, key)), is_shared, known
            )
            self._open[key] = connection
            self._tasks.start_soon(self._keep, connection, host, owner)
        connection.use()
        return connection

    def _known_to(self, host: HostFacts) -> KnownAnswers:
        """Return what the upstream last said to hosts like this one."""
        kind = json_text([host.protocol_version, host.capabilities])
        known = self._known[kind] = self._known.pop(kind, KnownAnswers())
        if len(self._known) > MOST_CONNECTIONS:
            del self._known[next(iter(self._known))]
        return known

    def _make_room(self) -> None:
        if len(self._open) < MOST_CONNECTIONS:
            return
        unused = next((each for each in self._open.values() if not each.users), None) or self._longest_idle()
        if unused is None:
            raise UpstreamUnreachable(f"{MOST_CONNECTIONS} connections are in use, as many as there may be")
        self._forget(unused)
        for session_id in tuple(unused.sessions):
            self._end_session(session_id)
        unused.end()

    def _longest_idle(self) -> UpstreamConnection | None:
        """Return the connection whose sessions have all been idle for longest; None if all are in use."""
        idle = [
            (until, each) for each in self._open.values() if (until := self._idle_until(each)) is not None
        ]
        return min(idle, key=lambda each: each[0])[1] if idle else None

    def _idle_until(self, connection: UpstreamConnection) -> float | None:
        sessions = self.sessions
        if sessions is None or len(connection.sessions) < connection.users:
            return None
        ends = [sessions.idle_until(each) for each in connection.sessions]
        known = [each for each in ends if each is not None]
        return max(known) if len(known) == len(ends) else None

    def _end_session(self, session_id: str) -> None:
        if self.sessions is not None:
            self._views.event_log.record(
                Level.INFO, "tool_proxy", "session_ended", reason=f"{MOST_CONNECTIONS} connections are in use"
            )
            self.sessions.end(session_id)

    async def _keep(self, connection: UpstreamConnection, host: HostFacts, owner: HostChannel | None) -> None:
        try:
            async with self._opener(host, connection.noticed, owner) as source, nursery() as tasks:
                connection.opened(source, tasks)
                await connection.until_unused()
                self._forget(connection)
        except Exception as error:  # noqa: BLE001 -- one connection's fault must not end the others
            self._views.event_log.record(
                Level.ERROR, "tool_proxy", "connection_failed", error=logged_error(error)
            )
            connection.failed(error if isinstance(error, GenUiError) else UpstreamUnreachable(repr(error)))
        finally:
            self._forget(connection)

    def _forget(self, connection: UpstreamConnection) -> None:
        """From now on the next who asks for this key gets another connection."""
        if self._open.get(connection.key) is connection:
            del self._open[connection.key]
            self._views.tools.forget_audience(connection.key)
