"""A server that does what a test asks of it, as plain values: messages in, acts out, no I/O."""

from collections.abc import Callable, Mapping

from attrs import define, field

from genui_core.domain.mcp.envelope import CLIENT_CAPABILITIES_KEY, LATEST_STATELESS, PROTOCOL_VERSION_KEY
from genui_core.domain.mcp.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND
from genui_core.testing.upstreams.scripted_acts import (
    Act,
    Memory,
    Message,
    answered,
    noted,
    refused,
    structured,
)
from genui_core.testing.upstreams.scripted_tools import TOOLS, mapping

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
    """Says what a server does about each message it gets; its tools are in `scripted_tools`.

    Attributes:
        stateless: Whether it is of the 2026-07-28 generation, else of those with a handshake.
        memory: What it remembers.
    """

    stateless: bool = False
    memory: Memory = field(factory=Memory)

    def receive(self, message: Message) -> list[Act]:
        """Return what it does about a message."""
        method, request_id, params = message.get("method"), message.get("id"), mapping(message.get("params"))
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
    promised = {"notifications": mapping(params.get("notifications"))}
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
    meta = mapping(params.get("_meta"))
    kept = {key: value for key, value in meta.items() if key not in _ENVELOPE}
    rest = {key: value for key, value in params.items() if key != "_meta"}
    return {**rest, "_meta": kept} if kept else rest
