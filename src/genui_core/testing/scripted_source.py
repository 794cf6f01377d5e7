"""A source of answers for tests: a scripted upstream in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from attrs import define, field

from genui_core.domain.outbound import outbound
from genui_core.errors import GenUiError, HostRefused, InvalidArguments, UpstreamDied, UpstreamFailed
from genui_core.ports.tool_source import (
    HostFacts,
    HostLine,
    Notice,
    Params,
    Result,
    ToolSource,
    UpstreamFacts,
)
from genui_core.testing.scripted_acts import Act, Die, Message
from genui_core.testing.scripted_upstream import CAPABILITIES, INFO, INSTRUCTIONS, ScriptedUpstream

_INVALID_REQUEST = -32600


@define(eq=False)
class _Call:
    line: HostLine | None
    done: anyio.Event = field(factory=anyio.Event)
    outcome: Result | GenUiError = field(factory=UpstreamDied)

    def settle(self, outcome: Result | GenUiError) -> None:
        self.outcome = outcome
        self.done.set()


@define(eq=False)
class ScriptedToolSource(ToolSource):
    """Asks a scripted upstream in memory; one that dies is there again at once.

    Attributes:
        host: Who asks.
        notice: Takes what belongs to no request.
        owner: Is asked what belongs to no request.
        upstream: What answers.
    """

    host: HostFacts
    notice: Notice
    owner: HostLine | None = None
    upstream: ScriptedUpstream = field(factory=ScriptedUpstream)
    _calls: dict[object, _Call] = field(factory=dict)
    _last_id: int = 0

    def __attrs_post_init__(self) -> None:
        """Begin as connections do."""
        self._begin()

    async def facts(self) -> UpstreamFacts:
        """Return what every scripted upstream says of itself."""
        return UpstreamFacts(
            self.host.protocol_version, self.upstream.stateless, CAPABILITIES, INFO, INSTRUCTIONS
        )

    async def request(self, method: str, params: Params | None, line: HostLine | None = None) -> Result:
        """Have the scripted upstream answer."""
        outbound(params)
        self._last_id += 1
        request_id = self._last_id
        call = self._calls[request_id] = _Call(line)
        message = {"jsonrpc": "2.0", "id": request_id, "method": method}
        try:
            await self._perform(
                self.upstream.receive(message if params is None else {**message, "params": params})
            )
            await call.done.wait()
        except anyio.get_cancelled_exc_class():
            self.upstream.closed(request_id)
            raise
        finally:
            del self._calls[request_id]
        if isinstance(call.outcome, GenUiError):
            raise call.outcome
        return call.outcome

    async def notify(self, method: str, params: Params | None) -> None:
        """Tell the scripted upstream, unless it is about a connection or a request that it does not know."""
        if method in {"notifications/initialized", "notifications/cancelled"}:
            return
        await self._perform(
            self.upstream.receive({"jsonrpc": "2.0", "method": method, "params": params or {}})
        )

    def close(self) -> None:
        """Fail what is unanswered."""
        for call in self._calls.values():
            call.settle(UpstreamDied())

    def _begin(self) -> None:
        """Do what a connection does first, so that the upstream knows it is listened to."""
        self.upstream = ScriptedUpstream(self.upstream.stateless)
        self.upstream.memory.listeners.append(None)
        if self.upstream.stateless:
            self.upstream.memory.requests.append({"method": "subscriptions/listen", "params": {}})
        else:
            self.upstream.memory.notifications.append({"method": "notifications/initialized", "params": {}})

    async def _perform(self, acts: list[Act]) -> None:
        for act in acts:
            if isinstance(act, Die):
                self._begin()
                self.close()
            else:
                await self._say(act.message, self._calls.get(act.of))

    async def _say(self, message: Message, of: _Call | None) -> None:
        method, params = message.get("method"), message.get("params")
        said = params if isinstance(params, dict) else {}
        if not isinstance(method, str):
            self._settle(message)
        elif "id" in message:
            await self._perform(self.upstream.receive(await self._put(message["id"], method, said, of)))
        elif of is not None and of.line is not None:
            await of.line.tell(method, said)
        else:
            await self.notice(method, said)

    def _settle(self, answer: Message) -> None:
        call, result, error = self._calls.get(answer.get("id")), answer.get("result"), answer.get("error")
        if call is not None and isinstance(result, dict):
            call.settle(result)
        elif call is not None and isinstance(error, dict):
            call.settle(UpstreamFailed(error))

    async def _put(self, question: object, method: str, params: Params, of: _Call | None) -> Message:
        """Put a question to the host, and return its answer as a message."""
        answer = {"jsonrpc": "2.0", "id": question}
        line = (of.line if of is not None else None) or self.owner
        if method == "ping":
            return {**answer, "result": {}}
        if line is None:
            return {**answer, "error": {"code": _INVALID_REQUEST, "message": "Nobody can be asked."}}
        try:
            result = await line.ask(method, params)
            outbound(result)
        except HostRefused as refused:
            return {**answer, "error": refused.error}
        except InvalidArguments as error:
            return {**answer, "error": {"code": _INVALID_REQUEST, "message": str(error)}}
        return {**answer, "result": result}


@asynccontextmanager
async def open_scripted(
    host: HostFacts, notice: Notice, owner: HostLine | None = None
) -> AsyncIterator[ScriptedToolSource]:
    """Open a scripted source of the generation that the host speaks: a `ToolSourceOpener`."""
    source = ScriptedToolSource(host, notice, owner, ScriptedUpstream(host.stateless))
    try:
        yield source
    finally:
        source.close()
