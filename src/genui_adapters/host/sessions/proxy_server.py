"""Answers the requests of many hosts, over any transport, in front of one upstream."""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from genui_adapters.host.channels import NO_HOST, OneWayChannel, Say
from genui_adapters.host.listeners import SessionListener
from genui_adapters.host.sessions.callers import (
    SAMPLE_HOST,
    Credentials,
    HostCall,
    Origin,
    host_facts,
    log_call,
    sharing_key,
)
from genui_adapters.host.sessions.host_session import Answer, HostSession, error_answer, result_answer
from genui_adapters.host.sessions.suspended_calls import SuspendedCalls, can_be_asked
from genui_adapters.host.sessions.upstream_connection import Connections, UpstreamConnection
from genui_adapters.host.sessions.upstream_request import UpstreamRequest, answer_request, forward
from genui_adapters.host.worker_thread import LoopWorker
from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.message import Message, params_of
from genui_core.application.requests.host_request import HostRequest, error_for_host
from genui_core.application.tool_views import ToolViews
from genui_core.application.wrapper import Wrapper
from genui_core.domain.mcp.envelope import PROTOCOL_VERSION_KEY, request_meta
from genui_core.domain.mcp.jsonrpc import Result, id_of
from genui_core.errors import GenUiError, UpstreamForbidden
from genui_core.ports.change_notifier import ChangeNotifier
from genui_core.ports.tool_source import ToolSourceOpener

_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 30.0


@asynccontextmanager
async def proxy_server(wrapper: Wrapper, opener: ToolSourceOpener) -> "AsyncIterator[ProxyServer]":
    """Run the proxy server; leaving ends all connections to the upstream."""
    async with nursery() as tasks:
        views = wrapper.open(LoopWorker)
        proxy = ProxyServer(views, tasks, Connections(views, opener, tasks))
        wrapper.add_notifier(proxy)
        try:
            yield proxy
        finally:
            wrapper.remove_notifier(proxy)
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(views.worker.close)


class ProxyServer(ChangeNotifier):
    """The server between many hosts and one upstream."""

    def __init__(self, views: ToolViews, tasks: TaskGroup, connections: Connections) -> None:
        self.views = views
        self._tasks = tasks
        self._connections = connections
        self.knows_tools = False
        self.credentials = Credentials()
        self._suspended = SuspendedCalls(tasks, views.identity)

    @property
    def unready(self) -> str | None:
        """Why hosts cannot be served well now, or None."""
        if not self.knows_tools:
            return "the upstream's tools were not listed yet"
        return "the upstream is not connected" if self._connections.all_are_lost else None

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Notify the hosts of all connections."""
        for connection in self._connections:
            connection.listeners.views_changed(tool_names)

    async def learn_tools(self) -> None:
        """List the upstream's tools, as for a host that shows apps; retry until the upstream answers."""
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
            request = HostRequest("tools/list", {}, handshake={"capabilities": host.capabilities})
            sent = await self._request_to(HostCall(request, 0, host.protocol_version, NO_HOST), upstream)
            await upstream.router.listings.list_again(request, partial(forward, sent))
            self.knows_tools = True
        finally:
            upstream.leave()

    # --- sessions and requests ----------------------------------------------------------

    def session(
        self, say: Say, expire: Callable[[], None] = lambda: None, origin: Origin = ()
    ) -> HostSession:
        """Return a new session; its transport ends it, and ``expire`` ends it early if it is idle."""
        return HostSession(self.respond, self.fail, self.views.event_log, say, expire, origin)

    async def respond(self, call: HostCall, session: HostSession | None = None) -> Answer:
        """Return the answer to a request; an error becomes an answer too."""
        try:
            return result_answer(call.request_id, await self._answer(call, session))
        except GenUiError as error:
            return self.fail(call, error)

    def fail(self, call: HostCall, error: GenUiError) -> Answer:
        """Log an error and return it as the call's answer."""
        return error_answer(call.request_id, error_for_host(self.views, call.request, error, "tool_proxy"))

    async def respond_alone(
        self, message: Message, say: Say, origin: Origin = (), version: str | None = None
    ) -> Answer:
        """Return the answer to a request without a session; without a version, its ``_meta`` names one."""
        given, channel = params_of(message), OneWayChannel(say)
        named = request_meta(given).get(PROTOCOL_VERSION_KEY) if version is None else version
        request = HostRequest(str(message["method"]), given, channel.tell, stateless=version is None)
        return await self.respond(HostCall(request, id_of(message), str(named), channel, origin))

    async def _answer(self, call: HostCall, session: HostSession | None) -> Result:
        try:
            if session is not None and call.request.method == "initialize":
                session.begin(call, self._connections, self.views.identity)
                self._tasks.start_soon(session.send_notifications)
            if session is not None and session.upstream is not None:
                answer = self._answer_from(call, session.upstream, session.listener)
            else:
                answer = self._without_session(call)
            method, name = call.request.method, call.request.params.get("name")
            if method != "tools/call" or (str(name).startswith("_ui_") and name in self.views.own_tools):
                return await answer
            return await log_call(self.views.event_log, name, answer)
        except GenUiError:
            raise
        except Exception as error:
            raise GenUiError(f"mcp-gen-ui failed: {error!r}") from error

    async def _answer_from(
        self, call: HostCall, upstream: UpstreamConnection, listener: SessionListener | None = None
    ) -> Result:
        return await answer_request(await self._request_to(call, upstream, listener))

    async def _without_session(self, call: HostCall) -> Result:
        host = host_facts(call)
        key = sharing_key(host, call.origin)
        owner = self._suspended.channel_to(key) if can_be_asked(host.capabilities) else None
        upstream = self._connections.acquire(host, key, owner, is_shared=True)
        try:
            return await self._answer_from(call, upstream)
        finally:
            upstream.leave()

    async def _request_to(
        self, call: HostCall, upstream: UpstreamConnection, listener: SessionListener | None = None
    ) -> UpstreamRequest:
        """Return the host's request with the upstream connection that will answer it."""
        try:
            facts = await upstream.facts()
        except UpstreamForbidden as refusal:
            self.credentials.record_refusal(refusal)
            raise
        self.credentials.record_acceptance()
        source = await upstream.source()
        return UpstreamRequest(call, source, facts, upstream, self._suspended, listener)

    def input_schema(self, tool_name: object) -> object:
        """Return a tool's input schema, which names the headers of arguments; None if it is unknown."""
        tool = self.views.tools.active_tools.get(tool_name) if isinstance(tool_name, str) else None
        return tool.definition.get("inputSchema") if tool is not None else None
