"""A source of answers for tests: a scripted upstream in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from attrs import define

from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.errors import GenUiError
from genui_core.ports.tool_source import (
    HostChannel,
    HostFacts,
    Notice,
    Params,
    Result,
    ToolSource,
    UpstreamFacts,
)
from genui_core.testing.upstreams.scripted_stage import Call, Stage
from genui_core.testing.upstreams.scripted_upstream import CAPABILITIES, INFO, INSTRUCTIONS, ScriptedUpstream

_OUR_OWN = ("notifications/initialized", "notifications/cancelled")
"""What is said of a connection, or of a request by its id: nothing that a scripted upstream knows."""


@define(eq=False)
class ScriptedToolSource(ToolSource):
    """Asks a scripted upstream in memory; one that dies is there again at once.

    Attributes:
        host: Who asks.
        stage: Where the upstream's acts are performed.
    """

    host: HostFacts
    stage: Stage
    _last_id: int = 0

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
