"""One request to a Streamable HTTP server, from the POST to the answer, wherever that comes."""

from collections.abc import Mapping

import anyio
import httpx2
from attrs import define, field

from genui_adapters.upstream.link import Inbox, NotTaken, Rejected
from genui_adapters.upstream.message import Message
from genui_adapters.upstream.remote.losing import Losing
from genui_adapters.upstream.remote.messages import EVENTS, JSON, MessageReader, Place, media_type
from genui_adapters.upstream.remote.session import HttpSession
from genui_core.errors import GenUiError, UpstreamDied

_RESUME_AFTER_MS = 1000
"""How long a server is left alone before a stream is gone on with, where it does not say."""
_MAX_FAILED_RESUMPTIONS = 2
_REST_S = 1
"""How long a stream may stay open after the answer, so that its connection can be used again."""


@define(eq=False)
class HttpExchange:
    """Sends a request and hands in all that comes back; where no answer comes, it says so.

    What arrives on the response to a request belongs to this request.

    Attributes:
        request_id: The request's id.
        scope: Ends the exchange when cancelled.
    """

    request_id: int
    _session: HttpSession
    _reader: MessageReader
    _inbox: Inbox
    _losing: Losing
    scope: anyio.CancelScope = field(factory=anyio.CancelScope)
    _place: Place = field(factory=Place)
    _answered: bool = False

    async def run(self, body: bytes, headers: Mapping[str, str]) -> None:
        """Exchange the request for its answer. Never raises."""
        with self.scope:
            try:
                await self._post(body, headers)
                await self._go_on()
            except httpx2.TransportError as error:
                self._broke(error)
            except GenUiError as error:
                self._inbox.failed(self.request_id, error)
            self._inbox.failed(self.request_id, UpstreamDied())  # counts only where nothing came before

    async def _post(self, body: bytes, headers: Mapping[str, str]) -> None:
        async with self._session.post(body, headers) as response:
            if response.is_success and media_type(response) == EVENTS:
                await self._read(response)
            else:
                self._take_body(response, await self._reader.body(response))

    async def _go_on(self) -> None:
        """Where a stream ended before the answer, go on with it; servers may end one at any time (2025-11-25)."""
        failures = 0
        while not self._answered and self._place.last_event_id and failures < _MAX_FAILED_RESUMPTIONS:
            pause_ms = self._place.retry_ms if self._place.retry_ms is not None else _RESUME_AFTER_MS
            await anyio.sleep(pause_ms / 1000)
            try:
                async with self._session.get(self._place.last_event_id) as response:
                    resumed = response.is_success and media_type(response) == EVENTS
                    failures = 0 if resumed else failures + 1
                    if resumed:
                        await self._read(response)
            except httpx2.TransportError:
                failures += 1

    async def _read(self, response: httpx2.Response) -> None:
        """Hand in the messages of a stream; one that breaks and can be gone on with has only ended."""
        with anyio.CancelScope() as reading:
            try:
                async for message in self._reader.messages(response, self._place):
                    self._take(message)
                    if self._answered:
                        reading.deadline = anyio.current_time() + _REST_S
            except httpx2.TransportError:
                if not self._answered and not self._place.last_event_id:
                    raise

    def _take_body(self, response: httpx2.Response, body: bytes) -> None:
        messages = self._reader.messages_in(body) if media_type(response) == JSON else []
        status = response.status_code
        own = any(each.get("id") == self.request_id for each in messages)
        if not own and self._session.notice_loss(status, body.decode(errors="replace")):
            self._turned_away(NotTaken("the session is lost"))
            return
        for message in messages:
            self._take(message)
        if not self._answered:
            raise self._unanswered(response)

    def _take(self, message: Message) -> None:
        is_answer = "method" not in message
        self._answered = self._answered or is_answer
        self._inbox.arrived({**message, "id": self.request_id} if is_answer else message, self.request_id)

    def _unanswered(self, response: httpx2.Response) -> GenUiError:
        if response.is_error:
            return self._session.endpoint.refusal(response)
        kind = media_type(response) or "nothing"
        return Rejected(
            response.status_code, f"it answered HTTP {response.status_code} with {kind}, not a message"
        )

    def _broke(self, error: httpx2.TransportError) -> None:
        trouble = self._session.endpoint.trouble(error)
        if isinstance(trouble, NotTaken):
            self._turned_away(trouble)

    def _turned_away(self, reason: NotTaken) -> None:
        self._inbox.failed(self.request_id, reason)
        self._losing.lose(reason)
