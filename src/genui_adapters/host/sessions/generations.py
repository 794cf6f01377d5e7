"""Hosts and upstreams of different generations: what one says, as the other understands it.

Within a generation everything passes as it is. A stateless host at an upstream with a handshake
gets its results in the stateless envelope, and the upstream's questions as rounds of input
(`suspended_calls`). A host with a handshake at a stateless upstream has these rounds driven for it:
it is asked, and the request is sent again with what it said.
"""

from collections.abc import Mapping

import anyio
from attrs import frozen

from genui_adapters.host.sessions.suspended_calls import SuspendedCalls, can_be_asked
from genui_core.application.requests.host_request import HostRequest
from genui_core.domain.mcp.envelope import (
    LOG_LEVEL_KEY,
    LOG_MESSAGE,
    as_handshake,
    as_stateless,
    is_wanted,
    needs_input,
    request_meta,
)
from genui_core.errors import HostRefused, UpstreamFailed
from genui_core.ports.tool_source import HostChannel, Params, Result, ToolSource, UpstreamFacts

_MOST_ROUNDS = 32
_MAY_NEED_INPUT = frozenset({"tools/call", "prompts/get", "resources/read"})


@frozen
class Bridge:
    """Asks an upstream in its own generation, and answers hosts in theirs.

    Attributes:
        source: The upstream.
        facts: What it said of itself.
        suspended: Where calls wait for a stateless host's input.
        owner: Names the hosts that share this upstream.
    """

    source: ToolSource
    facts: UpstreamFacts
    suspended: SuspendedCalls
    owner: str

    async def ask(self, request: HostRequest, channel: HostChannel, log_level: object = None) -> Result:
        """Return what the upstream answers, in the host's generation.

        Args:
            request: The host's request.
            channel: The way back to the host while this request is open.
            log_level: How much of the log a host with a handshake wants.

        Raises:
            UpstreamFailed: It answers with an error, or the host does when it is asked.
            GenUiError: The upstream does not answer.
        """
        if request.stateless == self.facts.stateless:
            return await self._send(request, channel)
        if request.stateless:
            return as_stateless(request.method, await self._suspending(request, channel), self.facts.info)
        return as_handshake(request.method, await self._in_rounds(request, channel, log_level))

    async def _send(self, request: HostRequest, channel: HostChannel) -> Result:
        return await self.source.request(request.method, request.params or None, channel)

    async def _suspending(self, request: HostRequest, channel: HostChannel) -> Result:
        """Have a handshake upstream answer a stateless host."""
        channel = OptedInChannel(channel, request_meta(request.params).get(LOG_LEVEL_KEY))
        if request.method not in _MAY_NEED_INPUT or not can_be_asked(request.capabilities):
            return await self._send(request, channel)
        return await self.suspended.make(
            request, self.owner, channel, lambda suspended: self._send(request, suspended)
        )

    async def _in_rounds(self, request: HostRequest, channel: HostChannel, log_level: object) -> Result:
        """Have a stateless upstream answer a host with a handshake, which is asked what it requires."""
        params = request.params
        if log_level is not None:
            params = {**params, "_meta": {**request_meta(params), LOG_LEVEL_KEY: log_level}}
        for _ in range(_MOST_ROUNDS):
            result = await self.source.request(request.method, params or None, channel)
            if not needs_input(result):
                return result
            answers = await _answers(result.get("inputRequests"), channel)
            state = {"requestState": result["requestState"]} if "requestState" in result else {}
            params = {**params, "inputResponses": answers, **state}
        message = f"The upstream still required input after {_MOST_ROUNDS} rounds."
        raise UpstreamFailed({"code": -32603, "message": message})


async def _answers(questions: object, channel: HostChannel) -> Mapping[str, Result]:
    """Ask the host all questions at once, and return its answers by key.

    Raises:
        UpstreamFailed: The host refuses one; its error is then what its request comes to.
    """
    asked = questions if isinstance(questions, Mapping) else {}
    answers: dict[str, Result] = {}
    refusals: list[HostRefused] = []
    async with anyio.create_task_group() as tasks:

        async def ask(key: str, method: str, params: Params) -> None:
            try:
                answers[key] = await channel.ask(method, params)
            except HostRefused as refused:
                refusals.append(refused)
                tasks.cancel_scope.cancel()

        for key, question in asked.items():
            said = question if isinstance(question, Mapping) else {}
            params = said.get("params")
            tasks.start_soon(ask, key, str(said.get("method")), params if isinstance(params, Mapping) else {})
    if refusals:
        raise UpstreamFailed(refusals[0].error)
    return {key: answers[key] for key in asked}


@frozen
class OptedInChannel(HostChannel):
    """The connection to a stateless host, which gets log messages only if its request asked for them."""

    channel: HostChannel
    log_level: object

    async def ask(self, method: str, params: Params) -> Result:
        """Put a question to the host."""
        return await self.channel.ask(method, params)

    async def tell(self, method: str, params: Params) -> None:
        """Pass on a notification that the host wants."""
        if method != LOG_MESSAGE or is_wanted(params.get("level"), self.log_level):
            await self.channel.tell(method, params)
