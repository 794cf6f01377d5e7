"""One request of a host to the upstream, and the requests that the wrapper answers in its place."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial

import anyio
from attrs import frozen

from genui_adapters.host.channels import TellOnly
from genui_adapters.host.listeners import ListenStream, SessionListener
from genui_adapters.host.sessions.callers import HostCall, handshake_version
from genui_adapters.host.sessions.suspended_calls import SuspendedCalls, can_be_asked
from genui_adapters.host.sessions.upstream_connection import UpstreamConnection
from genui_core.application.requests.host_request import HostRequest
from genui_core.domain.mcp.envelope import (
    LOG_LEVEL_KEY,
    LOG_MESSAGE,
    STATELESS,
    as_handshake,
    as_stateless,
    is_wanted,
    needs_input,
    request_meta,
)
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import INTERNAL_ERROR, METHOD_NOT_FOUND, Params, Result
from genui_core.domain.mcp.methods import CHANGES, LISTEN, Subscription, granted, wanted_by, wanted_uris
from genui_core.errors import HostRefused, UpstreamDied, UpstreamFailed, UpstreamUnreachable
from genui_core.ports.tool_source import HostChannel, ToolSource, UpstreamFacts

_MOST_ROUNDS = 32
_MAY_NEED_INPUT = frozenset({"tools/call", "prompts/get", "resources/read"})


async def _ask_all(questions: object, channel: HostChannel) -> Mapping[str, Result]:
    """Ask the host all questions at once, and return its answers by key.

    Raises UpstreamFailed with the host's error if the host refuses a question.
    """
    asked = as_object(questions)
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
            said = as_object(question)
            tasks.start_soon(ask, key, str(said.get("method")), as_object(said.get("params")))
    if refusals:
        raise UpstreamFailed(refusals[0].error)
    return {key: answers[key] for key in asked}


def _is_opted_in(level: object, method: str, params: Params) -> bool:
    """Whether a stateless host wants a notification: it gets log messages only if its request asks for them."""
    return method != LOG_MESSAGE or is_wanted(params.get("level"), level)


@frozen(eq=False, repr=False)
class UpstreamRequest:
    """A host's request, or one in its name: asked in the upstream's era, answered in the host's era."""

    call: HostCall
    source: ToolSource
    facts: UpstreamFacts
    upstream: UpstreamConnection
    suspended: SuspendedCalls
    listener: SessionListener | None

    async def ask(self, asked: HostRequest) -> Result:
        """Return the upstream's answer, in the host's era.

        Raises:
            UpstreamFailed: The upstream answers with an error, or the host does when it is asked.
            GenUiError: The upstream does not answer.
        """
        channel = self.call.channel
        if not can_be_asked(asked.capabilities):
            channel = TellOnly(channel) if self.listener is None else TellOnly(channel, self.listener.wants)
        level = request_meta(asked.params).get(LOG_LEVEL_KEY) if asked.stateless else None
        if level is not None and not self.facts.stateless:
            await self._set_log_level(level)
        if asked.stateless == self.facts.stateless:
            return await self._send(asked, channel)
        if asked.stateless:
            wanted = TellOnly(channel, partial(_is_opted_in, level))
            result = await self._ask_with_suspension(asked, wanted)
            return as_stateless(asked.method, result, self.facts.info)
        return as_handshake(asked.method, await self._ask_in_rounds(asked, channel))

    async def _set_log_level(self, level: object) -> None:
        """Set the log level of a stateful upstream to the level that a stateless request asks for."""
        if "logging" not in self.facts.capabilities or self.upstream.logs_at(level):
            return
        with suppress(UpstreamFailed):  # then the request goes without its log
            await self.upstream.set_log_level(level)

    async def _send(self, request: HostRequest, channel: HostChannel) -> Result:
        return await self.source.request(request.method, request.params or None, channel)

    async def _ask_with_suspension(self, request: HostRequest, channel: HostChannel) -> Result:
        """Return a handshake upstream's answer to a stateless host."""
        if request.method not in _MAY_NEED_INPUT or not can_be_asked(request.capabilities):
            return await self._send(request, channel)
        ask = partial(self._send, request)
        return await self.suspended.make(request, self.upstream.key, channel, ask)

    async def _ask_in_rounds(self, request: HostRequest, channel: HostChannel) -> Result:
        """Return a stateless upstream's answer to a handshake host; ask the host for required input."""
        params, log_level = request.params, self.listener and self.listener.log_level
        if log_level is not None:
            params = {**params, "_meta": {**request_meta(params), LOG_LEVEL_KEY: log_level}}
        for _ in range(_MOST_ROUNDS):
            result = await self.source.request(request.method, params or None, channel)
            if not needs_input(result):
                return result
            answers = await _ask_all(result.get("inputRequests"), channel)
            state = {"requestState": result["requestState"]} if "requestState" in result else {}
            params = {**params, "inputResponses": answers, **state}
        message = f"The upstream still required input after {_MOST_ROUNDS} rounds."
        raise UpstreamFailed({"code": INTERNAL_ERROR, "message": message})


# --- subscriptions and log levels -------------------------------------------------------


async def listen(sent: UpstreamRequest, asked: HostRequest) -> Result:
    """Serve the stream of a stateless host: the upstream's notifications, and those about views."""
    upstream, wanted, held = sent.upstream, wanted_by(asked.params), list[str]()
    views = await upstream.router.listened_views(asked, sent.ask)
    try:
        for uri in wanted_uris(wanted):
            with suppress(UpstreamFailed):
                if uri not in views:
                    await upstream.hold(uri)
                    held.append(uri)
        covered = granted(wanted, kinds=CHANGES, uris=(*views, *held))
        stream = ListenStream(sent.call.channel, Subscription(sent.call.request_id, wanted, covered))
        with upstream.listeners.notifying(stream):
            return await stream.serve()
    finally:
        upstream.release_all(held)


async def subscribe(sent: UpstreamRequest, asked: HostRequest) -> Result:
    """Subscribe a host with a session to a resource of the upstream."""
    listener, uri = sent.listener, asked.params.get("uri")
    if listener is None or listener.has_own_upstream or not isinstance(uri, str):
        return await sent.ask(asked)
    if uri in listener.subscribed:
        return {}
    result = await sent.upstream.hold(uri)
    listener.subscribed.add(uri)
    return result


async def unsubscribe(sent: UpstreamRequest, asked: HostRequest) -> Result:
    """Unsubscribe a host with a session."""
    listener, uri = sent.listener, asked.params.get("uri")
    if listener is None or not isinstance(uri, str) or uri not in listener.subscribed:
        return await sent.ask(asked)
    listener.subscribed.discard(uri)
    return await sent.upstream.release(uri)


async def set_log_level(sent: UpstreamRequest, asked: HostRequest) -> Result:
    """Store the log level that a host wants; a stateless upstream reads it in each request."""
    level = asked.params.get("level")
    result: Result = {} if sent.facts.stateless else await sent.upstream.set_log_level(level)
    if sent.listener is not None:
        sent.listener.log_level = level
    return result


# --- the answer -------------------------------------------------------------------------


async def answer_request(sent: UpstreamRequest) -> Result:
    """Return the answer to a host's request, or raise the `GenUiError` that the host gets."""
    request = sent.call.request
    if request.method in (_HANDSHAKE_ONLY if request.stateless else _STATELESS_ONLY):
        raise UpstreamFailed(
            {"code": METHOD_NOT_FOUND, "message": "Method not found", "data": request.method}
        )
    result = await sent.upstream.router.answer(request, partial(forward, sent))
    if sent.listener is not None:
        sent.listener.followed.follow(request.params.get("uri"))
    return result


async def forward(sent: UpstreamRequest, asked: HostRequest) -> Result:
    """Return the upstream's answer, or answer a request about the connection in its place.

    Raises the `GenUiError` that says why there is no answer, or none that can be sent.
    """
    known, source = sent.upstream.known, sent.source
    found = known.find(asked.method, asked.params)
    if found is not None and not source.is_connected:
        return _result_of(found)
    instead = _INSTEAD.get(asked.method)
    try:
        result = await (sent.ask(asked) if instead is None else instead(sent, asked))
    except (UpstreamDied, UpstreamUnreachable):
        if found is None:
            raise
        return _result_of(found)
    except UpstreamFailed as failed:
        if failed.error.get("code") == METHOD_NOT_FOUND:
            known.learn(asked.method, asked.params, failed)
        raise
    known.learn(asked.method, asked.params, result)
    return result


def _result_of(found: Result | UpstreamFailed) -> Result:
    if isinstance(found, UpstreamFailed):
        raise found.with_traceback(None)
    return found


async def _initialize(sent: UpstreamRequest, asked: HostRequest) -> Result:
    facts, wanted = sent.facts, asked.params.get("protocolVersion")
    version = handshake_version(wanted) if facts.stateless else facts.protocol_version
    who = {"protocolVersion": version, "capabilities": facts.capabilities, "serverInfo": facts.info}
    return _with_instructions(facts, who)


async def _discover(sent: UpstreamRequest, asked: HostRequest) -> Result:
    facts = sent.facts
    what = {"supportedVersions": list(STATELESS), "capabilities": facts.capabilities}
    return as_stateless(asked.method, _with_instructions(facts, what), facts.info)


def _with_instructions(facts: UpstreamFacts, result: Result) -> Result:
    return result if facts.instructions is None else {**result, "instructions": facts.instructions}


async def _ping(_sent: UpstreamRequest, _asked: HostRequest) -> Result:
    return {}


_HANDSHAKE_ONLY = frozenset(
    ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]
)
_STATELESS_ONLY = frozenset(["server/discover", LISTEN])

_INSTEAD: Mapping[str, Callable[[UpstreamRequest, HostRequest], Awaitable[Result]]] = {
    "initialize": _initialize,
    "server/discover": _discover,
    "ping": _ping,
    LISTEN: listen,
    "resources/subscribe": subscribe,
    "resources/unsubscribe": unsubscribe,
    "logging/setLevel": set_log_level,
}
