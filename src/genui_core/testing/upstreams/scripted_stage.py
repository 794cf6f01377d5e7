"""Where the acts of a scripted upstream are performed in memory, before the hosts that asked."""

import anyio
from attrs import define, field

from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.errors import GenUiError, HostRefused, InvalidArguments, UpstreamDied, UpstreamFailed
from genui_core.ports.tool_source import HostChannel, Notice, Params, Result
from genui_core.testing.upstreams.scripted_acts import Act, Die, Message
from genui_core.testing.upstreams.scripted_upstream import ScriptedUpstream

_INVALID_REQUEST = -32600


@define(eq=False)
class Call:
    """A request that waits for its outcome.

    Attributes:
        channel: The host that asked, or None.
        done: Is set when there is an outcome.
        outcome: The result, or the error.
    """

    channel: HostChannel | None
    done: anyio.Event = field(factory=anyio.Event)
    outcome: Result | GenUiError = field(factory=UpstreamDied)

    def settle(self, outcome: Result | GenUiError) -> None:
        """Take the outcome."""
        self.outcome = outcome
        self.done.set()


@define(eq=False)
class Stage:
    """Performs acts; an upstream that dies is there again at once.

    Attributes:
        upstream: Whose acts they are.
        notice: Takes what belongs to no request.
        owner: Is asked what belongs to no request.
        calls: The requests that wait, by their id.
    """

    upstream: ScriptedUpstream
    notice: Notice
    owner: HostChannel | None = None
    calls: dict[object, Call] = field(factory=dict)

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
        method, params = message.get("method"), message.get("params")
        said = params if isinstance(params, dict) else {}
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
