"""A link over HTTP with SSE (2024-11-05): one stream brings everything, every message goes as a POST."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import anyio
import httpx2
from anyio.abc import TaskGroup
from attrs import field, frozen

from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.http_client import (
    EVENTS,
    JSON,
    Endpoint,
    MessageReader,
    StreamPosition,
    endpoint,
    media_type,
    run_in,
)
from genui_adapters.upstream.link import Inbox, Link, LinkOpener, NotTaken
from genui_adapters.upstream.message import Message, own_id
from genui_adapters.upstream.options import ConnectionOptions, RemoteUpstream
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.errors import UpstreamDied, UpstreamFailed, UpstreamUnreachable
from genui_core.ports.event_log import EventLog

Events = AsyncIterator[httpx2.ServerSentEvent]


@frozen
class SseLinkOpener(LinkOpener):
    """Opens links to a server that knows only SSE."""

    upstream: RemoteUpstream
    options: ConnectionOptions
    event_log: EventLog

    @asynccontextmanager
    async def __call__(self, inbox: Inbox) -> AsyncIterator[Link]:
        """Open the stream, and wait until the server has said where messages go."""
        async with endpoint(self.upstream) as server, _stream(server) as response:
            reader = MessageReader(self.event_log, server.address, self.options.max_line_bytes)
            events = reader.events(response, StreamPosition())
            target = await self._announced(server, events)
            async with nursery() as tasks:
                tasks.start_soon(_read, server, reader, events, inbox)
                yield SseLink(target, reader, inbox, tasks)

    async def _announced(self, server: Endpoint, events: Events) -> Endpoint:
        """Return where messages go; the server says so first."""
        with anyio.move_on_after(self.options.start_timeout_ms / 1000):
            try:
                async for event in events:
                    if event.event == "endpoint":
                        return server.at(event.data)
            except httpx2.TransportError as error:
                raise server.trouble(error) from error
        raise UpstreamUnreachable(f"{server.address} did not say where messages go")


@frozen(eq=False)
class SseLink(Link):
    """Sends messages as POSTs; everything comes on the one stream."""

    _endpoint: Endpoint
    _reader: MessageReader
    _inbox: Inbox
    _tasks: TaskGroup
    handshake_only: bool = field(default=True, init=False)
    closing_cancels: bool = field(default=False, init=False)

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a message and wait for its receipt."""
        body = outbound(message)
        request_id = own_id(message.get("id")) if "method" in message else 0
        await run_in(self._tasks, partial(self._post, request_id, body, headers))

    async def _post(self, request_id: int, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            async with self._endpoint.ask("POST", {"content-type": JSON, **headers}, body) as response:
                await self._reader.body(response)  # so that its connection can be used again
                if not response.is_success:
                    self._inbox.failed(request_id, self._endpoint.refusal(response))
        except httpx2.TransportError as error:
            trouble = self._endpoint.trouble(error)
            self._inbox.failed(request_id, trouble if isinstance(trouble, NotTaken) else UpstreamDied())
            self._inbox.ended(trouble)

    def abandon(self, request_id: int) -> None:
        """Do nothing: the answer is not waited for here."""

    def listen(self) -> None:
        """Do nothing: everything comes on the one stream."""


@asynccontextmanager
async def _stream(server: Endpoint) -> AsyncIterator[httpx2.Response]:
    async with AsyncExitStack() as stack:
        asked = server.ask("GET", {"accept": EVENTS, "cache-control": "no-store"})
        try:
            response = await stack.enter_async_context(asked)
        except httpx2.TransportError as error:
            raise server.trouble(error) from error
        if not response.is_success or media_type(response) != EVENTS:
            raise server.refusal(response)
        yield response


async def _read(server: Endpoint, reader: MessageReader, events: Events, inbox: Inbox) -> None:
    """Hand in what comes, to the end of the stream, which is the end of the connection."""
    reason = UpstreamUnreachable("its stream ended")
    try:
        async for event in events:
            for message in reader.messages_of(event):
                inbox.arrived(message)
    except httpx2.TransportError as error:
        reason = server.trouble(error)
    except UpstreamFailed as too_long:
        reason = UpstreamUnreachable(str(too_long))
    inbox.ended(reason)
