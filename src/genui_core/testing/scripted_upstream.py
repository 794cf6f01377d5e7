"""A scripted upstream: what a server answers to each message, and its tools.

Each tool does one thing that can happen between a host and a server. The tool ``answer`` gives legal answers
that software between a host and a server easily changes by mistake.
"""

from collections.abc import Callable, Mapping
from json import loads

from attrs import define, field, frozen

from genui_core.domain.mcp.envelope import CLIENT_CAPABILITIES_KEY, LATEST_STATELESS, PROTOCOL_VERSION_KEY
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND

Message = Mapping[str, object]

NEWS: tuple[tuple[str, Message], ...] = (
    ("notifications/tools/list_changed", {}),
    ("notifications/resources/updated", {"uri": "x://y", "vendor": 1.0}),
)
"""The notifications that the tool ``news`` sends, in this order."""


@frozen
class Say:
    """Send a message.

    Attributes:
        of: The id of the request on whose stream the message goes; None if it belongs to no request.
    """

    message: Message
    of: object = None


@frozen
class Die:
    """Stop at once and answer no pending request."""


Act = Say | Die


def reply(request_id: object, result: Message) -> Say:
    """Return the answer to a request."""
    return Say({"jsonrpc": "2.0", "id": request_id, "result": result}, request_id)


def error_reply(request_id: object, error: Message) -> Say:
    """Return an error as the answer to a request."""
    return Say({"jsonrpc": "2.0", "id": request_id, "error": error}, request_id)


def notice(method: str, params: Message, of: object = None) -> Say:
    """Return a notification."""
    return Say({"jsonrpc": "2.0", "method": method, "params": params}, of)


def tool_reply(request_id: object, content: object) -> Say:
    """Return the answer to a tool call, with this structured content."""
    return reply(request_id, {"content": [], "structuredContent": content})


@frozen
class Memory:
    """The state of a scripted upstream.

    Attributes:
        askers: The call to which each request to the host belongs, by the request's id.
        listeners: The requests on whose streams notifications go; None is the connection's stream.
    """

    requests: list[Message] = field(factory=list)
    notifications: list[Message] = field(factory=list)
    cancelled: list[object] = field(factory=list)
    names: dict[object, object] = field(factory=dict)
    askers: dict[object, object] = field(factory=dict)
    meeting: list[object] = field(factory=list)
    listeners: list[object] = field(factory=list)


RESULTS = {
    "unknown fields": '{"content":[{"type":"text","text":"x","vendor":1,"_meta":{"a/b":null}}],"vendor":{"a":[{}]}}',
    "nulls": '{"content":[],"structuredContent":{"a":null,"b":[null,{"c":null}],"z":{}},"isError":null}',
    "a list as structured content": '{"content":[],"structuredContent":[1,2,{"x":null}]}',
    "kinds of numbers": '{"content":[],"structuredContent":{"one":1,"one too":1.0,"e":1e2,"zero":-0.0,"tiny":1e-7}}',
    "long numbers": '{"content":[],"structuredContent":[18446744073709551615,1180591620717411303424,0.1000000000000000055]}',
    "booleans that are no numbers": '{"content":[],"structuredContent":{"yes":true,"one":1,"no":false,"zero":0}}',
    "all the world's letters": '{"content":[{"type":"text","text":"\\u00e9 \\ud83d\\ude00 \\u2028 \\u0000 </script> \\u202e"}]}',
    "odd keys": '{"content":[],"structuredContent":{"":1," ":2,"__proto__":3,"\\n":4,"a.b":5,"1":6}}',
    "another order": '{"isError":false,"structuredContent":{"z":1,"a":2},"_meta":{"k":1},"content":[{"text":"x","type":"text"}]}',
    "no content": '{"structuredContent":{"a":1}}',
    "nothing at all": "{}",
    "an unknown kind of content": '{"content":[{"type":"hologram","data":"q"}]}',
    "links": '{"content":[{"type":"resource_link","uri":"file:///A%20b?x=1#f","name":"n","size":3}]}',
    "not what the schema says": '{"content":[],"structuredContent":{"b":"not a number"},"isError":false}',
    "a task": '{"task":{"taskId":"1","status":"working","ttl":60000},"_meta":{"io.modelcontextprotocol/x":"hi"}}',
    "input required": '{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create"}},"requestState":"s"}',
    "deep": '{"content":[],"structuredContent":' + '{"a":[' * 40 + "1" + "]}" * 40 + "}",
}
"""The results of the tool ``answer``, by name."""

ERRORS = {
    "a code of its own": '{"code":-32002,"message":"not there","data":{"uri":"x://y","n":null,"f":1.0}}',
    "data that is null": '{"code":-31999,"message":"m","data":null}',
    "unknown fields of an error": '{"code":5,"message":"m","vendor":1}',
    "the code of a closed connection": '{"code":-32000,"message":"Connection closed"}',
    "no message": '{"code":-32603,"message":""}',
}
"""The errors of the tool ``answer``, by name."""

_SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"

Tool = Callable[[Memory, object, Message], list[Act]]


def _echo(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Answer with the params of the call."""
    return [tool_reply(call, params)]


def _answer(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Answer with the result or the error of this ``name``."""
    name = str(as_object(params.get("arguments")).get("name"))
    if name in ERRORS:
        return [error_reply(call, loads(ERRORS[name]))]
    return [reply(call, loads(RESULTS[name]))]


def _big(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Answer with a text of this number of ``bytes``."""
    return [reply(call, {"content": [{"type": "text", "text": "x" * _number(params, "bytes")}]})]


def _progress(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Report progress ``count`` times, under the token of the call."""
    token = as_object(params.get("_meta")).get("progressToken")
    steps = [
        {"progressToken": token, "progress": step, "vendor": 1.0} for step in range(_number(params, "count"))
    ]
    return [*(notice("notifications/progress", step, call) for step in steps), tool_reply(call, {})]


def _log(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Log ``count`` lines."""
    lines = [{"level": "info", "data": {"line": line, "f": 1.0}} for line in range(_number(params, "count"))]
    return [*(notice("notifications/message", line, call) for line in lines), tool_reply(call, {})]


def _ask(memory: Memory, call: object, params: Message) -> list[Act]:
    """Send the host ``method`` with ``params``, outside the call if ``untied``; return its answer."""
    wanted = as_object(params.get("arguments"))
    question = f"question {call}"
    memory.askers[question] = call
    request = {
        "jsonrpc": "2.0",
        "id": question,
        "method": wanted["method"],
        "params": as_object(wanted.get("params")),
    }
    return [Say(request, None if wanted.get("untied") else call)]


def _news(memory: Memory, call: object, _params: Message) -> list[Act]:
    """Send `NEWS` to every listener."""
    return [*(each for listener in memory.listeners for each in _news_for(listener)), tool_reply(call, {})]


def _news_for(listener: object) -> list[Act]:
    mark = {} if listener is None else {"_meta": {_SUBSCRIPTION_KEY: listener}}
    return [notice(method, {**params, **mark}, listener) for method, params in NEWS]


def _meet(memory: Memory, call: object, params: Message) -> list[Act]:
    """Wait until ``count`` calls wait; then answer them all, the last one first."""
    memory.meeting.append(call)
    if len(memory.meeting) < _number(params, "count"):
        return []
    met = reversed(list(enumerate(memory.meeting)))
    memory.meeting.clear()
    return [tool_reply(each, {"call": place}) for place, each in met]


def _hang(_memory: Memory, _call: object, _params: Message) -> list[Act]:
    """Never answer."""
    return []


def _die(_memory: Memory, _call: object, _params: Message) -> list[Act]:
    """Stop at once."""
    return [Die()]


def _seen(memory: Memory, call: object, _params: Message) -> list[Act]:
    """Answer with the requests and notifications received so far, and the names of the cancelled calls."""
    remembered = {
        "requests": memory.requests,
        "notifications": memory.notifications,
        "cancelled": memory.cancelled,
    }
    return [tool_reply(call, remembered)]


TOOLS: Mapping[str, Tool] = {
    "echo": _echo,
    "answer": _answer,
    "big": _big,
    "progress": _progress,
    "log": _log,
    "ask": _ask,
    "news": _news,
    "meet": _meet,
    "hang": _hang,
    "die": _die,
    "seen": _seen,
}


def _number(params: Message, name: str) -> int:
    return int(str(as_object(params.get("arguments"))[name]))


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
    """A scripted upstream without a transport; its tools are in `TOOLS`."""

    stateless: bool = False
    memory: Memory = field(factory=Memory)

    def receive(self, message: Message) -> list[Act]:
        """Return what the upstream does in response to a message."""
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
        """Answer the call to which a host's answer belongs."""
        call = self.memory.askers.pop(answer.get("id"))
        return [tool_reply(call, {key: answer[key] for key in ("result", "error") if key in answer})]

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
    return [reply(request_id, {**hello, "instructions": INSTRUCTIONS, "vendor": 1})]


def _discover(_memory: Memory, request_id: object, _params: Message) -> list[Act]:
    meta = {"_meta": {"io.modelcontextprotocol/serverInfo": INFO}}
    found = {"supportedVersions": [LATEST_STATELESS], "capabilities": CAPABILITIES}
    return [reply(request_id, {**found, "instructions": INSTRUCTIONS, **meta})]


def _list_tools(_memory: Memory, request_id: object, _params: Message) -> list[Act]:
    region = {"type": "string", HEADER_ANNOTATION: "Region"}
    schema = {"type": "object", "properties": {"place": {"type": "object", "properties": {"region": region}}}}
    tools = [{"name": name, "inputSchema": schema, "vendor": 1.0} for name in TOOLS]
    return [reply(request_id, {"tools": tools, "vendor": None})]


def _call(memory: Memory, request_id: object, params: Message) -> list[Act]:
    name = memory.names[request_id] = params.get("name")
    tool = TOOLS.get(str(name))
    if tool is None:
        return [error_reply(request_id, {"code": INVALID_PARAMS, "message": f"Unknown tool: {name}"})]
    return tool(memory, request_id, params)


def _listen(memory: Memory, request_id: object, params: Message) -> list[Act]:
    memory.listeners.append(request_id)
    promised = {"notifications": as_object(params.get("notifications"))}
    return [notice("notifications/subscriptions/acknowledged", promised, request_id)]


def _nothing(_memory: Memory, request_id: object, _params: Message) -> list[Act]:
    return [reply(request_id, {})]


def _vendor(_memory: Memory, request_id: object, params: Message) -> list[Act]:
    return [reply(request_id, {"vendor": params, "one": 1, "one too": 1.0})]


def _unknown(_memory: Memory, request_id: object, _params: Message) -> list[Act]:
    return [error_reply(request_id, {"code": METHOD_NOT_FOUND, "message": "Method not found"})]


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
