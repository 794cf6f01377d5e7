"""A scripted upstream in memory: the source of its answers, and the stage for its acts before the hosts."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import anyio
from attrs import define, field

from genui_core.domain.mcp.envelope import CLIENT_CAPABILITIES_KEY, LATEST_STATELESS, PROTOCOL_VERSION_KEY
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, outbound
from genui_core.errors import GenUiError, HostRefused, InvalidArguments, UpstreamDied, UpstreamFailed
from genui_core.ports.tool_source import (
    HostChannel,
    HostFacts,
    Notice,
    Params,
    Result,
    ToolSource,
    UpstreamFacts,
)
from genui_core.testing.scripted_tools import (
    TOOLS,
    Act,
    Die,
    Memory,
    Message,
    answered,
    noted,
    refused,
    structured,
)

INFO: Message = {"name": "scripted", "version": "1", "vendor": [1.0]}
INSTRUCTIONS = "Ask for anything."
CAPABILITIES: Message = {
    "tools": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
    "logging": {},
    "vendor": {"x": None},
}
HEADER_ANNOTATION = "x-mcp-header"
_ENVELOPE = (PROTOCOL_VERSION_KEY, CLIENT_CAPABILITIES_KEY, "io.modelcontextprotocol/clientInfo")


@define
class ScriptedUpstream:
    """Says what a server does about each message it gets; its tools are in `scripted_tools`."""

    stateless: bool = False
    memory: Memory = field(factory=Memory)

    def receive(self, message: Message) -> list[Act]:
        """Return what it does about a message."""
        method, request_id = message.get("method"), message.get("id")
        params = as_object(message.get("params"))
        if method is None:
            return self._hear(message)
        said = {"method": method, "params": _without_envelope(params)}
        if request_id is None:
            return self._note(said, params)
        self.memory.requests.append(said)
        methods = _STATELESS_METHODS if self.stateless else _HANDSHAKE_METHODS
        return methods.get(str(method), _unknown)(self.memory, request_id, _without_envelope(params))

    def closed(self, request_id: object) -> None:
        """Record a cancelled request."""
        self.memory.cancelled.append(self.memory.names.get(request_id))
        if request_id in self.memory.listeners:
            self.memory.listeners.remove(request_id)

    def _hear(self, answer: Message) -> list[Act]:
        """The host has answered a question: so can the call that it belongs to be."""
        call = self.memory.askers.pop(answer.get("id"))
        return [structured(call, {key: answer[key] for key in ("result", "error") if key in answer})]

    def _note(self, said: Message, params: Message) -> list[Act]:
        self.memory.notifications.append(said)
        if said["method"] == "notifications/cancelled":
            self.closed(params.get("requestId"))
        if said["method"] == "notifications/initialized":
            self.memory.listeners.append(None)
        return []


def _initialize(_memory: Memory, request_id: object, params: Message) -> list[Act]:
    version = params.get("protocolVersion")
    hello = {"protocolVersion": version, "capabilities": CAPABILITIES, "serverInfo": INFO}
    return [answered(request_id, {**hello, "instructions": INSTRUCTIONS, "vendor": 1})]


def _discover(_memory: Memory, request_id: object, _params: Message) -> list[Act]:
    meta = {"_meta": {"io.modelcontextprotocol/serverInfo": INFO}}
    found = {"supportedVersions": [LATEST_STATELESS], "capabilities": CAPABILITIES}
    return [answered(request_id, {**found, "instructions": INSTRUCTIONS, **meta})]


def _list_tools(_memory: Memory, request_id: object, _params: Message) -> list[Act]:
    region = {"type": "string", HEADER_ANNOTATION: "Region"}
    schema = {"type": "object", "properties": {"place": {"type": "object", "properties": {"region": region}}}}
    tools = [{"name": name, "inputSchema": schema, "vendor": 1.0} for name in TOOLS]
    return [answered(request_id, {"tools": tools, "vendor": None})]


def _call(memory: Memory, request_id: object, params: Message) -> list[Act]:
    name = memory.names[request_id] = params.get("name")
    tool = TOOLS.get(str(name))
    if tool is None:
        return [refused(request_id, {"code": INVALID_PARAMS, "message": f"Unknown tool: {name}"})]
    return tool(memory, request_id, params)


def _listen(memory: Memory, request_id: object, params: Message) -> list[Act]:
    memory.listeners.append(request_id)
    promised = {"notifications": as_object(params.get("notifications"))}
    return [noted("notifications/subscriptions/acknowledged", promised, request_id)]


def _nothing(_memory: Memory, request_id: object, _params: Message) -> list[Act]:
    return [answered(request_id, {})]


def _vendor(_memory: Memory, request_id: object, params: Message) -> list[Act]:
    return [answered(request_id, {"vendor": params, "one": 1, "one too": 1.0})]


def _unknown(_memory: Memory, request_id: object, _params: Message) -> list[Act]:
    return [refused(request_id, {"code": METHOD_NOT_FOUND, "message": "Method not found"})]


_Method = Callable[[Memory, object, Message], list[Act]]
_COMMON: Mapping[str, _Method] = {"tools/list": _list_tools, "tools/call": _call, "vendor/thing": _vendor}
_HANDSHAKE_METHODS: Mapping[str, _Method] = {
    **_COMMON,
    "initialize": _initialize,
    "ping": _nothing,
    "logging/setLevel": _nothing,
    "resources/subscribe": _nothing,
    "resources/unsubscribe": _nothing,
}
_STATELESS_METHODS: Mapping[str, _Method] = {
    **_COMMON,
    "server/discover": _discover,
    "subscriptions/listen": _listen,
}


def _without_envelope(params: Message) -> Message:
    meta = as_object(params.get("_meta"))
    kept = {key: value for key, value in meta.items() if key not in _ENVELOPE}
    rest = {key: value for key, value in params.items() if key != "_meta"}
    return {**rest, "_meta": kept} if kept else rest


_INVALID_REQUEST = -32600

_OUR_OWN = ("notifications/initialized", "notifications/cancelled")
"""What is said of a connection, or of a request by its id: nothing that a scripted upstream knows."""


@define(eq=False)
class Call:
    """A request that waits for its outcome."""

    channel: HostChannel | None
    done: anyio.Event = field(factory=anyio.Event)
    outcome: Result | GenUiError = field(factory=UpstreamDied)

    def settle(self, outcome: Result | GenUiError) -> None:
        """Take the outcome."""
        self.outcome = outcome
        self.done.set()


class Stage:
    """Performs acts; an upstream that dies is there again at once."""

    def __init__(self, upstream: ScriptedUpstream, notice: Notice, owner: HostChannel | None = None) -> None:
        self.upstream = upstream
        self.notice = notice
        self.owner = owner
        self.calls: dict[object, Call] = {}

    def begin(self) -> None:
        """Do what a connection does first, so that the upstream knows it is listened to."""
        self.upstream = ScriptedUpstream(self.upstream.stateless)
        memory = self.upstream.memory
        memory.listeners.append(None)
        memory.requests.append({"method": "subscriptions/listen", "params": {}})
        memory.notifications.append({"method": "notifications/initialized", "params": {}})

    def end(self) -> None:
        """Fail what is unanswered."""
        for call in self.calls.values():
            call.settle(UpstreamDied())

    async def play(self, message: Message) -> None:
        """Hand the upstream a message, and perform what it does about it."""
        await self._perform(self.upstream.receive(message))

    async def _perform(self, acts: list[Act]) -> None:
        for act in acts:
            if isinstance(act, Die):
                self.begin()
                self.end()
            else:
                await self._say(act.message, self.calls.get(act.of))

    async def _say(self, message: Message, of: Call | None) -> None:
        method, said = message.get("method"), as_object(message.get("params"))
        if not isinstance(method, str):
            self._settle(message)
        elif "id" in message:
            await self.play(await self._put(message["id"], method, said, of))
        elif of is not None and of.channel is not None:
            await of.channel.tell(method, said)
        else:
            await self.notice(method, said)

    def _settle(self, answer: Message) -> None:
        call, result, error = self.calls.get(answer.get("id")), answer.get("result"), answer.get("error")
        if call is not None and isinstance(result, dict):
            call.settle(result)
        elif call is not None and isinstance(error, dict):
            call.settle(UpstreamFailed(error))

    async def _put(self, question: object, method: str, params: Params, of: Call | None) -> Message:
        """Put a question to the host, and return its answer as a message."""
        channel = (of.channel if of is not None else None) or self.owner
        try:
            result = {} if method == "ping" else await _asked(channel, method, params)
            outbound(result)
        except HostRefused as refused:
            return {"jsonrpc": "2.0", "id": question, "error": refused.error}
        except InvalidArguments as unsendable:
            error = {"code": _INVALID_REQUEST, "message": str(unsendable)}
            return {"jsonrpc": "2.0", "id": question, "error": error}
        return {"jsonrpc": "2.0", "id": question, "result": result}


async def _asked(channel: HostChannel | None, method: str, params: Params) -> Result:
    if channel is None:
        raise HostRefused({"code": _INVALID_REQUEST, "message": "This connection has no host to ask."})
    return await channel.ask(method, params)


class ScriptedToolSource(ToolSource):
    """Asks a scripted upstream in memory; one that dies is there again at once."""

    def __init__(self, host: HostFacts, stage: Stage) -> None:
        self.host = host
        self.stage = stage
        self._last_id = 0

    async def facts(self) -> UpstreamFacts:
        """Return what every scripted upstream says of itself."""
        stateless = self.stage.upstream.stateless
        return UpstreamFacts(self.host.protocol_version, stateless, CAPABILITIES, INFO, INSTRUCTIONS)

    async def request(self, method: str, params: Params | None, channel: HostChannel | None = None) -> Result:
        """Have the scripted upstream answer."""
        outbound(params)
        self._last_id += 1
        request_id = self._last_id
        call = self.stage.calls[request_id] = Call(channel)
        message = {"jsonrpc": "2.0", "id": request_id, "method": method}
        try:
            await self.stage.play(message if params is None else {**message, "params": params})
            await call.done.wait()
        except anyio.get_cancelled_exc_class():
            self.stage.upstream.closed(request_id)
            raise
        finally:
            del self.stage.calls[request_id]
        if isinstance(call.outcome, GenUiError):
            raise call.outcome
        return call.outcome

    async def notify(self, method: str, params: Params | None) -> None:
        """Tell the scripted upstream, unless it is about what it does not know."""
        if method not in _OUR_OWN:
            await self.stage.play({"jsonrpc": "2.0", "method": method, "params": params or {}})


@asynccontextmanager
async def open_scripted(
    host: HostFacts, notice: Notice, owner: HostChannel | None = None
) -> AsyncIterator[ScriptedToolSource]:
    """Open a scripted source of the generation that the host speaks: a `ToolSourceOpener`."""
    stage = Stage(ScriptedUpstream(host.stateless), notice, owner)
    stage.begin()
    try:
        yield ScriptedToolSource(host, stage)
    finally:
        stage.end()
