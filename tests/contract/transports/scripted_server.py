"""An SDK-made server that answers like a scripted upstream, for the in-process transport."""

from itertools import count

import anyio
from attrs import define, field
from mcp import MCPError
from mcp.server import Server
from mcp_types import ErrorData
from pydantic import BaseModel

from genui_adapters.host import attach
from genui_adapters.host.middleware import HostMessage
from genui_core.errors import HostRefused
from genui_core.testing.scripted_upstream import INFO, Die, ScriptedUpstream

_STATE = "scripted"


class Said(BaseModel):
    """A notification with its fields unchanged, also those that the SDK does not know."""

    method: str
    params: dict | None = None


@define(eq=False)
class Call:
    """A request that waits for its answer."""

    exchange: HostMessage
    done: anyio.Event = field(factory=anyio.Event)
    answer: dict = field(factory=dict)


@define(eq=False)
class ScriptedServer:
    """The innermost middleware of a server, with one scripted upstream per session, and one for stateless hosts.

    Attributes:
        kind: The class of the scripted upstreams.
        upstreams: The scripted upstreams, in order.
    """

    kind: type[ScriptedUpstream]
    upstreams: list
    _of_stateless: ScriptedUpstream | None = None
    _calls: dict = field(factory=dict)
    _ids: count = field(factory=lambda: count(1))

    def dressed(self, wrapper):
        """Return the server with a wrapper attached, and the attachment."""
        server = Server(INFO["name"], version=INFO["version"])
        attachment = attach(wrapper, server)
        server.middleware.append(self)
        return server, attachment

    async def __call__(self, ctx, call_next):
        exchange = HostMessage(ctx, call_next)
        upstream = self._upstream(exchange)
        message = {"jsonrpc": "2.0", "method": ctx.method, "params": dict(ctx.params or {})}
        if ctx.request_id is None:
            if ctx.method != "notifications/cancelled":  # the SDK itself cancels the call
                await self._play(upstream, message)
            return await call_next(ctx)
        number = next(self._ids)
        call = self._calls[number] = Call(exchange)
        try:
            await self._play(upstream, {**message, "id": number})
            await call.done.wait()
        except anyio.get_cancelled_exc_class():
            upstream.closed(number)
            raise
        finally:
            del self._calls[number]
        if "error" in call.answer:
            error = ErrorData.model_validate(call.answer["error"])
            raised = MCPError(error.code, error.message, error.data)
            raised.error = error
            raise raised
        return call.answer["result"]

    def _upstream(self, exchange):
        if exchange.request.stateless:
            if self._of_stateless is None:
                self._of_stateless = self._begun(stateless=True)
            return self._of_stateless
        state = exchange.connection.state
        if _STATE not in state:
            state[_STATE] = self._begun(stateless=False)
        return state[_STATE]

    def _begun(self, *, stateless):
        self.upstreams.append(self.kind(stateless))
        return self.upstreams[-1]

    async def _play(self, upstream, message, session=None):
        for act in upstream.receive(message):
            assert not isinstance(act, Die), "a server that dies would take the in-process transport along"
            said, call = act.message, self._calls.get(act.of)
            if "method" not in said:
                call.answer = said
                call.done.set()
                continue
            speaker = session or (call or next(iter(self._calls.values()))).exchange
            if "id" in said:
                channel = speaker.session_channel if act.of is None else speaker.channel
                await self._play(upstream, {"id": said["id"], **await asked(channel, said)}, speaker)
            else:
                note = Said(method=said["method"], params=said.get("params") or None)
                await speaker.context.session.send_notification(note, related_request_id=act.of)


async def asked(line, question):
    try:
        return {"result": await line.ask(question["method"], question.get("params") or {})}
    except HostRefused as refused:
        return {"error": refused.error}
