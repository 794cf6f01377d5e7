"""A host on a transport that carries messages both ways: standard streams, or SSE with POSTs."""

from typing import Any

import anyio
from anyio.abc import TaskGroup

from genui_adapters.host.channels import Say
from genui_adapters.host.sessions.callers import Origin
from genui_adapters.host.sessions.host_session import Answer, error_answer
from genui_adapters.host.sessions.proxy_server import ProxyServer
from genui_adapters.upstream.message import Message
from genui_core.domain.framing.verbatim import message_in
from genui_core.domain.mcp.envelope import PROTOCOL_VERSION_KEY, STATELESS, is_stateless, request_meta
from genui_core.domain.mcp.jsonrpc import (
    INVALID_REQUEST,
    PARSE_DEPTH_ERRORS,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    message_kind,
    refused_id,
)
from genui_core.domain.mcp.methods import LISTEN
from genui_core.domain.mcp.request_checks import envelope_error, version_error


class DuplexHost:
    """A host on a two-way transport.

    Its first request decides in which era it is served; requests of the other era are refused.
    """

    def __init__(self, proxy: ProxyServer, tasks: TaskGroup, say: Say, origin: Origin = ()) -> None:
        self._proxy = proxy
        self._tasks = tasks
        self._say = say
        self._origin = origin
        self._session = proxy.session(say, origin=origin)
        self._stateless: bool | None = None
        self._unanswered = 0
        self._answered = anyio.Event()

    def take(self, data: bytes) -> Answer | None:
        """Take a message, or a batch of them (2025-03-26); return the refusal of anything else."""
        try:
            value = message_in(data)
        except PARSE_DEPTH_ERRORS as error:
            return error_answer(None, {"code": PARSE_ERROR, "message": f"Parse error: {error}"})
        messages: list[Any] = value if isinstance(value, list) else [value]
        if not messages or not all(map(message_kind, messages)):
            refusal = {"code": INVALID_REQUEST, "message": "This is no JSON-RPC message."}
            return error_answer(refused_id(value), refusal)
        for message in messages:
            self._take(message)
        return None

    def end(self) -> None:
        """End the session, because the host has left."""
        self._session.end()

    async def until_answered(self, within_s: float) -> None:
        """Wait until every request is answered or cancelled, except streams, but no longer than this."""
        with anyio.move_on_after(within_s):
            while self._unanswered:
                self._answered = anyio.Event()
                await self._answered.wait()

    def _take(self, message: Message) -> None:
        kind = message_kind(message)
        if kind == "answer":
            self._session.take_answer(message)
        elif kind == "notification":
            self._tasks.start_soon(self._session.notification, message)
        else:
            self._unanswered += message["method"] != LISTEN
            self._tasks.start_soon(self._serve, message)

    async def _serve(self, message: Message) -> None:
        try:
            answer = await self._answer(message)
            if answer is not None:
                await self._session.send_waiting()
                await self._say(answer.body)
        finally:
            self._unanswered -= message["method"] != LISTEN
            self._answered.set()

    async def _answer(self, message: Message) -> Answer | None:
        params, is_hello = message.get("params"), message["method"] == "initialize"
        stateless = is_stateless(params) and not is_hello
        if self._stateless is None:
            self._stateless = stateless
        if self._stateless:
            return await self._answer_stateless(message)
        if stateless:
            text = "This connection began with a handshake; requests of the 2026-07-28 era are refused on it."
            return error_answer(message["id"], {"code": INVALID_REQUEST, "message": text})
        return await self._session.request(message, self._say)

    async def _answer_stateless(self, message: Message) -> Answer | None:
        request_id, params = message["id"], message.get("params")
        if message["method"] == "initialize":
            data = {"supported": list(STATELESS)}
            text = "This connection is served without a handshake; initialize is refused on it."
            return error_answer(request_id, {"code": UNSUPPORTED_VERSION, "message": text, "data": data})
        error = envelope_error(params) or version_error(request_meta(params).get(PROTOCOL_VERSION_KEY))
        if error is not None:
            return error_answer(request_id, error)
        answer = self._proxy.respond_alone(message, self._say, self._origin)
        return await self._session.unless_cancelled(message, answer)
