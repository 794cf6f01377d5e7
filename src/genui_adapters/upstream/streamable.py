"""A link over Streamable HTTP: every message a POST, what belongs to a request on its response.

What belongs to no request comes on a standing stream, which is kept open.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial

import anyio
import httpx2
from anyio.abc import TaskGroup
from attrs import define, field, frozen

from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.http_client import (
    EVENTS,
    JSON,
    Endpoint,
    MessageReader,
    StreamPosition,
    endpoint,
    is_stream,
    media_type,
    run_in,
)
from genui_adapters.upstream.link import Inbox, Link, NotTaken, Pacing, Rejected
from genui_adapters.upstream.message import Message, own_id
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.domain.mcp.envelope import is_stateless_version
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.errors import GenUiError, UpstreamDied, UpstreamFailed
from genui_core.ports.event_log import EventLog

_SESSION = "mcp-session-id"
_VERSION = "mcp-protocol-version"


@define(eq=False)
class HttpSession:
    """What the requests of one connection share: the headers that go with each, and where the answers go.

    Each request finds out for itself that the server, or the session with it, is gone. Those that were sent
    at the same time are about to be turned away too. Were they given up at once, they would count as taken,
    and could not be sent again.

    Attributes:
        exchanges: The requests that are under way, by id.
    """

    endpoint: Endpoint
    reader: MessageReader
    inbox: Inbox
    tasks: TaskGroup
    exchanges: "dict[int, HttpExchange]" = field(factory=dict, init=False)
    id: str | None = field(default=None, init=False)
    version: str | None = field(default=None, init=False)
    _is_unknown: bool = field(default=False, init=False)
    _loss: NotTaken | None = field(default=None, init=False)
    _one_less: anyio.Event = field(factory=anyio.Event, init=False)

    @property
    def is_stateless(self) -> bool:
        """Whether there is neither a session nor a stream beside the requests (2026-07-28)."""
        return is_stateless_version(self.version)

    def about_to_send(self, method: object, headers: Mapping[str, str]) -> None:
        """Track the version of a session: ``initialize`` resets it, any other message carries it.

        Raises NotTaken where nothing more can be sent.
        """
        if self._loss is not None:
            raise NotTaken(self._loss.reason)
        self.version = headers.get(_VERSION)
        if method == "initialize":
            self.id = None

    def post(self, body: bytes, headers: Mapping[str, str]) -> AbstractAsyncContextManager[httpx2.Response]:
        """Send a message; its response is yielded when its head is there."""
        sent = {"accept": f"{JSON}, {EVENTS}", "content-type": JSON, **self._common(), **headers}
        return self._ask("POST", sent, body)

    def get(self, last_event_id: str) -> AbstractAsyncContextManager[httpx2.Response]:
        """Open the stream of the server's notifications, or resume an interrupted one."""
        resumed = {"last-event-id": last_event_id} if last_event_id else {}
        return self._ask("GET", {"accept": EVENTS, **self._common(), **resumed}, None)

    async def end(self) -> None:
        """Tell the server that the session is over; it may be gone, or not care."""
        if self.id is not None and not self._is_unknown:
            with suppress(httpx2.TransportError):
                async with self._ask("DELETE", self._common(), None):
                    pass

    def is_unknown(self, status: int, text: str) -> bool:
        """Return whether this answer says that the server does not know our session, as after a restart."""
        unknown = status == httpx2.codes.NOT_FOUND
        unnamed = status == httpx2.codes.BAD_REQUEST and "session" in text.lower()
        return self.id is not None and (unknown or unnamed)

    def forgotten(self) -> NotTaken:
        """Send nothing more: the server does not know our session; return that reason."""
        self._is_unknown, reason = True, NotTaken("the session is lost")
        self._lose(reason)
        return reason

    def broke(self, error: httpx2.TransportError) -> NotTaken | None:
        """Send nothing more if there is no connection to the server at all; return that reason, or None."""
        trouble = self.endpoint.trouble(error)
        if not isinstance(trouble, NotTaken):
            return None
        self._lose(trouble)
        return trouble

    def note_end(self, request_id: int) -> None:
        """Forget a request that has ended."""
        del self.exchanges[request_id]
        self._one_less.set()

    def _lose(self, reason: NotTaken) -> None:
        """Send nothing more, and give up when nothing is under way any more."""
        if self._loss is None:
            self._loss = reason
            self.tasks.start_soon(self._give_up, reason)

    async def _give_up(self, reason: NotTaken) -> None:
        with anyio.move_on_after(_GRACE_S):
            while self.exchanges:
                self._one_less = anyio.Event()
                await self._one_less.wait()
        self.inbox.ended(reason)

    def _common(self) -> dict[str, str]:
        known = {_SESSION: self.id, _VERSION: self.version}
        return {name: value for name, value in known.items() if value is not None}

    @asynccontextmanager
    async def _ask(
        self, method: str, headers: Mapping[str, str], body: bytes | None
    ) -> AsyncIterator[httpx2.Response]:
        async with self.endpoint.ask(method, headers, body) as response:
            self.id = response.headers.get(_SESSION, self.id)
            yield response


_GRACE_S = 1
"""How long requests that are under way may take to find out that the connection is lost."""
_RESUME_AFTER_MS = 1000
"""How long a server is left alone before a stream is gone on with, where it does not say."""
_MAX_FAILED_RESUMPTIONS = 2
_REST_S = 1
"""How long a stream may stay open after the answer, so that its connection can be used again."""

_FAREWELL_S = 1
"""How long ending the session may take."""


@define(eq=False)
class HttpExchange:
    """Sends a request and hands in all that comes back; where no answer comes, it says so.

    What arrives on the response to a request belongs to this request.
    """

    request_id: int
    _session: HttpSession
    scope: anyio.CancelScope = field(factory=anyio.CancelScope)
    _position: StreamPosition = field(factory=StreamPosition)
    _answered: bool = False

    async def run(self, body: bytes, headers: Mapping[str, str]) -> None:
        """Exchange the request for its answer. Never raises."""
        failure: GenUiError | None = None
        with self.scope:
            try:
                await self._post(body, headers)
                await self._go_on()
            except httpx2.TransportError as error:
                failure = self._session.broke(error)
            except GenUiError as error:
                failure = error
            # It counts only where nothing came before.
            self._session.inbox.failed(self.request_id, failure or UpstreamDied())

    async def _post(self, body: bytes, headers: Mapping[str, str]) -> None:
        async with self._session.post(body, headers) as response:
            if is_stream(response):
                await self._read(response)
            else:
                self._take_body(response, await self._session.reader.body(response))

    async def _go_on(self) -> None:
        """Where a stream ended before the answer, go on with it; servers may end one at any time (2025-11-25)."""
        failures = 0
        while not self._answered and self._position.last_event_id and failures < _MAX_FAILED_RESUMPTIONS:
            pause_ms = self._position.retry_ms if self._position.retry_ms is not None else _RESUME_AFTER_MS
            await anyio.sleep(pause_ms / 1000)
            try:
                async with self._session.get(self._position.last_event_id) as response:
                    failures = 0 if is_stream(response) else failures + 1
                    if not failures:
                        await self._read(response)
            except httpx2.TransportError:
                failures += 1

    async def _read(self, response: httpx2.Response) -> None:
        """Hand in the messages of a stream; one that breaks and can be gone on with has only ended."""
        with anyio.CancelScope() as reading:
            try:
                async for message in self._session.reader.messages(response, self._position):
                    self._take(message)
                    if self._answered:
                        reading.deadline = anyio.current_time() + _REST_S
            except httpx2.TransportError:
                if not self._answered and not self._position.last_event_id:
                    raise

    def _take_body(self, response: httpx2.Response, body: bytes) -> None:
        messages = self._session.reader.messages_in(body) if media_type(response) == JSON else []
        own = any(each.get("id") == self.request_id for each in messages)
        if not own and self._session.is_unknown(response.status_code, body.decode(errors="replace")):
            raise self._session.forgotten()
        for message in messages:
            self._take(message)
        if not self._answered:
            raise self._unanswered(response)

    def _take(self, message: Message) -> None:
        is_answer = "method" not in message
        self._answered = self._answered or is_answer
        own = {**message, "id": self.request_id} if is_answer else message
        self._session.inbox.arrived(own, self.request_id)

    def _unanswered(self, response: httpx2.Response) -> GenUiError:
        if response.is_error:
            return self._session.endpoint.refusal(response)
        kind = media_type(response) or "nothing"
        return Rejected(
            response.status_code, f"it answered HTTP {response.status_code} with {kind}, not a message"
        )


async def keep_stream(session: HttpSession, settings: UpstreamSettings) -> None:
    """Read the stream of what belongs to no request, and open it again when it ends; a server need not offer one.

    It is also what notices that an idle server was restarted. Returns when the connection is lost.
    """
    pacing, position, was_open = Pacing(settings), StreamPosition(), False
    while True:
        pacing.begin()
        try:
            async with session.get(position.last_event_id) as response:
                if is_stream(response):
                    was_open = True
                    # Behind an event that was too long, the stream is opened again.
                    with suppress(UpstreamFailed):
                        async for message in session.reader.messages(response, position):
                            session.inbox.arrived(message)
                elif not (was_open and response.is_server_error):
                    if was_open and response.is_client_error:
                        session.forgotten()
                    return
        except httpx2.TransportError as error:
            if session.broke(error) is not None:
                return
        await anyio.sleep(max((position.retry_ms or 0) / 1000, pacing.pause_s()))


@asynccontextmanager
async def open_streamable_link(
    upstream: RemoteUpstream, settings: UpstreamSettings, event_log: EventLog, inbox: Inbox
) -> AsyncIterator[Link]:
    """Get ready to send; nothing is connected to before the first message. Leaving ends the session."""
    async with endpoint(upstream) as server, nursery() as tasks:
        reader = MessageReader(event_log, server.address, settings.max_line_bytes)
        session = HttpSession(server, reader, inbox, tasks)
        try:
            yield StreamableLink(session, settings)
        finally:
            tasks.cancel_scope.cancel()
            with anyio.CancelScope(shield=True), anyio.move_on_after(_FAREWELL_S):
                await session.end()


@frozen(eq=False)
class StreamableLink(Link):
    """Sends each message as a POST of its own, many at the same time."""

    _session: HttpSession
    _settings: UpstreamSettings
    closing_cancels = True

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a message; for one that has no answer, wait for its receipt."""
        body = outbound(message)
        self._session.about_to_send(message.get("method"), headers)
        if "method" in message and "id" in message:
            exchange = HttpExchange(own_id(message["id"]), self._session)
            self._session.exchanges[exchange.request_id] = exchange
            self._session.tasks.start_soon(self._exchange, exchange, body, headers)
        else:
            await run_in(self._session.tasks, partial(self._deliver, body, headers))

    def abandon(self, request_id: int) -> None:
        """Close the stream that the answer would come on."""
        exchange = self._session.exchanges.get(request_id)
        if exchange is not None:
            exchange.scope.cancel()

    def listen(self) -> None:
        """Open the stream of what belongs to no request, where this era has one."""
        if not self._session.is_stateless:
            self._session.tasks.start_soon(keep_stream, self._session, self._settings)

    async def _exchange(self, exchange: HttpExchange, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            await exchange.run(body, headers)
        finally:
            self._session.note_end(exchange.request_id)

    async def _deliver(self, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            async with self._session.post(body, headers) as response:
                said = await self._session.reader.body(response)
                if self._session.is_unknown(response.status_code, said.decode(errors="replace")):
                    self._session.forgotten()
        except httpx2.TransportError as error:
            self._session.broke(error)
