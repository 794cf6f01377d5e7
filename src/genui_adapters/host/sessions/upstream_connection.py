"""The connections to the upstream, and the state that hosts share on each."""

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Protocol

import anyio
from anyio.abc import TaskGroup
from attrs import define, field

from genui_adapters.host.channels import router_in_event_loop
from genui_adapters.host.listeners import Listeners
from genui_adapters.io.nursery import nursery
from genui_core.application.requests.request_router import RequestRouter
from genui_core.application.tool_views import ToolViews
from genui_core.domain.logging.redaction import logged_error
from genui_core.domain.mcp.envelope import is_wanted
from genui_core.domain.mcp.jsonrpc import Params, Result, json_text
from genui_core.domain.mcp.methods import KNOWN_LISTS, SET_LOG_LEVEL, SUBSCRIBE, TOOLS_CHANGED, UNSUBSCRIBE
from genui_core.errors import GenUiError, UpstreamFailed, UpstreamUnreachable
from genui_core.ports.event_log import Level
from genui_core.ports.tool_source import HostChannel, HostFacts, ToolSource, ToolSourceOpener, UpstreamFacts


class IdleSession(Protocol):
    """A session whose host may vanish without ending it.

    Attributes:
        idle_until: When it ends if it stays idle; None while it is in use.
        expire: Ends it now.
    """

    idle_until: float | None
    expire: Callable[[], None]


IDLE_S = 300.0
"""How long a shared connection stays open without users."""


class KnownAnswers:
    """The upstream's last facts and lists, which answer hosts while the upstream is down."""

    def __init__(self) -> None:
        self.facts: UpstreamFacts | None = None
        self._lists: dict[tuple[str, str], Result | UpstreamFailed] = {}

    def learn(self, method: str, params: Params, result: Result | UpstreamFailed) -> None:
        """Store a page of a list, or the error instead of it; a first page replaces the stored list."""
        if method not in KNOWN_LISTS:
            return
        if not params.get("cursor"):
            self._lists = {key: each for key, each in self._lists.items() if key[0] != method}
        self._lists[method, str(params.get("cursor", ""))] = result

    def find(self, method: str, params: Params) -> Result | UpstreamFailed | None:
        """Return the stored page of a list, or None."""
        return self._lists.get((method, str(params.get("cursor", ""))))


@define(eq=False, repr=False)
class UpstreamConnection:
    """One connection to the upstream.

    Attributes:
        is_shared: Whether it outlives its last user for a while.
        sessions: The users that are sessions.
        source_now: The open tool source, or None while it is being opened.
    """

    key: str
    router: RequestRouter
    is_shared: bool
    known: KnownAnswers = field(factory=KnownAnswers)
    listeners: Listeners = field(factory=Listeners)
    users: int = 0
    sessions: list[IdleSession] = field(factory=list)
    source_now: ToolSource | None = None
    _holders: dict[str, int] = field(factory=dict)
    _tasks: TaskGroup = field(init=False)
    _failure: GenUiError | None = None
    _ready: anyio.Event = field(factory=anyio.Event)
    _changed: anyio.Event = field(factory=anyio.Event)
    _used_until_s: float = 0.0
    _log_level: object = None

    # --- asking -------------------------------------------------------------------------

    @property
    def is_lost(self) -> bool:
        """Whether the connection could not be opened, or is down."""
        return self._ready.is_set() and (self.source_now is None or not self.source_now.is_connected)

    @property
    def idle_until(self) -> float | None:
        """When the last idle session ends; None if a session is in use, or a user is no session."""
        known = [each.idle_until for each in self.sessions if each.idle_until is not None]
        return max(known, default=None) if len(known) == len(self.sessions) == self.users else None

    async def source(self) -> ToolSource:
        """Return the open tool source, or raise the `GenUiError` that says why there is none."""
        if not self._ready.is_set():
            await self._ready.wait()
        if self.source_now is None:
            raise self._failure or UpstreamUnreachable("its connection was closed")
        return self.source_now

    async def facts(self) -> UpstreamFacts:
        """Return the upstream's facts; wait for the first connection.

        Raises the `GenUiError` that says why there is no connection.
        """
        source = await self.source()
        facts = self.known.facts
        if facts is None or source.is_connected:
            facts = self.known.facts = await source.facts()
        self.router.introduce(facts.info or None)
        return facts

    async def set_log_level(self, level: object) -> Result:
        """Set the upstream's log level to this one, unless another host needs more; it may refuse."""
        wanted = self._log_level if self.is_shared and self.logs_at(level) else level
        result = await self._request(SET_LOG_LEVEL, {"level": wanted})
        self._log_level = wanted
        return result

    def logs_at(self, level: object) -> bool:
        """Return whether the upstream is known to log this level and all above it."""
        return is_wanted(level, self._log_level)

    # --- subscriptions ------------------------------------------------------------------

    async def hold(self, uri: str) -> Result:
        """Subscribe one more host to a resource; return the answer to its request.

        Raises GenUiError if the upstream refuses, or cannot be asked.
        """
        first = not self._holders.get(uri)
        result = await self._request(SUBSCRIBE, {"uri": uri}) if first else {}
        self._holders[uri] = self._holders.get(uri, 0) + 1
        return result

    async def release(self, uri: str) -> Result:
        """Undo one `hold`; the last one ends the subscription.

        Raises GenUiError if the upstream refuses, or cannot be asked.
        """
        holders = self._holders.pop(uri, 0)
        if holders > 1:
            self._holders[uri] = holders - 1
            return {}
        return await self._request(UNSUBSCRIBE, {"uri": uri})

    def release_all(self, uris: Collection[str]) -> None:
        """Release the resources of a host that has left or stopped listening."""
        if uris:
            self._tasks.start_soon(self._release, tuple(uris))

    async def _release(self, uris: Collection[str]) -> None:
        for uri in uris:
            with suppress(GenUiError):  # the host no longer needs it
                await self.release(uri)

    async def _request(self, method: str, params: Params) -> Result:
        return await (await self.source()).request(method, params)

    async def notify(self, method: str, params: Params) -> None:
        """Forward a notification of the upstream to the hosts."""
        if method == TOOLS_CHANGED:
            self.router.listings.changed()
        self.listeners.put(method, params)

    # --- beginning and ending -----------------------------------------------------------

    def set_source(self, source: ToolSource, tasks: TaskGroup) -> None:
        """Store the open source, and wake its waiters; ``tasks`` end with the connection."""
        self.source_now, self._tasks = source, tasks
        self._ready.set()

    def fail(self, error: GenUiError) -> None:
        """Store why there is no source, and wake its waiters."""
        self.source_now, self._failure = None, error
        self._ready.set()

    def use(self) -> None:
        """Add a user."""
        self.users += 1

    def leave(self) -> None:
        """Remove a user."""
        self.users -= 1
        self._used_until_s = anyio.current_time()
        if not self.is_shared:
            self._changed.set()

    def end(self) -> None:
        """End the connection as soon as it has no users."""
        self.is_shared = False
        self._changed.set()

    async def until_unused(self) -> None:
        """Wait until the connection has no users; a shared one must have had none for a while."""
        while self.users or self.is_shared:
            idle_s = 0.0 if self.users else anyio.current_time() - self._used_until_s
            if idle_s >= IDLE_S:
                return
            self._changed = anyio.Event()
            with anyio.move_on_after(IDLE_S - idle_s if self.is_shared else None):
                await self._changed.wait()


MOST_CONNECTIONS = 64


class Connections:
    """The open upstream connections; each has its own task, which alone may end it."""

    def __init__(self, views: ToolViews, opener: ToolSourceOpener, tasks: TaskGroup) -> None:
        self._views = views
        self._opener = opener
        self._tasks = tasks
        self._open: dict[str, UpstreamConnection] = {}
        self._known: dict[str, KnownAnswers] = {}

    def __iter__(self) -> Iterator[UpstreamConnection]:
        """Return an iterator over the open connections."""
        return iter(tuple(self._open.values()))

    @property
    def all_are_lost(self) -> bool:
        """Whether there are connections and all of them are lost; False if no host needs any."""
        return bool(self._open) and all(each.is_lost for each in self._open.values())

    def acquire(
        self, host: HostFacts, key: str, owner: HostChannel | None, *, is_shared: bool
    ) -> UpstreamConnection:
        """Return the connection of a key, opened if there is none; call its ``leave`` after use.

        Raises UpstreamUnreachable if too many are in use.
        """
        connection = self._open.get(key)
        if connection is None:
            self._make_room()
            known = self._known_answers(host)
            connection = UpstreamConnection(key, router_in_event_loop(self._views, key), is_shared, known)
            self._open[key] = connection
            self._tasks.start_soon(self._keep, connection, host, owner)
        connection.use()
        return connection

    def _known_answers(self, host: HostFacts) -> KnownAnswers:
        """Return the stored answers to hosts with the same version and capabilities."""
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
        for session in tuple(unused.sessions):
            reason = f"{MOST_CONNECTIONS} connections are in use"
            self._views.event_log.record(Level.INFO, "tool_proxy", "session_ended", reason=reason)
            session.expire()
        unused.end()

    def _longest_idle(self) -> UpstreamConnection | None:
        """Return the connection whose sessions have all been idle for longest; None if all are in use."""
        idle = [(until, each) for each in self._open.values() if (until := each.idle_until) is not None]
        return min(idle, key=lambda each: each[0])[1] if idle else None

    async def _keep(self, connection: UpstreamConnection, host: HostFacts, owner: HostChannel | None) -> None:
        try:
            async with self._opener(host, connection.notify, owner) as source, nursery() as tasks:
                connection.set_source(source, tasks)
                await connection.until_unused()
                self._forget(connection)
        except Exception as error:  # noqa: BLE001 -- one connection's fault must not end the others
            self._views.event_log.record(
                Level.ERROR, "tool_proxy", "connection_failed", error=logged_error(error)
            )
            connection.fail(error if isinstance(error, GenUiError) else UpstreamUnreachable(repr(error)))
        finally:
            self._forget(connection)

    def _forget(self, connection: UpstreamConnection) -> None:
        """Remove a connection, so that the next host with its key gets another."""
        if self._open.get(connection.key) is connection:
            del self._open[connection.key]
            self._views.tools.forget_audience(connection.key)
