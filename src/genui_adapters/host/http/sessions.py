"""The open sessions of Streamable HTTP, and which of them no host uses at the moment."""

import time

import anyio
from attrs import define, field

from genui_adapters.host.http.events import EventStream
from genui_adapters.host.http.exchange import Exchange, Headers, origin_of
from genui_adapters.host.sessions.host_session import HostSession
from genui_adapters.host.sessions.proxy_server import ProxyServer

_SWEEP_S = 30.0
_MOST_STREAMS = 32
"""How many streams of a session can be resumed."""


@define(eq=False)
class OpenSession:
    """A session of Streamable HTTP.

    Attributes:
        session: The host's session.
        headers: Headers of every response in it.
        channel: The stream of what belongs to no request.
        idle_until: When it ends if it stays idle; None while it is in use.
    """

    session: HostSession
    headers: Headers
    channel: EventStream
    idle_until: float | None = None
    _users: int = 0
    _streams: dict[str, EventStream] = field(factory=dict)
    _names: int = 0

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
        self.idle_until = None

    def leave(self, idle_s: float) -> None:
        """End one `use`; the last one makes the session idle."""
        self._users -= 1
        if not self._users:
            self.idle_until = time.monotonic() + idle_s


@define(eq=False)
class Sessions:
    """The open sessions of Streamable HTTP, by id.

    Attributes:
        proxy: Answers the hosts.
        most: How many may be open.
        idle_s: How long one may be idle, in seconds.
    """

    proxy: ProxyServer
    most: int
    idle_s: float
    _open: dict[str, OpenSession] = field(factory=dict)

    def get(self, session_id: str) -> OpenSession | None:
        """Return the session with an id, or None if there is none."""
        return self._open.get(session_id)

    def begun(self, exchange: Exchange) -> OpenSession | None:
        """Return a new session; None if too many are open and none is idle."""
        self._make_room()
        if len(self._open) >= self.most:
            return None
        session_id, channel = self.proxy.views.identity.nonce(), EventStream("s")
        session = self.proxy.session(channel.put, session_id, origin_of(exchange))
        headers = ((b"mcp-session-id", session_id.encode()),)
        opened = self._open[session_id] = OpenSession(session, headers, channel)
        return opened

    def idle_until(self, session_id: str) -> float | None:
        """Return when a session ends if it stays idle; None for one with an open request or stream."""
        found = self._open.get(session_id)
        return found.idle_until if found is not None else None

    def end(self, session_id: str) -> None:
        """End a session now; its host is answered 404 and begins another."""
        found = self._open.pop(session_id, None)
        if found is not None:
            found.session.end()
            found.channel.close()

    def end_all(self) -> None:
        """End all sessions."""
        for session_id in tuple(self._open):
            self.end(session_id)

    async def sweep(self) -> None:
        """End sessions that stay idle, until cancelled."""
        while True:
            await anyio.sleep(min(_SWEEP_S, self.idle_s / 4))
            now = time.monotonic()
            for session_id, each in tuple(self._open.items()):
                if each.idle_until is not None and each.idle_until <= now:
                    self.end(session_id)

    def _make_room(self) -> None:
        if len(self._open) < self.most:
            return
        idle = [(each.idle_until, name) for name, each in self._open.items() if each.idle_until is not None]
        if idle:
            self.end(min(idle)[1])
