"""Hosts of both eras on every transport, with a scripted upstream of either behind it."""

import json
import os
from collections.abc import Callable
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
import httpx2
import pytest
import uvicorn
from attrs import define, field
from scripted_server import ScriptedServer
from sdk_pipes import HostReader, HostWriter

from genui_adapters.host.http.app import PATHS, Admission, http_app
from genui_adapters.host.http.server import HttpServer
from genui_adapters.host.listening_socket import bound_socket
from genui_adapters.host.sessions.proxy_server import proxy_server
from genui_adapters.host.sessions.stdio_session import WatchedPipes, serve_pipes
from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.link import Inbox, Link
from genui_adapters.upstream.openers import SupervisedOpener
from genui_core.application.wrapper import Wrapper
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.errors import UpstreamUnreachable
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.scripted_upstream import Die, ScriptedUpstream, reply, tool_reply

HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
ASKABLE = {"sampling": {}, "elicitation": {}, "roots": {"listChanged": True}}
INFO = {"name": "test host", "version": "1"}
PATIENCE_S = 30


@define(eq=False)
class Host:
    """A host that sends exactly the messages of a test, and records every message that it gets.

    Attributes:
        stateless: Whether it uses the modern era (2026-07-28).
        capabilities: The capabilities that it declares.
        answer: Returns its answer to a request: a result, or an error as ``{"error": …}``.
        told: The notifications it got, in order.
        asked: The requests it got, in order.
        ids_asked: The ids of these requests.
        arrivals: The methods of all messages that it got, in order; the id of an answer.
    """

    stateless: bool
    capabilities: dict = field(factory=lambda: APPS)
    answer: Callable = lambda _method, params: {"result": {"agreed": params}}
    told: list = field(factory=list)
    asked: list = field(factory=list)
    ids_asked: list = field(factory=list)
    arrivals: list = field(factory=list)
    _answers: dict = field(factory=dict)
    _changed: anyio.Event = field(factory=anyio.Event)
    _last_id: int = 0
    _stack: AsyncExitStack = field(factory=AsyncExitStack)
    _tasks: object = None

    async def __aenter__(self):
        self._tasks = await self._stack.enter_async_context(nursery())
        return self

    async def __aexit__(self, *error):
        await self._stack.aclose()

    async def connect(self):
        """Complete the handshake, or send `server/discover`; return the result."""
        if self.stateless:
            return (await self.request("server/discover"))["result"]
        hello = {"protocolVersion": HANDSHAKE, "capabilities": self.capabilities, "clientInfo": INFO}
        result = await self.request("initialize", hello)
        assert "result" in result, result
        await self.tell("notifications/initialized")
        return result["result"]

    async def request(self, method, params=None):
        """Send a request and return the whole answer."""
        return await self.answered(await self.start(method, params))

    async def start(self, method, params=None):
        """Send a request and return its id."""
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        await self.send({**message, **self._dressed(params)})
        return self._last_id

    async def answered(self, request_id):
        """Wait for the answer to a request."""
        return await self.wait_for(lambda: self._answers.get(request_id))

    async def tell(self, method, params=None):
        await self.send(
            {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}
        )

    async def result(self, method, params=None):
        """Send a request that must succeed and return its result."""
        answer = await self.request(method, params)
        assert "result" in answer, answer
        return answer["result"]

    async def call(self, name, /, *, meta=None, **arguments):
        """Call a tool and return its result."""
        params = {"name": name, "arguments": arguments, **({"_meta": meta} if meta else {})}
        return await self.result("tools/call", params)

    async def wait_for(self, look):
        """Wait until ``look`` returns something true about the received messages, and return it."""
        with anyio.fail_after(PATIENCE_S):
            while not (found := look()):
                self._changed = anyio.Event()
                await self._changed.wait()
            return found

    def methods_told(self):
        return [method for method, _ in self.told]

    def arrived(self, text):
        """Record a message, and answer it if it is a request."""
        message = json.loads(text)
        method = message.get("method")
        self.arrivals.append(message["id"] if method is None else method)
        if method is None:
            self._answers[message["id"]] = message
        elif "id" in message:
            self.asked.append((method, message.get("params")))
            self.ids_asked.append(message["id"])
            outcome = self.answer(method, message.get("params"))
            if outcome is not None:
                self._tasks.start_soon(self.send, {"jsonrpc": "2.0", "id": message["id"], **outcome})
        else:
            self.told.append((method, message.get("params")))
        self._changed.set()

    def _dressed(self, params):
        if not self.stateless:
            return {} if params is None else {"params": params}
        envelope = {
            "io.modelcontextprotocol/protocolVersion": STATELESS,
            "io.modelcontextprotocol/clientInfo": INFO,
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        }
        given = params or {}
        return {"params": {**given, "_meta": {**envelope, **given.get("_meta", {})}}}


async def lines_of(response):
    """Yield the lines of an event stream, which end only where its protocol says, not at Unicode separators."""
    rest = b""
    async for data in response.aiter_bytes():
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.rstrip(b"\r").decode()


@define(eq=False)
class HttpHost(Host):
    """A host on Streamable HTTP."""

    address: str = field(kw_only=True)
    headers: dict = field(factory=dict)
    statuses: list = field(factory=list)
    client: httpx2.AsyncClient = field(init=False)

    async def __aenter__(self):
        self.client = await self._stack.enter_async_context(httpx2.AsyncClient(timeout=PATIENCE_S))
        await super().__aenter__()
        return self

    async def connect(self):
        result = await super().connect()
        if not self.stateless:
            self._tasks.start_soon(self._listen)
        return result

    async def send(self, message):
        self._tasks.start_soon(self._post, message)

    async def leave(self, request_id):
        """Close the stream on which the answer to a request would come."""
        self._posts[request_id].cancel()

    _posts: dict = field(factory=dict)

    async def _post(self, message):
        headers = {"accept": "application/json, text/event-stream", **self.headers}
        if self.stateless and "method" in message:
            headers |= {"mcp-protocol-version": STATELESS, "mcp-method": message["method"]}
            named = {"tools/call": "name", "resources/read": "uri", "prompts/get": "name"}
            key = named.get(message["method"])
            if key:
                headers["mcp-name"] = message["params"][key]
        with anyio.CancelScope() as scope:
            self._posts[message.get("id")] = scope
            async with self.client.stream("POST", self.address, json=message, headers=headers) as response:
                self.statuses.append(response.status_code)
                session = response.headers.get("mcp-session-id")
                if session:
                    self.headers["mcp-session-id"] = session
                await self._read(response)

    async def _listen(self):
        headers = {"accept": "text/event-stream", **self.headers}
        async with self.client.stream("GET", self.address, headers=headers) as response:
            await self._read(response)

    async def _read(self, response):
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            async for line in lines_of(response):
                if line.startswith("data: {"):
                    self.arrived(line.removeprefix("data: "))
            return
        text = (await response.aread()).decode()
        if text.startswith("{"):
            self.arrived(text)


@define(eq=False)
class SseHost(Host):
    """A host on SSE."""

    address: str = field(kw_only=True)
    client: httpx2.AsyncClient = field(init=False)
    _endpoint: str = ""

    async def __aenter__(self):
        self.client = await self._stack.enter_async_context(httpx2.AsyncClient(timeout=PATIENCE_S))
        await super().__aenter__()
        self._tasks.start_soon(self._listen)
        await self.wait_for(lambda: self._endpoint)
        return self

    async def send(self, message):
        response = await self.client.post(self._endpoint, json=message)
        assert response.status_code == 202

    async def _listen(self):
        async with self.client.stream("GET", self.address) as response:
            async for line in lines_of(response):
                data = line.removeprefix("data: ")
                if line.startswith("data: /"):
                    self._endpoint = self.address.removesuffix(PATHS["sse"]) + data
                    self._changed.set()
                elif line.startswith("data: "):
                    self.arrived(data)


@define(eq=False)
class PipeHost(Host):
    """A host on two pipes."""

    pipes: WatchedPipes = field(kw_only=True)
    _rest: bytes = b""

    async def __aenter__(self):
        await super().__aenter__()
        self.pipes.read(self._take)
        return self

    async def send(self, message):
        await self.pipes.write(json.dumps(message).encode() + b"\n")

    def _take(self, data):
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.arrived(line)


@define(eq=False)
class ScriptedLink(Link):
    """A link to a scripted upstream in memory; a message names the request to whose stream it belongs, as over HTTP."""

    inbox: Inbox
    upstream: ScriptedUpstream
    handshake_only: bool = False
    closing_cancels: bool = True

    async def send(self, message, headers):  # noqa: ARG002 -- nothing is routed
        outbound(message)
        await anyio.lowlevel.checkpoint()
        for act in self.upstream.receive(message):
            if isinstance(act, Die):
                self.inbox.end(UpstreamUnreachable("it stopped"))
            else:
                self.inbox.take(act.message, act.of)

    def abandon(self, request_id):
        if self.upstream.stateless:
            self.upstream.closed(request_id)

    def listen(self):
        pass


class OpenedWrapper(Wrapper):
    """A wrapper that gives tests access to its views.

    Attributes:
        views: The views that it opened last.
    """

    views = None

    def open(self, worker_for=None):
        self.views = super().open(worker_for)
        return self.views


@define(eq=False)
class OpenTransport:
    """An open transport, with the wrapper and the upstream behind it.

    Attributes:
        host: Makes a host that uses the transport.
        upstreams: The upstreams that the wrapper connected to, in order.
        event_log: The recorded events.
        wrapper: The wrapper whose views are served.
    """

    host: Callable
    upstreams: list
    event_log: RecordingEventLog
    wrapper: Wrapper


@asynccontextmanager
async def served_http(proxy, transport, admission):
    """Serve on a free port; yield the address."""
    with bound_socket("127.0.0.1", 0) as listening:
        async with http_app(proxy, transport, admission) as app, nursery() as tasks:
            tasks.start_soon(HttpServer(app).serve, listening)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}{PATHS[transport]}"


@asynccontextmanager
async def open_pipes_pair():
    """Open two pipes; yield the ends of the server and those of the host."""
    (ours_in, theirs_out), (theirs_in, ours_out) = os.pipe(), os.pipe()
    ours, theirs = WatchedPipes(ours_in, ours_out), WatchedPipes(theirs_in, theirs_out)
    yield ours, theirs
    for pipes in (ours, theirs):
        pipes.release()
    for fd in (ours_in, theirs_out, theirs_in, ours_out):
        os.close(fd)


@asynccontextmanager
async def served_pipes(proxy):
    """Serve on two pipes; yield the host's ends."""
    async with open_pipes_pair() as (ours, theirs), nursery() as tasks:
        tasks.start_soon(serve_pipes, proxy, ours)
        yield theirs


@asynccontextmanager
async def sdk_served_pipes(server):
    """Serve on two pipes with a server made with the SDK; yield the host's ends."""
    async with open_pipes_pair() as (pipes, theirs), nursery() as tasks:
        writer, options = HostWriter(pipes), server.create_initialization_options()
        tasks.start_soon(server.run, HostReader(pipes, writer), writer, options)
        yield theirs


@asynccontextmanager
async def open_proxy_transport(kind, opener, wrapper, admission):
    """Serve an upstream over http, sse or standard streams; yield a function that connects a host."""
    async with proxy_server(wrapper, opener) as proxy:
        if kind == "stdio to url":
            async with served_pipes(proxy) as pipes:
                yield lambda **words: PipeHost(pipes=pipes, **words)
            return
        async with served_http(proxy, kind, admission) as address:
            made = {"http": HttpHost, "sse": SseHost}[kind]
            yield lambda **words: made(address=address, **words)


@asynccontextmanager
async def open_attached_transport(kind, scripted, wrapper):
    """Attach to an SDK-made server, served over http or stdio; yield a function that connects a host."""
    server, attachment = scripted.dressed(wrapper)
    async with attachment:
        if kind == "attached stdio":
            async with sdk_served_pipes(server) as pipes:
                yield lambda **words: PipeHost(pipes=pipes, **words)
            return
        async with served_app(server.streamable_http_app()) as address:
            yield lambda **words: HttpHost(address=address, **words)


@asynccontextmanager
async def served_app(app):
    """Serve an application on a free port; yield the address of its endpoint.

    uvicorn 0.54.0 neither closes its listeners nor ends the application's lifespan when it is cancelled, so this
    does both. A listener that is left in the event loop makes asyncio believe that it watches the socket's file
    descriptor, and the next server whose socket gets that number never sees a connection.
    """
    with bound_socket("127.0.0.1", 0) as listening:
        config = uvicorn.Config(app, log_config=None, ws="none", timeout_graceful_shutdown=0)
        server = uvicorn.Server(config)
        async with nursery() as tasks:
            tasks.start_soon(server.serve, [listening])
            while not server.started:
                await anyio.lowlevel.checkpoint()
            try:
                yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
            finally:
                for each in server.servers:
                    each.close()
                await server.lifespan.shutdown()


def pytest_collection_modifyitems(config, items):
    """Skip impossible cases: a server with the wrapper attached has the same protocol era as its host."""
    left_out = [each for each in items if is_of_two_generations_at_one_server(each)]
    items[:] = [each for each in items if each not in left_out]
    config.hook.pytest_deselected(items=left_out)


def is_of_two_generations_at_one_server(item):
    words = item.callspec.params if hasattr(item, "callspec") else {}
    host, upstream = words.get("stateless"), words.get("upstream_stateless")
    return str(words.get("transport")).startswith("attached") and upstream is not None and host != upstream


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def open_transport():
    """Open a transport in front of scripted upstreams, or attached to scripted servers."""

    @asynccontextmanager
    async def opened(
        kind,
        *,
        upstream_stateless=None,
        upstream=None,
        opener=None,
        settings=None,
        admission=None,
        is_down=lambda: False,
        **collaborators,
    ):
        event_log, upstreams = RecordingEventLog(), []
        wrapper = OpenedWrapper(settings=settings, event_log=event_log, **collaborators)
        if kind.startswith("attached"):
            scripted = ScriptedServer(upstream or ScriptedUpstream, upstreams)
            async with open_attached_transport(kind, scripted, wrapper) as host:
                yield OpenTransport(host, upstreams, event_log, wrapper)
            return

        @asynccontextmanager
        async def scripted(host, notice, owner=None):
            stateless = host.stateless if upstream_stateless is None else upstream_stateless
            kind_of = upstream or ScriptedUpstream

            @asynccontextmanager
            async def open_link(inbox):
                if is_down():
                    raise UpstreamUnreachable("it is down")
                link = ScriptedLink(inbox, kind_of(stateless))
                upstreams.append(link.upstream)
                yield link

            settings, protocol = UpstreamSettings(reconnect_delay_ms=100), "modern" if stateless else "legacy"
            supervised = SupervisedOpener("scripted", open_link, settings, protocol, event_log)
            async with supervised(host, notice, owner) as source:
                yield source

        async with open_proxy_transport(kind, opener or scripted, wrapper, admission or Admission()) as host:
            yield OpenTransport(host, upstreams, event_log, wrapper)

    return opened


class NeedyUpstream(ScriptedUpstream):
    """A stateless upstream with a tool `needy` that asks the host two questions."""

    def receive(self, message):
        params = message.get("params") or {}
        if params.get("name") != "needy":
            return super().receive(message)
        given = params.get("inputResponses")
        if given is not None:
            content = {**given, "state": params.get("requestState")}
            return [tool_reply(message["id"], content)]
        questions = {
            "first": {"method": "elicitation/create", "params": {"q": 1.0}},
            "second": {"method": "roots/list"},
        }
        needs = {"resultType": "input_required", "inputRequests": questions, "requestState": "kept"}
        return [reply(message["id"], needs)]


@pytest.fixture
def needy_upstream():
    return NeedyUpstream


@pytest.fixture
def open_pipes():
    """Serve a server made with the SDK on two pipes, and yield a host at their other ends."""

    @asynccontextmanager
    async def opened(server, **words):
        async with (
            sdk_served_pipes(server) as pipes,
            PipeHost(pipes=pipes, **words) as host,
        ):
            yield host

    return opened


@pytest.fixture
def open_app():
    """Serve an application on a free port, and yield a function that makes hosts."""

    @asynccontextmanager
    async def opened(app):
        async with served_app(app) as address:
            yield lambda **words: HttpHost(address=address, **words)

    return opened
