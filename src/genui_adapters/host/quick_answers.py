"""Answers of Streamable HTTP sessions that come at once, given in one piece.

The SDK opens a stream of events for every request, with five tasks around it, which costs more
than all else about a call. Where the answer is the first thing to be said about a request, we
send the same stream whole: one event, then its end. As soon as there is something else to say,
or nothing for a while, it is a stream as the SDK makes it.

This module knows what the SDK keeps to itself about its transport; whatever is unusual about a
request is left to the SDK.
"""

import math
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from http import HTTPStatus

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream
from attrs import frozen
from mcp.server.streamable_http import EventMessage, StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION
from pydantic import ValidationError
from sse_starlette import EventSourceResponse
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

_AT_ONCE_S = 1.0
"""How long an answer may take before the host is given a stream, on which it can see that we live."""
_ROOM = 16
_BOTH = ("application/json", "text/event-stream")


@frozen
class QuickAnswers:
    """Serves the plain requests of sessions.

    Attributes:
        sessions: Knows the sessions.
    """

    sessions: StreamableHTTPSessionManager

    async def serve(self, body: bytes, scope: Scope, receive: Receive, send: Send) -> bool:
        """Serve a POST that names a session, if it is a plain request; say whether it was."""
        headers = Headers(scope=scope)
        transport = self._transport(headers)
        message = None if transport is None else _request_in(body)
        if transport is None or message is None:
            return False
        with _in_use(transport):
            await _answer(transport, message, Request(scope, receive), send)
        return True

    def _transport(self, headers: Headers) -> StreamableHTTPServerTransport | None:
        transport = self.sessions._server_instances.get(headers["mcp-session-id"])  # noqa: SLF001 -- see the module
        if transport is None or _is_ending(transport) or not _is_plain(headers):
            return None
        return transport


@frozen
class OpenSessions:
    """The sessions of Streamable HTTP, and which of them no host uses at the moment.

    Attributes:
        manager: Knows the sessions.
    """

    manager: StreamableHTTPSessionManager

    def idle_until(self, session_id: str) -> float | None:
        """Return when a session ends if it stays idle; None for one with an open request or stream."""
        transport = self.manager._server_instances.get(session_id)  # noqa: SLF001 -- see the module
        scope = transport.idle_scope if transport is not None else None
        return scope.deadline if scope is not None and math.isfinite(scope.deadline) else None

    def end(self, session_id: str) -> None:
        """End an idle session now; its host is answered 404 and begins another."""
        transport = self.manager._server_instances.pop(session_id, None)  # noqa: SLF001 -- see the module
        self.manager._session_owners.pop(session_id, None)  # noqa: SLF001
        if transport is not None and transport.idle_scope is not None:
            transport.idle_scope.cancel()

    def make_room(self) -> None:
        """End the session that has been idle for longest, if there are as many as there may be."""
        present, most = self.manager._server_instances, self.manager.max_sessions  # noqa: SLF001 -- see the module
        if most is None or len(present) < most:
            return
        idle = [(until, each) for each in present if (until := self.idle_until(each)) is not None]
        if idle:
            self.end(min(idle)[1])


def _is_ending(transport: StreamableHTTPServerTransport) -> bool:
    idle = transport.idle_scope
    return transport.is_terminated or (idle is not None and idle.cancel_called)


@contextmanager
def _in_use(transport: StreamableHTTPServerTransport) -> Iterator[None]:
    """Keep a session from ending as idle during a request, as the SDK does for its own requests."""
    idle, most_s = transport.idle_scope, transport._idle_timeout  # noqa: SLF001 -- see the module
    if idle is None or most_s is None:
        yield
        return
    transport._requests_in_flight += 1  # noqa: SLF001
    idle.deadline = math.inf
    try:
        yield
    finally:
        transport._requests_in_flight -= 1  # noqa: SLF001
        if not transport._requests_in_flight:  # noqa: SLF001
            idle.deadline = anyio.current_time() + most_s


def _is_plain(headers: Headers) -> bool:
    version = headers.get("mcp-protocol-version", LATEST_HANDSHAKE_VERSION)
    accepts = [each.strip() for each in headers.get("accept", "").split(",")]
    is_json = headers.get("content-type", "").partition(";")[0].strip() == _BOTH[0]
    return is_json and version in HANDSHAKE_PROTOCOL_VERSIONS and all(each in accepts for each in _BOTH)


def _request_in(body: bytes) -> JSONRPCRequest | None:
    try:
        return JSONRPCRequest.model_validate_json(body, by_name=False)
    except ValidationError:
        return None


async def _answer(
    transport: StreamableHTTPServerTransport, message: JSONRPCRequest, request: Request, send: Send
) -> None:
    stream_id = str(message.id)
    sending, receiving = anyio.create_memory_object_stream[EventMessage](_ROOM)
    transport._request_streams[stream_id] = (sending, receiving)  # noqa: SLF001 -- see the module
    try:
        await _hand_in(transport, message, request, stream_id)
        first = None
        with anyio.move_on_after(_AT_ONCE_S):
            first = await receiving.receive()
        response = _whole(first, transport) or EventSourceResponse(
            _data_of(first, receiving), headers=_session_header(transport)
        )
    except (anyio.EndOfStream, anyio.ClosedResourceError):
        response = Response("The session has ended.", HTTPStatus.NOT_FOUND)
    try:
        await response(request.scope, request.receive, send)
    finally:
        await transport._clean_up_memory_streams(stream_id)  # noqa: SLF001


async def _hand_in(
    transport: StreamableHTTPServerTransport, message: JSONRPCRequest, request: Request, stream_id: str
) -> None:
    version = request.headers.get("mcp-protocol-version", LATEST_HANDSHAKE_VERSION)
    taken = transport._create_session_message(message, request, stream_id, version)  # noqa: SLF001 -- see the module
    writer = transport._read_stream_writer  # noqa: SLF001
    if writer is None:
        raise anyio.ClosedResourceError
    await writer.send(taken)


def _whole(first: EventMessage | None, transport: StreamableHTTPServerTransport) -> Response | None:
    """Return the response for a request whose answer is the first that is said about it."""
    if first is None or not _is_answer(first):
        return None
    event = f"event: message\r\ndata: {_text(first)}\r\n\r\n"
    headers = {**_session_header(transport), "cache-control": "no-store", "content-type": "text/event-stream"}
    return Response(event, headers=headers)


async def _data_of(
    first: EventMessage | None, receiving: MemoryObjectReceiveStream[EventMessage]
) -> AsyncIterator[dict[str, str]]:
    """Give the events of a request up to its answer."""
    if first is not None:
        yield _event(first)
    async for each in receiving:
        yield _event(each)
        if _is_answer(each):
            return


def _is_answer(event: EventMessage) -> bool:
    return isinstance(event.message, JSONRPCResponse | JSONRPCError)


def _event(event: EventMessage) -> dict[str, str]:
    return {"event": "message", "data": _text(event)}


def _text(event: EventMessage) -> str:
    return event.message.model_dump_json(by_alias=True, exclude_unset=True)


def _session_header(transport: StreamableHTTPServerTransport) -> dict[str, str]:
    return {"mcp-session-id": transport.mcp_session_id or ""}
