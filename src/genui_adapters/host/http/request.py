"""One request on a connection of HTTP/1.1, and its response: what ASGI gives an application."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from email.utils import formatdate
from typing import Any, Protocol

from genui_adapters.host.http.exchange import Headers, Receive, Scope, Send

App = Callable[[Scope, Receive, Send], Awaitable[None]]

_PHRASES = {
    200: "OK", 202: "Accepted", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
    413: "Content Too Large", 421: "Misdirected Request", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 503: "Service Unavailable",
}  # fmt: skip
_DISCONNECT = {"type": "http.disconnect"}

_log = logging.getLogger(__name__)


class RequestConnection(Protocol):
    """The connection of a request.

    Attributes:
        is_ending: Whether no other response will follow.
    """

    app: App
    tasks: set[asyncio.Task[None]]
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    is_ending: bool

    async def until_writable(self) -> None:
        """Wait while the host reads too slowly."""

    def resume_reading(self) -> None:
        """Take bytes from the socket again."""

    def answered(self, request: "HttpRequest", /) -> None:
        """Go on to the next request."""


def _status_line(status: int) -> bytes:
    return f"HTTP/1.1 {status} {_PHRASES.get(status, '')}\r\n".encode()


_STATUS_LINES = {status: _status_line(status) for status in _PHRASES}
_dated: tuple[int, bytes] = (0, b"")


def head_of(status: int) -> bytes:
    """Return the first lines of a response: its status, and the date (RFC 9110, section 6.6.1)."""
    global _dated  # noqa: PLW0603 -- written once a second
    now = int(time.time())
    if now != _dated[0]:
        _dated = now, f"date: {formatdate(now, usegmt=True)}\r\n".encode()
    return (_STATUS_LINES.get(status) or _status_line(status)) + _dated[1]


class HttpRequest:
    """One request and its response: the two functions that ASGI gives an application."""

    __slots__ = (
        "_asks_to_continue", "_body", "_connection", "_head", "_is_chunked", "_is_complete", "_is_newest",
        "_is_over", "_task", "_waiter", "_was_read", "has_begun", "keeps_alive", "scope",
    )  # fmt: skip

    def __init__(
        self, connection: RequestConnection, scope: Scope, *, keeps_alive: bool, is_newest: bool
    ) -> None:
        self.scope = scope
        self.keeps_alive = keeps_alive
        self.has_begun = False
        """Whether a part of the response was written."""
        self._connection = connection
        self._is_newest = is_newest
        self._asks_to_continue = any(
            name == b"expect" and value.lower() == b"100-continue" for name, value in scope["headers"]
        )
        self._body = b""
        self._is_complete = self._was_read = self._is_over = self._is_chunked = False
        self._head: bytes | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    # --- the connection's side ----------------------------------------------------------

    def start(self) -> None:
        """Have the application answer."""
        self._task = self._connection.loop.create_task(self._run())
        self._connection.tasks.add(self._task)

    def take(self, body: bytes) -> int:
        """Take a part of the body; return how many bytes of it were not read yet."""
        if self._is_over:
            return 0
        self._body += body
        self._wake()
        return len(self._body)

    def complete(self) -> None:
        """Note that the body is complete."""
        self._is_complete = True
        self._wake()

    def end(self) -> None:
        """Note that the host is gone, or that the response is complete."""
        self._is_over = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _run(self) -> None:
        connection = self._connection
        try:
            await connection.app(self.scope, self.receive, self.send)
        except Exception:  # noqa: BLE001 -- the host gets an answer, whatever went wrong
            _log.exception("Exception in ASGI application")
            await self._fail()
        else:
            if not self._is_over:
                await self._fail()
        finally:
            if self._task is not None:
                connection.tasks.discard(self._task)

    async def _fail(self) -> None:
        """Answer that the application failed, or cut its response off."""
        self.keeps_alive = False
        if self.has_begun or self._is_over:
            self._connection.transport.close()
            return
        self._head = None
        length = (b"content-length", b"0")
        await self.send({"type": "http.response.start", "status": 500, "headers": (length,)})
        await self.send({"type": "http.response.body"})

    # --- the application's side ---------------------------------------------------------

    async def receive(self) -> MutableMapping[str, Any]:
        """Return the next part of the body; after the last, wait until the host or the response has ended."""
        connection = self._connection
        if self._asks_to_continue:
            self._asks_to_continue = False
            connection.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        while not (self._is_over or self._body or (self._is_complete and not self._was_read)):
            if not self._is_complete:
                connection.resume_reading()
            self._waiter = connection.loop.create_future()
            await self._waiter
        if self._is_over:
            return _DISCONNECT
        body, self._body = self._body, b""
        self._was_read = self._is_complete
        return {"type": "http.request", "body": body, "more_body": not self._is_complete}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Write a part of the response; a head with a length waits for the body."""
        connection = self._connection
        await connection.until_writable()
        if self._is_over:
            return
        if message["type"] == "http.response.start":
            self._begin(message["status"], message["headers"])
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        if self.scope["method"] == "HEAD":
            body = b""
        elif self._is_chunked:
            body = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            body = body if more else body + b"0\r\n\r\n"
        head, self._head = self._head, None
        self._write(body if head is None else head + body)
        if not more:
            self.end()
            connection.answered(self)

    def _begin(self, status: int, headers: Headers) -> None:
        self._asks_to_continue = False
        connection, has_length = self._connection, False
        parts = [head_of(status)]
        for name, value in headers:
            if b"\n" in value or b"\r" in value or b"\0" in value:
                raise ValueError(f"not a header: {name!r}: {value!r}")
            has_length = has_length or name == b"content-length"
            parts += (name, b": ", value, b"\r\n")
        self._is_chunked = not has_length and self._is_newest
        self.keeps_alive = self.keeps_alive and not connection.is_ending
        if self._is_chunked:
            parts.append(b"transfer-encoding: chunked\r\n")
        if not self.keeps_alive:
            parts.append(b"connection: close\r\n")
        head = b"".join((*parts, b"\r\n"))
        if has_length:
            self._head = head
        else:
            self._write(head)

    def _write(self, data: bytes) -> None:
        if data:
            self.has_begun = True
            self._connection.transport.write(data)
