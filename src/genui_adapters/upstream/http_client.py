"""The HTTP client of a connection to an upstream, with redirects only within the endpoint's origin."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

import anyio
import httpx2
from anyio.abc import TaskGroup
from attrs import define, evolve, frozen

from genui_adapters.upstream.link import NotTaken, Rejected
from genui_adapters.upstream.message import Message, messages_in, too_long
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.errors import GenUiError, UpstreamForbidden, UpstreamUnreachable
from genui_core.ports.event_log import EventLog


async def run_in(tasks: TaskGroup, work: Callable[[], Awaitable[None]]) -> None:
    """Run work in a task group and wait for it; a cancelled caller does not stop the work.

    A client that is closed during a request of another task would leave its socket open.
    """
    done = anyio.Event()

    async def run() -> None:
        try:
            await work()
        finally:
            done.set()

    tasks.start_soon(run)
    await done.wait()


_TIMEOUT = httpx2.Timeout(30, read=None, pool=None)
"""Connecting and writing have limits; an answer may take as long as its caller waits."""
_LIMITS = httpx2.Limits(max_connections=None, max_keepalive_connections=20)
"""Every open call holds its own connection, so that no call waits for another."""
_MAX_REDIRECTS = 5
_FORBIDDEN = (401, 403)
_NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol, httpx2.ProxyError)


@frozen
class Endpoint:
    """The URL of an upstream, and the client that reaches it."""

    client: httpx2.AsyncClient
    url: httpx2.URL

    @property
    def address(self) -> str:
        """The address without its secret parts."""
        return str(self.url.copy_with(userinfo=b"", query=None, fragment=None))

    def at(self, reference: str) -> "Endpoint":
        """Return the endpoint at a reference that the server sent.

        Raises UpstreamUnreachable if it is no address, or on another origin: headers must not go there.
        """
        try:
            named = self.url.join(reference)
        except httpx2.InvalidURL as error:
            raise UpstreamUnreachable(f"it names an endpoint that is no address: {error}") from error
        if _origin(named) != _origin(self.url):
            raise UpstreamUnreachable("it names an endpoint on another origin")
        return evolve(self, url=named)

    @asynccontextmanager
    async def ask(
        self, method: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """Send a request, and yield the response with any status as soon as its head is there.

        A redirect is followed if it repeats the request at the same origin, or at the same host by TLS.

        Raises httpx2.TransportError if the connection could not be made, or broke.
        """
        request = self.client.build_request(method, self.url, headers=dict(headers), content=body)
        response = await self.client.send(request, stream=True)
        for _ in range(_MAX_REDIRECTS):
            following = _same_request_elsewhere(response)
            if following is None:
                break
            await response.aclose()
            response = await self.client.send(following, stream=True)
        try:
            yield response
        finally:
            await response.aclose()

    def refusal(self, response: httpx2.Response) -> GenUiError:
        """Return the error for a response without a message."""
        status = response.status_code
        if status in _FORBIDDEN:
            return UpstreamForbidden(status, self.address)
        return Rejected(status, f"{self.address} answered HTTP {status} {response.reason_phrase}".rstrip())

    def trouble(self, error: httpx2.TransportError) -> UpstreamUnreachable:
        """Return the error for a connection that could not be made, or broke."""
        if isinstance(error, httpx2.LocalProtocolError):  # its text contains the header, which may be secret
            return NotTaken(f"a header for {self.address} cannot be sent")
        if isinstance(error, _NEVER_SENT):
            return NotTaken(f"there is no connection to {self.address}: {error}")
        return UpstreamUnreachable(f"the connection to {self.address} broke: {error!r}")


@asynccontextmanager
async def endpoint(upstream: RemoteUpstream) -> AsyncIterator[Endpoint]:
    """Open a client for an upstream; leaving closes its connections.

    Raises UpstreamUnreachable if the URL or a header is invalid.
    """
    try:
        url = httpx2.URL(upstream.url)
        client = httpx2.AsyncClient(headers=dict(upstream.headers), timeout=_TIMEOUT, limits=_LIMITS)
    except (httpx2.InvalidURL, ValueError) as error:
        raise UpstreamUnreachable(f"its URL or headers cannot be used: {error}") from error
    async with client:
        yield Endpoint(client, url)


def _same_request_elsewhere(response: httpx2.Response) -> httpx2.Request | None:
    following = response.next_request
    if following is None or following.method != response.request.method:
        return None
    here, there = response.request.url, following.url
    upgraded = _origin(here.copy_with(scheme="https")) == _origin(there) and here.port is None
    return following if _origin(here) == _origin(there) or upgraded else None


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


EVENTS = "text/event-stream"
JSON = "application/json"


@define
class StreamPosition:
    """The position in a stream of events, from which the stream can be resumed.

    Attributes:
        last_event_id: The id of the last event that had one, or empty.
        retry_ms: How long the server wants the client to wait before it resumes the stream.
    """

    last_event_id: str = ""
    retry_ms: int | None = None


@frozen
class MessageReader:
    """Reads messages up to a length limit, and logs data that is no message."""

    event_log: EventLog
    upstream_name: str
    max_bytes: int

    async def body(self, response: httpx2.Response) -> bytes:
        """Return the whole body of a response.

        Raises:
            UpstreamFailed: The body is too long.
            httpx2.TransportError: The connection broke.
        """
        chunks, size = [], 0
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > self.max_bytes:
                raise too_long(self.max_bytes)
            chunks.append(chunk)
        return b"".join(chunks)

    def messages_in(self, data: bytes) -> list[Message]:
        """Return the messages in a JSON text, as `message.messages_in` does."""
        return messages_in(data, self.event_log, self.upstream_name)

    async def events(
        self, response: httpx2.Response, position: StreamPosition
    ) -> AsyncIterator[httpx2.ServerSentEvent]:
        """Yield the events of a stream to its end, and keep ``position`` up to date.

        Raises:
            UpstreamFailed: An event is too long.
            httpx2.TransportError: The stream broke.
        """
        try:
            async for event in httpx2.EventSource(response, max_event_size=self.max_bytes):
                position.last_event_id = event.id or position.last_event_id
                position.retry_ms = position.retry_ms if event.retry is None else event.retry
                yield event
        except httpx2.SSEError as error:
            raise too_long(self.max_bytes) from error

    def messages_of(self, event: httpx2.ServerSentEvent) -> list[Message]:
        """Return the messages in an event; one that only keeps the stream open has none."""
        return self.messages_in(event.data.encode()) if event.event == "message" and event.data else []

    async def messages(self, response: httpx2.Response, position: StreamPosition) -> AsyncIterator[Message]:
        """Yield the messages of a stream to its end; raises as `events`."""
        async for event in self.events(response, position):
            for message in self.messages_of(event):
                yield message


def media_type(response: httpx2.Response) -> str:
    """Return the media type of a response, without parameters."""
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower()


def is_stream(response: httpx2.Response) -> bool:
    """Return whether a response is a stream of events."""
    return response.is_success and media_type(response) == EVENTS
