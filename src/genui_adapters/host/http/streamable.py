"""The endpoint of Streamable HTTP, for hosts with or without a session, and for the 2026-07-28 era."""

from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial

from attrs import frozen

from genui_adapters.host.http.events import OpenSession, Reply, Sessions, serve_stream
from genui_adapters.host.http.exchange import (
    EVENTS,
    JSON,
    Answering,
    Exchange,
    Refused,
    RequestHead,
    origin_of,
)
from genui_adapters.host.sessions.host_session import Answer, SentCall, error_answer
from genui_adapters.host.sessions.proxy_server import ProxyServer
from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.message import Message
from genui_core.domain.framing.verbatim import message_in
from genui_core.domain.mcp.envelope import HANDSHAKE, UNSAID_HANDSHAKE
from genui_core.domain.mcp.jsonrpc import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_DEPTH_ERRORS,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    MessageKind,
    failure_message,
    http_status,
    message_kind,
    outbound,
)
from genui_core.domain.mcp.request_checks import (
    Error,
    envelope_error,
    header_error,
    mirrored_error,
    version_error,
)

MOST_SESSIONS = 10_000
"""How many sessions may be open; beyond that, the longest idle session ends."""
SESSION_IDLE_S = 1800.0
"""How long a session may go without a request or a stream before it ends."""
_ROUTING = (b"mcp-protocol-version", b"mcp-method", b"mcp-name")
_CANCELLED = 200, REQUEST_CANCELLED, "Request cancelled"
_ENDED = 404, INVALID_REQUEST, "The session has ended."


@asynccontextmanager
async def streamable_endpoint(proxy: ProxyServer) -> "AsyncIterator[StreamableEndpoint]":
    """Run the endpoint; leaving ends all sessions."""
    async with nursery() as tasks:
        sessions = Sessions(proxy, MOST_SESSIONS, SESSION_IDLE_S)
        tasks.start_soon(sessions.sweep)
        try:
            yield StreamableEndpoint(proxy, sessions)
        finally:
            sessions.end_all()


@frozen(eq=False)
class StreamableEndpoint:
    """Answers the requests to the endpoint.

    A host begins its session with ``initialize`` and names it in every later request. A request of a
    handshake era that names no session is answered on its own.
    """

    _proxy: ProxyServer
    _sessions: Sessions

    def __call__(self, exchange: Exchange) -> Answering | None:
        """Answer a request, or return the coroutine that does."""
        if exchange.head.method == "POST":
            _check_types(exchange.head)
        version = exchange.headers.get("mcp-protocol-version")
        if version is not None and version not in HANDSHAKE:
            return _serve_stateless(self._proxy, exchange)
        session_id = exchange.headers.get("mcp-session-id")
        if session_id is None:
            return self._without_session(exchange)
        found = self._sessions.open.get(session_id)
        if found is None:
            raise _refused(404, "Session not found")
        found.use()
        return None if self._pass_call(exchange, found) else self._in_session(exchange, found)

    def _pass_call(self, exchange: Exchange, found: OpenSession) -> bool:
        """Send the upstream a call that the wrapper only forwards; return whether the request is one.

        It gets a task only if its answer takes long, or is not all that is said.
        """
        body = exchange.body_now
        if exchange.head.method != "POST" or body is None or b"tools/call" not in body:
            return False
        _, message = _message_in(body)
        reply = found.reply(exchange)
        if (call := found.session.send_call(message, reply.say)) is not None:
            reply.when_settled(call.sent, partial(self._end_call, found, call, reply))
        return call is not None

    def _end_call(self, found: OpenSession, call: SentCall, reply: Reply) -> Answering | None:
        answer = call.answer_now()
        if answer is None:
            return self._finish_call(found, call, reply)
        reply.exchange.respond(200, answer.body, headers=found.headers)
        found.leave(self._sessions.idle_s)
        return None

    async def _finish_call(self, found: OpenSession, call: SentCall, reply: Reply) -> None:
        try:
            await self._respond(found, call.message, reply, call.answer())
        finally:
            found.leave(self._sessions.idle_s)

    async def _in_session(self, exchange: Exchange, found: OpenSession) -> None:
        try:
            if exchange.head.method == "POST":
                await self._take(exchange, found)
            elif exchange.head.method == "GET":
                await _listen(exchange, found)
            else:
                found.session.expire()
                exchange.respond(200, headers=found.headers)
        finally:
            found.leave(self._sessions.idle_s)

    async def _without_session(self, exchange: Exchange) -> None:
        if exchange.head.method != "POST":
            raise _refused(400, "Bad Request: Missing session ID")
        kind, message = _message_in(await exchange.body())
        if kind == "request" and message["method"] == "initialize":
            await self._begin(exchange, message)
        elif kind == "request":
            await self._answer_alone(exchange, message)
        else:
            exchange.respond(202)

    async def _begin(self, exchange: Exchange, message: Message) -> None:
        begun = self._sessions.begin(exchange)
        if begun is None:
            raise _refused(503, "Too many open sessions", INTERNAL_ERROR)
        begun.use()
        is_established = False
        try:
            is_established = await self._answer(exchange, begun, message)
        finally:
            begun.leave(self._sessions.idle_s)
            if not is_established:
                begun.session.expire()

    async def _take(self, exchange: Exchange, found: OpenSession) -> None:
        kind, message = _message_in(await exchange.body())
        if kind == "request":
            await self._answer(exchange, found, message)
            return
        exchange.respond(202, headers=found.headers)
        if kind == "notification":
            await found.session.notification(message)
        else:
            found.session.take_answer(message)

    async def _answer(self, exchange: Exchange, found: OpenSession, message: Message) -> bool:
        """Answer a request; return whether the answer is a result."""
        reply = found.reply(exchange)
        return await self._respond(found, message, reply, found.session.request(message, reply.say))

    async def _respond(
        self, found: OpenSession, message: Message, reply: Reply, answering: Awaitable[Answer | None]
    ) -> bool:
        answer = await reply.until(answering)
        if answer is None:
            status, code, words = _CANCELLED if self._sessions.open.get(found.session_id) is found else _ENDED
            await reply.finish(status, error_answer(message["id"], {"code": code, "message": words}).body)
            return False
        await reply.finish(200, answer.body)
        return answer.error is None

    async def _answer_alone(self, exchange: Exchange, message: Message) -> None:
        version = exchange.headers.get("mcp-protocol-version", UNSAID_HANDSHAKE)
        reply = Reply(exchange)
        answer = await reply.until(self._proxy.respond_alone(message, reply.say, version=version))
        await reply.finish(200, answer.body)


def _refused(status: int, message: str, code: int = INVALID_REQUEST) -> Refused:
    """Return the refusal with a JSON-RPC error that belongs to no request."""
    return Refused(status, outbound(failure_message(None, code, message)).decode(), JSON)


def _check_types(head: RequestHead) -> None:
    """Raise `Refused` unless a message can be read, and answered in either form."""
    if not head.accepts_both:
        raise _refused(406, f"Not Acceptable: a host must accept both {JSON} and {EVENTS}")
    if not head.is_json:
        raise _refused(400, f"The content type must be {JSON}")


def _message_in(
    body: bytes, kinds: Sequence[MessageKind] = ("request", "notification", "answer")
) -> tuple[MessageKind, Message]:
    """Return the kind of a posted message, and the message; raise `Refused` unless it is of these kinds."""
    try:
        message = message_in(body)
    except PARSE_DEPTH_ERRORS as error:
        raise _refused(400, f"Parse error: {error}", PARSE_ERROR) from error
    kind = message_kind(message)
    if not isinstance(message, dict) or kind is None or kind not in kinds:
        raise _refused(400, f"The body must be one JSON-RPC message: {' or '.join(kinds)}")
    return kind, message


async def _listen(exchange: Exchange, found: OpenSession) -> None:
    """Serve the stream of messages that belong to no request, or resume a stream after an event."""
    if not exchange.head.accepts(EVENTS):
        raise _refused(406, f"Not Acceptable: a host must accept {EVENTS}")
    last_event = exchange.headers.get("last-event-id")
    resumed = found.stream_after(last_event) if last_event is not None else None
    if resumed is not None:
        await serve_stream(exchange, resumed[0], found.headers, resumed[1])
    elif found.channel.is_attached:
        raise _refused(409, "Conflict: a session has one stream of this kind")
    else:
        await serve_stream(exchange, found.channel, found.headers)


# --- the 2026-07-28 era: each message has its own response ------------------------------


async def _serve_stateless(proxy: ProxyServer, exchange: Exchange) -> None:
    """Answer a request; cancel it if the host leaves before the answer."""
    if exchange.head.method != "POST":
        exchange.respond(405, headers=((b"allow", b"POST"),))
        return
    kind, message = _message_in(await exchange.body(), ("request", "notification"))
    error = _error_in(proxy, exchange, message)
    if error is not None:
        exchange.respond(http_status(error), error_answer(message.get("id"), error).body)
    elif kind == "request":
        await _answer_stateless(proxy, exchange, message)
    else:
        exchange.respond(202)


def _error_in(proxy: ProxyServer, exchange: Exchange, message: Message) -> Error | None:
    if "id" not in message:
        return version_error(exchange.headers.get("mcp-protocol-version"))
    names = [name for name, _ in exchange.head.all_headers]
    repeated = next((each.decode() for each in _ROUTING if names.count(each) > 1), None)
    if repeated is not None:
        return {"code": HEADER_MISMATCH, "message": f"The header {repeated} is there more than once"}
    params, method, headers = message.get("params"), message["method"], exchange.headers
    error = envelope_error(params)
    if error is not None or not isinstance(params, Mapping):
        return error
    error = header_error(method, params, headers) or version_error(headers["mcp-protocol-version"])
    if error is None and method == "tools/call":
        schema = proxy.input_schema(params.get("name"))
        error = mirrored_error(schema, params.get("arguments"), headers)
    return error


async def _answer_stateless(proxy: ProxyServer, exchange: Exchange, message: Message) -> None:
    async def work() -> None:
        reply = Reply(exchange)
        answer = await reply.until(proxy.respond_alone(message, reply.say, origin_of(exchange)))
        await reply.finish(http_status(answer.error), answer.body)

    await exchange.unless_disconnected(work())
