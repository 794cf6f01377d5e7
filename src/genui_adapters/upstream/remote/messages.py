"""Messages out of HTTP responses: the one in a body, or those in a stream of events."""

from collections.abc import AsyncIterator

import httpx2
from attrs import define, frozen

from genui_adapters.upstream.message import Message, decoded
from genui_core.errors import UpstreamFailed
from genui_core.ports.event_log import EventLog, Level

EVENTS = "text/event-stream"
JSON = "application/json"


@define
class Place:
    """Where in a stream of events one is, so that it can be gone on with elsewhere.

    Attributes:
        last_event_id: The id of the last event that had one, or nothing.
        retry_ms: How long the server wants to be left alone before a stream is gone on with.
    """

    last_event_id: str = ""
    retry_ms: int | None = None


@frozen
class MessageReader:
    """Reads messages, none longer than is allowed; what is no message goes into the event log."""

    event_log: EventLog
    upstream_name: str
    max_bytes: int

    async def body(self, response: httpx2.Response) -> bytes:
        """Return all of a response's body.

        Raises:
            UpstreamFailed: It is too long.
            httpx2.TransportError: The connection broke.
        """
        chunks, size = [], 0
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > self.max_bytes:
                raise self._too_long()
            chunks.append(chunk)
        return b"".join(chunks)

    def messages_in(self, data: bytes) -> list[Message]:
        """Return the messages in a piece of JSON; none where it is something else."""
        try:
            return decoded(data)
        except ValueError:
            text = data.decode(errors="replace")
            self.event_log.record(
                Level.WARN, "relay", "not_a_message", upstream=self.upstream_name, text=text
            )
            return []

    async def events(self, response: httpx2.Response, place: Place) -> AsyncIterator[httpx2.ServerSentEvent]:
        """Yield the events of a stream to its end, keeping ``place`` up.

        Raises:
            UpstreamFailed: An event is too long.
            httpx2.TransportError: The stream broke.
        """
        try:
            async for event in httpx2.EventSource(response, max_event_size=self.max_bytes):
                place.last_event_id = event.id or place.last_event_id
                place.retry_ms = place.retry_ms if event.retry is None else event.retry
                yield event
        except httpx2.SSEError as error:
            raise self._too_long() from error

    def messages_of(self, event: httpx2.ServerSentEvent) -> list[Message]:
        """Return the messages in an event, which may be there only to keep the stream open."""
        return self.messages_in(event.data.encode()) if event.event == "message" and event.data else []

    async def messages(self, response: httpx2.Response, place: Place) -> AsyncIterator[Message]:
        """Yield the messages of a stream to its end; raises as `events`."""
        async for event in self.events(response, place):
            for message in self.messages_of(event):
                yield message

    def _too_long(self) -> UpstreamFailed:
        text = f"The upstream's answer is longer than {self.max_bytes} bytes (upstream.maxLineBytes)."
        return UpstreamFailed({"code": -32000, "message": text})


def media_type(response: httpx2.Response) -> str:
    """Return what a response says it holds, without parameters."""
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower()
