"""A link over HTTP with SSE (2024-11-05): it receives on one stream and sends messages as POSTs."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

import anyio
import httpx2
from anyio.abc import TaskGroup
from attrs import frozen

from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.http_client import (
    EVENTS,
    JSON,
    Endpoint,
    MessageReader,
    StreamPosition,
    endpoint,
    is_stream,
    run_in,
)
from genui_adapters.upstream.link import Inbox, Link, NotTaken
from genui_adapters.upstream.message import Message, own_id
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.errors import UpstreamDied, UpstreamFailed, UpstreamUnreachable
from genui_core.ports.event_log import EventLog

Events = AsyncIterator[httpx2.ServerSentEvent]


@asynccontextmanager
async def open_sse_link(
    upstream: RemoteUpstream, settings: UpstreamSettings, event_log: EventLog, inbox: Inbox
) -> AsyncIterator[Link]:
    """Open the stream of a server that has only SSE, and wait for the endpoint for messages."""
    async with endpoint(upstream) as server, _stream(server) as response:
        reader = MessageReader(event_log, server.address, settings.max_line_bytes)
        events = reader.events(response, StreamPosition())
        target = await _message_endpoint(server, events, settings.start_timeout_ms)
        async with nursery() as tasks:
            tasks.start_soon(_read, server, reader, events, inbox)
            yield SseLink(target, reader, inbox, tasks)


@frozen(eq=False, repr=False)
class SseLink(Link):
    """The link, which sends messages as POSTs and gets everything on one stream."""

    _endpoint: Endpoint
    _reader: MessageReader
    _inbox: Inbox
    _tasks: TaskGroup
    handshake_only = True

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
                    self._inbox.fail(request_id, self._endpoint.refusal(response))
        except httpx2.TransportError as error:
            trouble = self._endpoint.trouble(error)
            self._inbox.fail(request_id, trouble if isinstance(trouble, NotTaken) else UpstreamDied())
            self._inbox.end(trouble)


@asynccontextmanager
async def _stream(server: Endpoint) -> AsyncIterator[httpx2.Response]:
    try:
        async with server.ask("GET", {"accept": EVENTS, "cache-control": "no-store"}) as response:
            if not is_stream(response):
                raise server.refusal(response)
            yield response
    except httpx2.TransportError as error:
        raise server.trouble(error) from error


async def _message_endpoint(server: Endpoint, events: Events, within_ms: int) -> Endpoint:
    """Return the endpoint for messages, which the server names in its first event."""
    with anyio.move_on_after(within_ms / 1000):
        async for event in events:
            if event.event == "endpoint":
                return server.at(event.data)
    raise UpstreamUnreachable(f"{server.address} did not say where messages go")


async def _read(server: Endpoint, reader: MessageReader, events: Events, inbox: Inbox) -> None:
    """Give the stream's messages to the inbox; the end of the stream ends the connection."""
    reason = UpstreamUnreachable("its stream ended")
    try:
        async for event in events:
            for message in reader.messages_of(event):
                inbox.take(message)
    except httpx2.TransportError as error:
        reason = server.trouble(error)
    except UpstreamFailed as too_long:
        reason = UpstreamUnreachable(str(too_long))
    inbox.end(reason)
