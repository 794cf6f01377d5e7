"""Server-sent events: resumable streams, answers that become streams, and the open sessions."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from operator import itemgetter
from typing import TypeVar

import anyio
from attrs import define, field, frozen

from genui_adapters.host.http.exchange import EVENTS, Answering, Exchange, Headers, origin_of
from genui_adapters.host.sessions.host_session import HostSession
from genui_adapters.host.sessions.proxy_server import ProxyServer
from genui_core.domain.mcp.envelope import RESUMABLE_SINCE
from genui_core.ports.tool_source import SentRequest

_MOST_EVENTS = 256
_MOST_BYTES = 1 << 20
_PING_S = 15.0
_SWEEP_S = 30.0
_MOST_STREAMS = 32
"""How many streams of a session can be resumed."""
_ANSWER_SOON_S = 1.0
"""How long an answer may take before the host gets a stream, whose pings show that the wrapper lives."""

Answered = TypeVar("Answered")

_HEADERS = (
    (b"content-type", EVENTS.encode()),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
)


def message_event(message: bytes, event_id: str | None = None) -> bytes:
    """Return the event that carries a message."""
    numbered = f"id: {event_id}\r\n".encode() if event_id is not None else b""
    return b"event: message\r\n" + numbered + b"data: " + message + b"\r\n\r\n"


class EventStream:
    """The events of one stream, kept for a host that resumes it.

    Beyond a limit, the oldest events are dropped.

    Attributes:
        name: The prefix of its events' ids; None for a stream that cannot be resumed.
    """

    def __init__(self, name: str | None = None) -> None:
        self.name = name
        self.is_complete = False
        self._events: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._last = 0
        self._sent = 0
        self._exchange: Exchange | None = None
        self._is_flushing = False
        self._changed = anyio.Event()

    @property
    def is_attached(self) -> bool:
        """Whether a response gets the events now."""
        return self._exchange is not None

    async def put(self, message: bytes, *, is_last: bool = False) -> None:
        """Add a message; send it if a response is attached."""
        self._last += 1
        event_id = None if self.name is None else f"{self.name}-{self._last}"
        event = message_event(message, event_id)
        self._events.append((self._last, event))
        self._bytes += len(event)
        self.is_complete = is_last
        while len(self._events) > 1 and (len(self._events) > _MOST_EVENTS or self._bytes > _MOST_BYTES):
            self._bytes -= len(self._events.popleft()[1])
        await self.flush()

    def priming_event(self) -> bytes:
        """Return an event without data, whose id lets a host resume a stream without messages."""
        return f"id: {self.name}-{self._last}\r\ndata: \r\n\r\n".encode()

    def attach(self, exchange: Exchange, after: int | None = None) -> None:
        """Send events to this response only; ``after`` is the last event that the host has, if it resumes."""
        self._exchange = exchange
        if after is not None:
            self._sent = after
        self._wake()

    def detach(self, exchange: Exchange) -> None:
        """Send no more events to this response."""
        if self._exchange is exchange:
            self._exchange = None

    def close(self) -> None:
        """Mark the stream as complete."""
        self.is_complete = True
        self._wake()

    async def flush(self) -> None:
        """Send the unsent events."""
        if self._is_flushing:
            return
        self._is_flushing = True
        try:
            while self._exchange is not None and (event := self._following()) is not None:
                self._sent = event[0]
                await self._exchange.write(event[1])
        finally:
            self._is_flushing = False
        self._wake()

    def _following(self) -> tuple[int, bytes] | None:
        """Return the first unsent event, or None; the numbers of events have no gaps."""
        if self._sent >= self._last:
            return None
        return self._events[max(0, self._sent + 1 - self._events[0][0])]

    async def serve(self, exchange: Exchange) -> None:
        """Keep the response open until the stream is complete, or another response is attached."""
        await self.flush()
        while self._exchange is exchange and not (self.is_complete and self._following() is None):
            with anyio.move_on_after(_PING_S):
                await self._changed.wait()
                continue
            await exchange.write(b": ping\r\n\r\n")

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


async def serve_stream(
    exchange: Exchange,
    stream: EventStream,
    headers: Headers = (),
    after: int | None = None,
    opening: bytes = b"",
) -> None:
    """Answer with a stream of events until it is complete or the host leaves; a host may resume it."""
    exchange.start(200, (*_HEADERS, *headers))
    if opening:
        await exchange.write(opening)
    stream.attach(exchange, after)
    try:
        await exchange.unless_disconnected(stream.serve(exchange))
    finally:
        stream.detach(exchange)
    await exchange.write(b"", more=False)


@define(eq=False)
class Reply:
    """The response to an MCP request: one JSON body, or a stream if other messages come first.

    The response also becomes a stream when the answer takes long.

    Attributes:
        is_primed: Whether a stream without messages gets an event from which it can be resumed.
    """

    exchange: Exchange
    headers: Headers = ()
    new_stream: Callable[[], EventStream] = EventStream
    is_primed: bool = field(default=False, kw_only=True)
    _stream: EventStream | None = None
    _keep_alive_task: asyncio.Task[None] | None = None
    _soon_s: float = field(init=False)

    @_soon_s.default
    def _(self) -> float:
        return asyncio.get_running_loop().time() + _ANSWER_SOON_S

    def when_settled(self, sent: SentRequest, then: Callable[[], Answering | None]) -> None:
        """Proceed with the response when the upstream has answered or said anything else, or takes long."""

        def proceed() -> None:
            timer.cancel()
            self.exchange.proceed(then)

        timer = asyncio.get_running_loop().call_at(self._soon_s, proceed)
        sent.when_settled(proceed)

    async def until(self, answer: Awaitable[Answered]) -> Answered:
        """Wait for an answer and return it; begin a stream if the answer takes long."""
        timer = asyncio.get_running_loop().call_at(self._soon_s, self._start_keep_alive)
        try:
            return await answer
        finally:
            timer.cancel()

    async def say(self, message: bytes) -> None:
        """Send a message before the answer."""
        await self._opened().put(message)

    async def finish(self, status: int, body: bytes) -> None:
        """Send the answer."""
        if self._stream is None:
            self.exchange.respond(status, body, headers=self.headers)
            return
        await self._stream.put(body, is_last=True)
        await self.exchange.write(b"", more=False)
        self._stream.detach(self.exchange)

    def _opened(self) -> EventStream:
        if self._stream is None:
            self._stream = self.new_stream()
            self.exchange.start(200, (*_HEADERS, *self.headers))
            self._stream.attach(self.exchange)
        return self._stream

    def _start_keep_alive(self) -> None:
        self._keep_alive_task = asyncio.get_running_loop().create_task(self._keep_alive())

    async def _keep_alive(self) -> None:
        stream = self._opened()
        if self.is_primed:
            await self.exchange.write(stream.priming_event())
        await stream.serve(self.exchange)


# --- sessions ---------------------------------------------------------------------------


class OpenSession:
    """An open session of Streamable HTTP.

    Attributes:
        channel: The stream of the messages that belong to no request.
    """

    def __init__(self, session: HostSession, session_id: str, channel: EventStream) -> None:
        self.session = session
        self.session_id = session_id
        self.headers: Headers = ((b"mcp-session-id", session_id.encode()),)
        self.channel = channel
        self._users = 0
        self._streams: dict[str, EventStream] = {}
        self._names = 0

    def reply(self, exchange: Exchange) -> Reply:
        """Return the response to a request of this session."""
        is_primed = self.session.version >= RESUMABLE_SINCE
        return Reply(exchange, self.headers, self.new_stream, is_primed=is_primed)

    def new_stream(self) -> EventStream:
        """Return a stream for a request, which the host can resume for a while."""
        self._names += 1
        stream = self._streams[str(self._names)] = EventStream(str(self._names))
        if len(self._streams) > _MOST_STREAMS:
            del self._streams[next(iter(self._streams))]
        return stream

    def stream_after(self, event_id: str) -> tuple[EventStream, int] | None:
        """Return the stream of an event and the event's number; None if the event is unknown."""
        name, _, number = event_id.rpartition("-")
        stream = self.channel if name == self.channel.name else self._streams.get(name)
        return (stream, int(number)) if stream is not None and number.isdecimal() else None

    def use(self) -> None:
        """Keep the session from ending as idle until `leave`."""
        self._users += 1
        self.session.idle_until = None

    def leave(self, idle_s: float) -> None:
        """End one `use`; the last one makes the session idle."""
        self._users -= 1
        if not self._users:
            self.session.idle_until = time.monotonic() + idle_s


@frozen(eq=False)
class Sessions:
    """The open sessions of Streamable HTTP, by id."""

    proxy: ProxyServer
    most: int
    idle_s: float
    open: dict[str, OpenSession] = field(factory=dict)

    def begin(self, exchange: Exchange) -> OpenSession | None:
        """Begin a session and return it; None if too many are open and none is idle."""
        if len(self.open) >= self.most:
            sessions = [each.session for each in self.open.values()]
            idle = [(each.idle_until, each.expire) for each in sessions if each.idle_until is not None]
            if not idle:
                return None
            min(idle, key=itemgetter(0))[1]()
        session_id, channel = self.proxy.views.identity.nonce(), EventStream("s")
        session = self.proxy.session(channel.put, partial(self.end, session_id), origin_of(exchange))
        opened = self.open[session_id] = OpenSession(session, session_id, channel)
        return opened

    def end(self, session_id: str) -> None:
        """End a session now; its host gets status 404 and begins another."""
        found = self.open.pop(session_id, None)
        if found is not None:
            found.session.end()
            found.channel.close()

    def end_all(self) -> None:
        """End all sessions."""
        for session_id in tuple(self.open):
            self.end(session_id)

    async def sweep(self) -> None:
        """End sessions that stay idle, until cancelled."""
        while True:
            await anyio.sleep(min(_SWEEP_S, self.idle_s / 4))
            now = time.monotonic()
            for session in [each.session for each in self.open.values()]:
                if session.idle_until is not None and session.idle_until <= now:
                    session.expire()
