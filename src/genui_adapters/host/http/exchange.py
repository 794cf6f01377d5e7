"""One HTTP request and its response, in terms of ASGI."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any, TypeVar

import anyio
from attrs import field, frozen

from genui_core.domain.mcp.jsonrpc import INVALID_REQUEST, failure_message, outbound

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = Iterable[tuple[bytes, bytes]]
Found = TypeVar("Found")

MAX_BODY_BYTES = 4 * 1024 * 1024
"""A longer request is answered with 413."""

JSON, EVENTS = "application/json", "text/event-stream"
_ORIGIN_HEADERS = ("authorization", "cookie", "forwarded", "x-forwarded-for", "user-agent")
_ROUTING = (b"mcp-protocol-version", b"mcp-method", b"mcp-name")


class BodyTooLarge(Exception):
    """A request is longer than what is taken of one."""


class Disconnected(Exception):
    """The host went before its request was complete."""


@frozen(eq=False)
class Exchange:
    """An HTTP request, and the way to answer it.

    Attributes:
        headers: The request's headers, with names in lower case; of several of a name, the last.
    """

    scope: Scope
    receive: Receive
    send: Send
    headers: Mapping[str, str] = field(init=False)
    added: Headers = ()

    @headers.default
    def _(self) -> Mapping[str, str]:
        # httptools leaves the blanks around a value, which do not belong to it (RFC 9110, section 5.5).
        given = self.scope["headers"]
        return {name.decode("latin-1"): value.decode("latin-1").strip(" \t") for name, value in given}

    @property
    def method(self) -> str:
        """The HTTP method."""
        method: str = self.scope["method"]
        return method

    def repeated_routing_header(self) -> str | None:
        """Return the header that says for whom a request is and that stands there twice, or None."""
        names = [name for name, _ in self.scope["headers"]]
        return next((each.decode() for each in _ROUTING if names.count(each) > 1), None)

    @property
    def accepts_both(self) -> bool:
        """Whether the host takes an answer as JSON and as a stream."""
        usual = self.headers.get("accept") == f"{JSON}, {EVENTS}"
        return usual or (self.accepts(JSON) and self.accepts(EVENTS))

    def accepts(self, kind: str) -> bool:
        """Whether the host takes an answer of this type."""
        given = [each.partition(";")[0].strip().lower() for each in self.headers.get("accept", "").split(",")]
        return kind in given or "*/*" in given or f"{kind.partition('/')[0]}/*" in given

    @property
    def is_json(self) -> bool:
        """Whether the type of the body is JSON."""
        given = self.headers.get("content-type", "")
        return given == JSON or given.partition(";")[0].strip().lower() == JSON

    async def body(self, most_bytes: int = MAX_BODY_BYTES) -> bytes:
        """Return the body of the request.

        Raises:
            BodyTooLarge: It is too long; the rest of it is not read.
            Disconnected: The host went before it had sent all of it.
        """
        length = self.headers.get("content-length", "")
        if length.isdecimal() and int(length) > most_bytes:
            raise BodyTooLarge
        message = await self._next()
        body: bytes = message.get("body", b"")
        while message.get("more_body"):
            message = await self._next()
            body += message.get("body", b"")
            if len(body) > most_bytes:
                raise BodyTooLarge
        return body

    async def _next(self) -> Mapping[str, Any]:
        message = await self.receive()
        if message["type"] != "http.request":
            raise Disconnected
        return message

    async def until_disconnected(self) -> None:
        """Wait until the host has closed its connection, or the response is complete."""
        while (await self.receive())["type"] != "http.disconnect":
            pass

    async def unless_disconnected(self, work: Callable[[], Awaitable[Found]]) -> Found | None:
        """Return the result of some work; if the host leaves first, cancel the work and return None.

        The body of the request must have been read.
        """
        found: Found | None = None
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                await self.until_disconnected()
                tasks.cancel_scope.cancel()

            tasks.start_soon(watch)
            found = await work()
            tasks.cancel_scope.cancel()
        return found

    async def start(self, status: int, headers: Headers = ()) -> None:
        """Send the head of the response."""
        await self.send({"type": "http.response.start", "status": status, "headers": [*headers, *self.added]})

    async def write(self, data: bytes, *, more: bool = True) -> None:
        """Send a part of the response."""
        await self.send({"type": "http.response.body", "body": data, "more_body": more})

    async def respond(self, status: int, body: bytes = b"", kind: str = JSON, headers: Headers = ()) -> None:
        """Send the whole response."""
        length = (b"content-length", str(len(body)).encode())
        about = (length, (b"content-type", kind.encode())) if body else (length,)
        await self.start(status, (*about, *headers))
        await self.write(body, more=False)

    async def respond_text(self, status: int, text: str, headers: Headers = ()) -> None:
        """Send a text for a person."""
        await self.respond(status, text.encode(), "text/plain; charset=utf-8", headers)

    async def refuse(
        self, status: int, message: str, code: int = INVALID_REQUEST, headers: Headers = ()
    ) -> None:
        """Send a JSON-RPC error that belongs to no request."""
        await self.respond(status, outbound(failure_message(None, code, message)), headers=headers)


def origin_of(exchange: Exchange) -> tuple[object, ...]:
    """Return where a request comes from, as far as it says."""
    client = exchange.scope.get("client")
    return (client[0] if client else None, *(exchange.headers.get(name, "") for name in _ORIGIN_HEADERS))
