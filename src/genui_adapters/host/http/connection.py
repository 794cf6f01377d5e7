"""HTTP/1.1 on httptools: reads a connection's requests, runs the application, writes its responses.

Limits apply to the duration and the length of requests, and to the number of half-open connections.
"""

import asyncio
import logging
from collections import deque
from functools import partial

import httptools
from attrs import field, frozen

from genui_adapters.host.http.exchange import App, Exchange, RequestHead, head_of

HEAD_S = 10.0
"""How long the head of a request may take, from the connection or the request's first byte."""
BODY_S = 60.0
"""How long the body of a request may take after its head."""
IDLE_S = 5.0
"""How long a connection may stay open after a response."""
MOST_HALF_OPEN = 128
"""How many connections may be inside a request or before their first; beyond it, the oldest ends."""
MOST_HEAD_BYTES = 64 * 1024
_MOST_UNREAD_BYTES = 64 * 1024
"""How much of a body is read from the socket before the application takes it."""


_log = logging.getLogger(__name__)


@frozen(eq=False)
class Shared:
    """The state that a server's connections share.

    Attributes:
        half_open: The connections inside a request or before their first, the oldest first.
    """

    app: App
    connections: set["HttpConnection"] = field(factory=set)
    half_open: dict["HttpConnection", None] = field(factory=dict)
    tasks: set[asyncio.Task[None]] = field(factory=set)


class HttpConnection(asyncio.Protocol):
    """One connection, whose requests are answered in order."""

    transport: asyncio.Transport

    def __init__(self, shared: Shared) -> None:
        self.app, self.tasks, self._shared = shared.app, shared.tasks, shared
        self.loop = asyncio.get_running_loop()
        self.is_ending = False
        self._parser = self._new_parser()
        self._requests: deque[Exchange] = deque()
        """The request that is being answered, and those behind it."""
        self._begun: Exchange | None = None
        self._incoming: Exchange | None = None
        self.client: str | None = None
        self._url = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._last_sent: tuple[object, ...] = ()
        self._last_head: RequestHead
        self._last_read = b"", 0
        """The bytes of that head, and the length of its request, if another like it needs no parser."""
        self._in_request = True  # before its first byte, a connection counts as half-open
        self._in_head = True
        self._head_bytes = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._idle_since = 0.0
        self._idle_check: asyncio.TimerHandle | None = None
        self._writable: asyncio.Future[None] | None = None

    # --- the transport ------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start waiting for the first request."""
        self.transport = transport
        client = transport.get_extra_info("peername")
        self.client = str(client[0]) if isinstance(client, tuple) else None
        self._shared.connections.add(self)
        self._wait(HEAD_S)

    def connection_lost(self, _exc: Exception | None) -> None:
        """End the requests, because their host is gone."""
        self._stop_waiting()
        if self._idle_check is not None:
            self._idle_check.cancel()
        self._shared.connections.discard(self)
        for request in self._requests:
            request.end()
        self._requests.clear()
        self.resume_writing()

    def pause_writing(self) -> None:
        """Pause the responses, because the host reads slowly."""
        self._writable = self.loop.create_future()

    def resume_writing(self) -> None:
        """Resume the responses."""
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None
        self._begin_first()

    async def until_writable(self) -> None:
        """Wait while the host reads too slowly."""
        while self._writable is not None:
            await asyncio.shield(self._writable)

    def data_received(self, data: bytes) -> None:
        """Take bytes; refuse a head that is too long, and bytes that are not HTTP."""
        is_between = not (self._in_request or self._requests)
        if is_between and len(data) == self._last_read[1] and data.startswith(self._last_read[0]):
            self._requests.append(Exchange(self, self._last_head, data[len(self._last_read[0]) :]))
            self._begin_first()
            return
        if self._in_head:
            self._head_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            self._decline(data[offer.args[0] :])
            return
        except httptools.HttpParserError:
            _log.warning("Invalid HTTP request received.")
            self._refuse(400)
            return
        self._begin_first()
        if self._in_head and self._head_bytes > MOST_HEAD_BYTES:
            self._refuse(431)
        elif not self._in_request:
            self._stop_waiting()
            self._last_read = _repeatable(data, self._last_head) if is_between else (b"", 0)
        elif self._deadline is None and not self.transport.is_closing():
            self._wait(HEAD_S if self._in_head else BODY_S)

    # --- the parser ---------------------------------------------------------------------

    def _new_parser(self) -> httptools.HttpRequestParser:
        parser = httptools.HttpRequestParser(self)
        parser.set_dangerous_leniencies(lenient_data_after_close=True)  # such data is not answered
        return parser

    def _decline(self, rest: bytes) -> None:
        """Read a request again without its offer of another protocol, with which no body is read."""
        method, version = self._parser.get_method(), self._parser.get_http_version().encode()
        if method == b"CONNECT":
            self._refuse(400)
            return
        kept = [b"%b: %b" % each for each in self._headers if each[0] != b"upgrade"]
        self._parser = self._new_parser()
        self.data_received(b"\r\n".join((b"%b %b HTTP/%b" % (method, self._url, version), *kept, b"", rest)))

    def on_message_begin(self) -> None:
        """Start a request."""
        self._in_request = self._in_head = True
        self._url, self._headers = b"", []

    def on_url(self, url: bytes) -> None:
        """Take a part of the request's target."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Take the head of the request; its body has its own time limit."""
        if self._parser.should_upgrade():
            return  # it is declined, and the request is read again
        self._in_head = False
        self._head_bytes = 0
        self._stop_waiting()
        sent = (self._parser.get_method(), self._url, self._parser.get_http_version(), self._headers)
        if sent != self._last_sent:  # most hosts repeat the head of their last request
            self._last_sent, self._last_head = sent, self._head()
        self._incoming = Exchange(self, self._last_head)
        self._requests.append(self._incoming)
        if len(self._requests) > 1:
            self.transport.pause_reading()

    def _head(self) -> RequestHead:
        path, _, query = self._url.partition(b"?")
        if not path.startswith(b"/"):  # "http://…", the form that proxies get
            parsed = httptools.parse_url(self._url)
            path, query = parsed.path, parsed.query or b""
        text = path.decode("ascii")
        if "%" in text:
            from urllib.parse import unquote  # noqa: PLC0415 -- the wrapper's own paths need none

            text = unquote(text)
        is_newest = self._parser.get_http_version() == "1.1"
        keeps_alive = is_newest and self._parser.should_keep_alive()
        method = self._parser.get_method().decode("ascii")
        return RequestHead(method, text, query.decode("latin-1"), self._headers, is_newest, keeps_alive)

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        if self._incoming is not None and self._incoming.take(body) > _MOST_UNREAD_BYTES:
            self.transport.pause_reading()

    def on_message_complete(self) -> None:
        """Mark the request as complete."""
        self._in_request = False
        if self._incoming is not None:
            self._incoming.complete()

    # --- responses ----------------------------------------------------------------------

    def _begin_first(self) -> None:
        """Start answering the first request, unless it has begun, or the host reads too slowly."""
        if self._requests and self._requests[0] is not self._begun and self._writable is None:
            self._begun = self._requests[0]
            self._begun.proceed(partial(self.app, self._begun))

    def start_next(self, request: Exchange) -> None:
        """Start answering the next request, or wait for one."""
        if self._requests and self._requests[0] is request:
            self._requests.popleft()
        if not request.keeps_alive:
            self.transport.close()
            return
        if self._requests:
            self.loop.call_soon(self._begin_first)
            return
        self.resume_reading()
        self._idle_since = self.loop.time()
        if self._idle_check is None:
            self._idle_check = self.loop.call_later(IDLE_S, self._close_if_idle)

    def resume_reading(self) -> None:
        """Take bytes from the socket again."""
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def end(self) -> None:
        """Close the connection after the response in progress."""
        self.is_ending = True
        if not self._requests:
            self.transport.close()

    def _close_if_idle(self) -> None:
        self._idle_check = None
        if self._requests or self._deadline is not None:
            return
        left_s = self._idle_since + IDLE_S - self.loop.time()
        if left_s > 0:
            self._idle_check = self.loop.call_later(left_s, self._close_if_idle)
        else:
            self.transport.close()

    # --- limits -------------------------------------------------------------------------

    def _wait(self, limit_s: float) -> None:
        self._deadline = self.loop.call_later(limit_s, self._refuse, 408)
        half_open = self._shared.half_open
        half_open[self] = None
        if len(half_open) > MOST_HALF_OPEN:
            next(iter(half_open))._refuse(408)  # noqa: SLF001 -- another of this class

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self._shared.half_open.pop(self, None)

    def _refuse(self, status: int) -> None:
        """Close the connection; send the status first, unless a response has begun."""
        self._stop_waiting()
        self.is_ending = True
        if self.transport.is_closing():
            return
        if not self._requests or not self._requests[0].has_begun:
            self.transport.write(head_of(status) + b"connection: close\r\ncontent-length: 0\r\n\r\n")
        self.transport.close()


def _repeatable(data: bytes, head: RequestHead) -> tuple[bytes, int]:
    """Return a head's bytes and its request's length if the request is all of the data: hosts repeat heads."""
    end, length = data.find(b"\r\n\r\n") + 4, head.headers.get("content-length", "")
    is_all = length.isdecimal() and end + int(length) == len(data) and head.keeps_alive
    is_plain = head.headers.keys().isdisjoint(("transfer-encoding", "expect"))
    return (data[:end], len(data)) if is_all and is_plain else (b"", 0)
