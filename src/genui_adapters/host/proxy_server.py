"""The server of the HTTP transport: built on the SDK, with every answer from an upstream.

One such server serves many hosts at once, over whatever the SDK offers: Streamable HTTP, SSE,
or our own standard streams.
"""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from functools import partial

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup
from attrs import define, field
from mcp.server import Server

from genui_adapters.host.admittance import Admittance
from genui_adapters.host.answers import answered, forward
from genui_adapters.host.callers import SAMPLE_HOST, host_facts, sharing_key
from genui_adapters.host.connections import Connections, IdleSessions
from genui_adapters.host.counted_calls import counted_call
from genui_adapters.host.errand import Errand
from genui_adapters.host.generations import Bridge
from genui_adapters.host.host_session import HostSession, begun, session_of
from genui_adapters.host.lines import NO_HOST
from genui_adapters.host.listeners import SessionListener
from genui_adapters.host.loop_worker import LoopWorker
from genui_adapters.host.middleware import Exchange, answering
from genui_adapters.host.parked_call import can_be_asked
from genui_adapters.host.parked_calls import ParkedCalls
from genui_adapters.host.upstream_connection import UpstreamConnection
from genui_adapters.io.nursery import nursery
from genui_core.application.host_request import HostRequest
from genui_core.application.wrapper import Wrapper
from genui_core.errors import GenUiError, UpstreamForbidden
from genui_core.ports.change_notifier import ChangeNotifier
from genui_core.ports.tool_source import HostLine, Result, ToolSourceOpener

_NOT_FOR_UPSTREAM = frozenset({"notifications/initialized", "notifications/cancelled"})
"""What is said about a host's own session or request, which the upstream does not know."""
_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 30.0


@asynccontextmanager
async def proxy_server(wrapper: Wrapper, opener: ToolSourceOpener) -> "AsyncIterator[ProxyServer]":
    """Run what a server needs beside its hosts; leaving ends all connections to the upstream.

    Args:
        wrapper: Gives the upstream's tools their UIs.
        opener: Makes the connections to the upstream.
    """
    async with nursery() as tasks:
        proxy = ProxyServer(wrapper, tasks, Connections(wrapper, opener, tasks))
        worker = wrapper.worker = LoopWorker(wrapper)
        wrapper.add_notifier(proxy)
        try:
            yield proxy
        finally:
            wrapper.remove_notifier(proxy)
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(worker.close)


@define(eq=False)
class ProxyServer(ChangeNotifier):
    """The server, and the hosts that it knows.

    Attributes:
        wrapper: Gives the upstream's tools their UIs.
        server: What the SDK's transports serve.
        knows_tools: Whether the upstream's tools were listed.
        admittance: Whether the upstream lets us in.
    """

    wrapper: Wrapper
    _tasks: TaskGroup
    _connections: Connections
    server: Server[object] = field(init=False)
    knows_tools: bool = False
    admittance: Admittance = field(factory=Admittance)
    _parked: ParkedCalls = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Make the server; the name and the capabilities that hosts see are the upstream's."""
        self._parked = ParkedCalls(self._tasks, self.wrapper.identity)
        self.server = Server("mcp-gen-ui", get_tool_input_schema=self._input_schema)
        self.server.middleware.append(answering(self.wrapper, self._answer))

    @property
    def unready(self) -> str | None:
        """Why hosts cannot be served well now, or None where they can."""
        if not self.knows_tools:
            return "the upstream's tools were not listed yet"
        return "the upstream is not connected" if self._connections.all_are_lost else None

    def know_sessions(self, sessions: IdleSessions) -> None:
        """Take the sessions that may be ended when too many connections to the upstream are in use."""
        self._connections.sessions = sessions

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Tell the hosts of all connections."""
        for connection in self._connections:
            connection.listeners.views_changed(tool_names)

    async def learn_tools(self) -> None:
        """List the upstream's tools, as for a host that shows apps; try again until it can be reached."""
        pause_s = _PAUSE_S
        while not self.knows_tools:
            try:
                await self._learn_tools()
            except GenUiError:
                await anyio.sleep(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    async def _learn_tools(self) -> None:
        host, key = SAMPLE_HOST, sharing_key(SAMPLE_HOST)
        upstream = self._connections.acquire(host, key, None, is_shared=True)
        try:
            errand = await self._errand(0, upstream, NO_HOST, host.protocol_version)
            request = HostRequest("tools/list", {}, host.capabilities, stateless=False)
            await upstream.router.list_tools(request, partial(forward, errand))
            self.knows_tools = True
        finally:
            upstream.leave()

    # --- one message --------------------------------------------------------------------

    async def _answer(self, exchange: Exchange) -> Result:
        session = session_of(exchange)
        if exchange.is_notification:
            return await self._notified(exchange, session)
        if exchange.request.method == "initialize" and exchange.connection.has_standalone_channel:
            session = begun(exchange, self._connections, self.wrapper.identity)
            self._tasks.start_soon(session.tell)
        try:
            with counted_call(self.wrapper.event_log, exchange.request) as called:
                if session is not None:
                    return called(await self._in_session(exchange, session))
                return called(await self._without_session(exchange))
        except GenUiError:
            raise
        except Exception as error:
            raise GenUiError(f"mcp-gen-ui failed: {error!r}") from error

    async def _notified(self, exchange: Exchange, session: HostSession | None) -> Result:
        if session is not None and exchange.request.method not in _NOT_FOR_UPSTREAM:
            source = await session.upstream.source()
            await source.notify(exchange.request.method, exchange.request.params or None)
        return await exchange.forward(exchange.request)

    async def _in_session(self, exchange: Exchange, session: HostSession) -> Result:
        errand = await self._errand(
            exchange.context.request_id, session.upstream, exchange.line, session.version, session.listener
        )
        return await answered(errand, exchange.request)

    async def _without_session(self, exchange: Exchange) -> Result:
        host = host_facts(exchange)
        key = sharing_key(host, exchange.context.request)
        owner = self._parked.line_to(key) if can_be_asked(host.capabilities) else None
        upstream = self._connections.acquire(host, key, owner, is_shared=True)
        try:
            errand = await self._errand(
                exchange.context.request_id, upstream, exchange.line, host.protocol_version
            )
            return await answered(errand, exchange.request)
        finally:
            upstream.leave()

    async def _errand(
        self,
        request_id: str | int | None,
        upstream: UpstreamConnection,
        line: HostLine,
        version: str,
        listener: SessionListener | None = None,
    ) -> Errand:
        """Return the host's request with the upstream connection that will answer it.

        Raises:
            GenUiError: It cannot be.
        """
        try:
            facts = await upstream.facts()
        except UpstreamForbidden as refusal:
            self.admittance.refused(refusal)
            raise
        self.admittance.let_in()
        bridge = Bridge(await upstream.source(), facts, self._parked, upstream.key)
        return Errand(request_id or 0, bridge, upstream, line, listener, version)

    def _input_schema(self, tool_name: str) -> Mapping[str, object] | None:
        """What the SDK checks the headers of a call against that repeat its arguments (2026-07-28)."""
        tool = self.wrapper.active_tools.get(tool_name)
        schema = tool.definition.get("inputSchema") if tool is not None else None
        return schema if isinstance(schema, Mapping) else None
