"""Streamable HTTP for hosts with a session, for hosts without one, and for the stateless generation, side by side."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from attrs import frozen
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from genui_adapters.host.quick_answers import OpenSessions, QuickAnswers

MAX_BODY_BYTES = 4 * 1024 * 1024
"""A longer request is answered with 413."""
MOST_SESSIONS = 10_000


@asynccontextmanager
async def streamable_endpoint(
    server: Server[Any],
    know_sessions: Callable[[OpenSessions], None] = lambda _sessions: None,
    most_sessions: int = MOST_SESSIONS,
) -> AsyncIterator[ASGIApp]:
    """Run the endpoint; leaving ends all sessions.

    Args:
        server: What the hosts speak to.
        know_sessions: Is given the sessions, to end those that no host uses.
        most_sessions: How many sessions may be open; beyond that, the longest idle session ends.
    """
    with_sessions = StreamableHTTPSessionManager(
        server, max_request_body_size=MAX_BODY_BYTES, max_sessions=most_sessions
    )
    sessions = OpenSessions(with_sessions)
    know_sessions(sessions)
    without = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=MAX_BODY_BYTES)
    async with with_sessions.run(), without.run():
        split = _Split(
            with_sessions.handle_request, without.handle_request, QuickAnswers(with_sessions), sessions
        )
        yield RequestBodyLimitMiddleware(split, MAX_BODY_BYTES)


@frozen
class _Split:
    """Tells hosts that keep a session from those that never began one.

    A host begins its session with ``initialize`` and names it ever after. What comes without
    either is answered on its own, as a server without sessions would.
    """

    with_sessions: ASGIApp
    without: ASGIApp
    quick: QuickAnswers
    sessions: OpenSessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await self.with_sessions(scope, receive, send)
            return
        first = await receive()  # all of it: the limit before us has waited for the rest
        body, again = first.get("body", b""), _again(first, receive)
        if "mcp-session-id" in Headers(scope=scope):
            if not await self.quick.serve(body, scope, again, send):
                await self.with_sessions(scope, again, send)
        elif _is_initialize(body):
            self.sessions.make_room()
            await self.with_sessions(scope, again, send)
        else:
            await self.without(scope, again, send)


def _is_initialize(body: bytes) -> bool:
    if b'"initialize"' not in body:
        return False
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("method") == "initialize"


def _again(first: Message, receive: Receive) -> Receive:
    """Return what gives a message that was taken, and then those that follow."""
    waiting = [first]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message
