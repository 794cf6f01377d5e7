"""One HTTP request and its response."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeVar

import anyio
from attrs import field, frozen

Answering = Coroutine[Any, Any, None]
App = Callable[["Exchange"], Answering | None]
"""Answers a request: at once or by callbacks, or in a task that runs the returned coroutine."""
Headers = Iterable[tuple[bytes, bytes]]
Found = TypeVar("Found")

MAX_BODY_BYTES = 4 * 1024 * 1024
"""A longer body is answered with status 413."""

JSON, EVENTS, TEXT = "application/json", "text/event-stream", "text/plain; charset=utf-8"
_ORIGIN_HEADERS = ("authorization", "cookie", "forwarded", "x-forwarded-for", "user-agent")

_PHRASES = {
    200: b"OK", 202: b"Accepted", 400: b"Bad Request", 401: b"Unauthorized", 403: b"Forbidden", 404: b"Not Found",
    405: b"Method Not Allowed", 406: b"Not Acceptable", 408: b"Request Timeout", 409: b"Conflict",
    413: b"Content Too Large", 421: b"Misdirected Request", 431: b"Request Header Fields Too Large",
    500: b"Internal Server Error", 503: b"Service Unavailable",
}  # fmt: skip
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_log = logging.getLogger(__name__)


class Refused(Exception):
    """A request is answered with an error status and a text that says why."""

    def __init__(self, status: int, text: str, kind: str = TEXT, headers: Headers = ()) -> None:
        self.status, self.kind, self.headers = status, kind, headers
        super().__init__(text)


class Disconnected(Exception):
    """The host left before its request was complete."""


class ExchangeConnection(Protocol):
    """The connection of a request.

    Attributes:
        client: The host's address, if it has one.
        is_ending: Whether no further response will follow.
    """

    tasks: set[asyncio.Task[None]]
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    client: str | None
    is_ending: bool

    async def until_writable(self) -> None:
        """Wait while the host reads too slowly."""

    def resume_reading(self) -> None:
        """Take bytes from the socket again."""

    def start_next(self, exchange: "Exchange", /) -> None:
        """Start answering the next request."""


_last_date: tuple[int, bytes] = (0, b"")


def head_of(status: int) -> bytes:
    """Return the first lines of a response: its status, and the date (RFC 9110, section 6.6.1)."""
    global _last_date  # noqa: PLW0603 -- written once a second
    now = int(time.time())
    if now != _last_date[0]:
        _last_date = now, date_of(now)
    return b"HTTP/1.1 %d %b\r\ndate: %b\r\n" % (status, _PHRASES.get(status, b""), _last_date[1])


def date_of(now_s: int) -> bytes:
    """Return a time in HTTP's format, with English names (RFC 9110, section 5.6.7)."""
    when = time.gmtime(now_s)
    day, month = _DAYS[when.tm_wday], _MONTHS[when.tm_mon - 1]
    return time.strftime(f"{day}, %d {month} %Y %H:%M:%S GMT", when).encode()


@frozen(eq=False)
class RequestHead:
    """The head of a request.

    Attributes:
        all_headers: All headers in their order, with names in lower case.
        is_newest: Whether the request uses HTTP/1.1, not an older version.
        keeps_alive: Whether the connection stays open after the response.
        headers: The headers by name, in lower case; the last of several with one name.
    """

    method: str
    path: str
    query: str
    all_headers: Sequence[tuple[bytes, bytes]]
    is_newest: bool
    keeps_alive: bool
    headers: Mapping[str, str] = field(init=False)

    @headers.default
    def _(self) -> Mapping[str, str]:
        # httptools keeps the blanks around a value, which are not part of it (RFC 9110, section 5.5).
        return {
            name.decode("latin-1"): value.decode("latin-1").strip(" \t") for name, value in self.all_headers
        }

    @cached_property
    def accepts_both(self) -> bool:
        """Whether the host accepts an answer as JSON and as a stream."""
        return self.accepts(JSON) and self.accepts(EVENTS)

    def accepts(self, kind: str) -> bool:
        """Return whether the host accepts an answer of this type."""
        given = [each.partition(";")[0].strip().lower() for each in self.headers.get("accept", "").split(",")]
        return kind in given or "*/*" in given or f"{kind.partition('/')[0]}/*" in given

    @cached_property
    def is_json(self) -> bool:
        """Whether the type of the body is JSON."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower() == JSON


async def _raising(error: Exception) -> None:
    raise error


class Exchange:
    """One HTTP request, with its whole body or before that, and the methods that answer it.

    Attributes:
        head: The head of the request.
        client: The host's address, if it has one.
        headers: The request's headers by name.
        added: Headers that every response gets.
        keeps_alive: Whether the connection stays open after the response.
        has_begun: Whether a part of the response was written.
    """

    def __init__(self, connection: ExchangeConnection, head: RequestHead, body: bytes | None = None) -> None:
        self.head, self.client = head, connection.client
        self.headers = head.headers
        self.added: Headers = ()
        self.keeps_alive = head.keeps_alive
        self.has_begun = False
        self._connection = connection
        self._asks_to_continue = self.headers.get("expect", "").lower() == "100-continue"
        self._body = body or b""
        self._is_complete = body is not None
        self._is_over = self._is_chunked = False
        self._waiter: asyncio.Future[None] | None = None

    # --- the connection's side ----------------------------------------------------------

    def proceed(self, step: Callable[[], Answering | None]) -> None:
        """Take a step towards the response; what it returns runs in a task."""
        try:
            answering = step()
        except Exception as error:  # noqa: BLE001 -- it is handled like the errors of tasks
            answering = _raising(error)
        if answering is not None:
            tasks = self._connection.tasks
            task = self._connection.loop.create_task(self._run(answering))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    def take(self, body: bytes) -> int:
        """Take a part of the body; return how many bytes of the body are unread."""
        if self._is_over:
            return 0
        self._body += body
        self._wake()
        return len(self._body)

    def complete(self) -> None:
        """Mark the body as complete."""
        self._is_complete = True
        self._wake()

    def end(self) -> None:
        """End the exchange, because the host is gone."""
        self._is_over = True
        self._while_connected.cancel()
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _run(self, answering: Answering) -> None:
        try:
            await answering
        except Refused as refused:
            self.respond(refused.status, str(refused).encode(), refused.kind, refused.headers)
        except (Disconnected, asyncio.CancelledError):  # only the end of the server cancels requests
            pass
        except Exception:  # noqa: BLE001 -- the host gets an answer after any error
            _log.exception("Exception in the HTTP application")
        if not self._is_over:
            self._fail()

    def _fail(self) -> None:
        """Answer 500 after an error of the application, or cut off a response that has begun."""
        self.keeps_alive = False
        if self.has_begun or self._is_over:
            self._connection.transport.close()
            return
        self.added = ()
        self.respond(500)

    # --- the request --------------------------------------------------------------------

    @property
    def body_now(self) -> bytes | None:
        """The body, or None while a part of it has not arrived."""
        return self._body if self._is_complete else None

    async def body(self, most_bytes: int = MAX_BODY_BYTES) -> bytes:
        """Return the body of the request.

        Raises:
            Refused: The body is too long; the rest of it is not read.
            Disconnected: The host left before it had sent the whole body.
        """
        length = self.headers.get("content-length", "")
        announced = int(length) if length.isdecimal() else 0
        body = b""
        while not self._is_over:
            body, self._body = body + self._body, b""
            if max(announced, len(body)) > most_bytes:
                raise Refused(413, f"The body is larger than {most_bytes} bytes.")
            if self._is_complete:
                return body
            await self._more()
        raise Disconnected

    @cached_property
    def _while_connected(self) -> anyio.CancelScope:
        return anyio.CancelScope()

    async def _more(self) -> None:
        """Wait for more of the body, or for the end of the exchange."""
        connection = self._connection
        if self._asks_to_continue:
            self._asks_to_continue = False
            connection.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if not self._is_complete:
            connection.resume_reading()
        self._waiter = connection.loop.create_future()
        await self._waiter

    async def unless_disconnected(self, work: Awaitable[Found]) -> Found | None:
        """Return the result of some work; if the host leaves first, cancel the work and return None.

        The body of the request must have been read.
        """
        with self._while_connected:
            return await work
        return None

    # --- the response -------------------------------------------------------------------

    def start(self, status: int, headers: Headers = ()) -> None:
        """Send the head of a response; `write` sends its parts."""
        if not self._is_over:
            self._is_chunked = self.head.is_newest
            length = (b"transfer-encoding: chunked\r\n",) if self._is_chunked else ()
            self._write(self._head(status, headers, length))

    async def write(self, data: bytes, *, more: bool = True) -> None:
        """Send a part of the response."""
        await self._connection.until_writable()
        if self._is_over:
            return
        if self._is_chunked:
            data = b"%x\r\n%b\r\n" % (len(data), data) if data else b""
            data = data if more else data + b"0\r\n\r\n"
        if data and self.head.method != "HEAD":
            self._write(data)
        if not more:
            self._finish()

    def respond(self, status: int, body: bytes = b"", kind: str = JSON, headers: Headers = ()) -> None:
        """Send the whole response."""
        if self._is_over:
            return
        length = (b"content-length", str(len(body)).encode())
        about = (length, (b"content-type", kind.encode())) if body else (length,)
        head = self._head(status, (*about, *headers))
        self._write(head, b"" if self.head.method == "HEAD" else body)
        self._finish()

    def _head(self, status: int, headers: Headers, framing: Iterable[bytes] = ()) -> bytes:
        """Return the head of a response; ``framing`` are the lines that say how its body is framed."""
        waits_to_continue = self._asks_to_continue and not self._is_complete
        self._asks_to_continue = False
        parts = [head_of(status)]
        for name, value in (*headers, *self.added):
            if b"\n" in value or b"\r" in value or b"\0" in value:
                raise ValueError(f"not a header: {name!r}: {value!r}")
            parts += (name, b": ", value, b"\r\n")
        # A host that waits to continue may now send the body or not, so what follows may be no request.
        self.keeps_alive = self.keeps_alive and not (self._connection.is_ending or waits_to_continue)
        closing = () if self.keeps_alive else (b"connection: close\r\n",)
        return b"".join((*parts, *framing, *closing, b"\r\n"))

    def _write(self, *data: bytes) -> None:
        self.has_begun = True
        self._connection.transport.writelines(data)

    def _finish(self) -> None:
        self._is_over = True
        self._connection.start_next(self)


def origin_of(exchange: Exchange) -> tuple[object, ...]:
    """Return the host's address, and the headers that tell hosts apart."""
    return (exchange.client, *(exchange.headers.get(name, "") for name in _ORIGIN_HEADERS))
