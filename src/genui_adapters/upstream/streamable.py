"""A link over Streamable HTTP: each message is a POST, and its response carries the answer.

Messages that belong to no request come on a standing stream, which is kept open.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial

import anyio
import httpx2
from anyio.abc import TaskGroup
from attrs import define, field

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
from genui_adapters.upstream.link import Backoff, Inbox, Link, NotTaken, Rejected
from genui_adapters.upstream.message import Message, own_id
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.domain.mcp.envelope import is_stateless_version
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.domain.mcp.methods import LISTEN
from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.errors import GenUiError, UpstreamDied, UpstreamFailed
from genui_core.ports.event_log import EventLog

_SESSION = "mcp-session-id"
_VERSION = "mcp-protocol-version"

_GRACE_S = 1
"""How long pending requests may take to find that the connection is lost."""
_RESUME_AFTER_MS = 1000
"""How long to wait before a stream is resumed, if the server does not say."""
_MAX_FAILED_RESUMPTIONS = 2
_REST_S = 1
"""How long a stream may stay open after the answer, so that its connection can be used again."""
_END_SESSION_S = 1
"""How long ending the session may take."""


@asynccontextmanager
async def open_streamable_link(
    upstream: RemoteUpstream, settings: UpstreamSettings, event_log: EventLog, inbox: Inbox
) -> AsyncIterator[Link]:
    """Open a link, which connects at the first message. Leaving ends the session."""
    async with endpoint(upstream) as server, nursery() as tasks:
        reader = MessageReader(event_log, server.address, settings.max_line_bytes)
        link = StreamableLink(server, reader, inbox, tasks, settings)
        try:
            yield link
        finally:
            tasks.cancel_scope.cancel()
            with anyio.CancelScope(shield=True), anyio.move_on_after(_END_SESSION_S):
                await link.end()


@define(eq=False, repr=False)
class StreamableLink(Link):
    """Sends each message as its own POST, many at the same time, with the headers of the session.

    Each request finds by itself that the server, or the session, is gone. The server is about to refuse
    the requests that were sent at the same time, too. If they failed at once, they would count as taken,
    and could not be sent again.
    """

    endpoint: Endpoint
    reader: MessageReader
    inbox: Inbox
    _tasks: TaskGroup
    _settings: UpstreamSettings
    _exchanges: "dict[int, HttpExchange]" = field(factory=dict, init=False)
    _session_id: str | None = field(default=None, init=False)
    _version: str | None = field(default=None, init=False)
    _is_unknown: bool = field(default=False, init=False)
    _loss: NotTaken | None = field(default=None, init=False)
    _exchange_ended: anyio.Event = field(factory=anyio.Event, init=False)
    closing_cancels = True

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a message; for one that has no answer, wait for its receipt."""
        body = outbound(message)
        if self._loss is not None:
            raise NotTaken(self._loss.reason)
        self._version = headers.get(_VERSION)
        if "method" in message and "id" in message:
            if message["method"] == "initialize":
                self._session_id = None
            exchange = HttpExchange(own_id(message["id"]), self, opens_stream=message["method"] == LISTEN)
            self._exchanges[exchange.request_id] = exchange
            self._tasks.start_soon(self._exchange, exchange, body, headers)
        else:
            await run_in(self._tasks, partial(self._deliver, body, headers))

    def abandon(self, request_id: int) -> None:
        """Close the stream on which the answer would come."""
        exchange = self._exchanges.get(request_id)
        if exchange is not None:
            exchange.scope.cancel()

    def listen(self) -> None:
        """Open the stream of messages without a request; a stateless upstream (2026-07-28) has none."""
        if not is_stateless_version(self._version):
            self._tasks.start_soon(self._keep_stream)

    async def end(self) -> None:
        """End the session at the server, which may be gone."""
        if self._session_id is not None and not self._is_unknown:
            with suppress(httpx2.TransportError):
                async with self._ask("DELETE", {}):
                    pass

    # --- requests -----------------------------------------------------------------------

    def post(self, body: bytes, headers: Mapping[str, str]) -> AbstractAsyncContextManager[httpx2.Response]:
        """Send a message, and yield its response as soon as its head is there."""
        return self._ask("POST", {"accept": f"{JSON}, {EVENTS}", "content-type": JSON, **headers}, body)

    def get(self, last_event_id: str) -> AbstractAsyncContextManager[httpx2.Response]:
        """Open the stream of the server's notifications, or resume an interrupted one."""
        resumed = {"last-event-id": last_event_id} if last_event_id else {}
        return self._ask("GET", {"accept": EVENTS, **resumed})

    @asynccontextmanager
    async def _ask(
        self, method: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> AsyncIterator[httpx2.Response]:
        session = {_SESSION: self._session_id, _VERSION: self._version}
        known = {name: value for name, value in session.items() if value is not None}
        async with self.endpoint.ask(method, {**known, **headers}, body) as response:
            self._session_id = response.headers.get(_SESSION, self._session_id)
            yield response

    async def _exchange(self, exchange: "HttpExchange", body: bytes, headers: Mapping[str, str]) -> None:
        try:
            await exchange.run(body, headers)
        finally:
            del self._exchanges[exchange.request_id]
            self._exchange_ended.set()

    async def _deliver(self, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            async with self.post(body, headers) as response:
                said = await self.reader.body(response)
                if self.is_unknown(response.status_code, said.decode(errors="replace")):
                    self.lose_session()
        except httpx2.TransportError as error:
            self.lose_if_unreachable(error)

    async def _keep_stream(self) -> None:
        """Read the stream of messages without a request, and reopen it when it ends; it is optional.

        It also detects that an idle server was restarted. Returns when the connection is lost.
        """
        backoff, position, was_open = Backoff(self._settings), StreamPosition(), False
        while True:
            backoff.begin()
            try:
                async with self.get(position.last_event_id) as response:
                    if is_stream(response):
                        was_open = True
                        # After an event that is too long, the stream is opened again.
                        with suppress(UpstreamFailed):
                            async for message in self.reader.messages(response, position):
                                self.inbox.take(message)
                    elif not (was_open and response.is_server_error):
                        if was_open and response.is_client_error:
                            self.lose_session()
                        return
            except httpx2.TransportError as error:
                if self.lose_if_unreachable(error) is not None:
                    return
            await anyio.sleep(max((position.retry_ms or 0) / 1000, backoff.pause_s()))

    # --- the loss of the connection -----------------------------------------------------

    def is_unknown(self, status: int, text: str) -> bool:
        """Return whether an answer says that the server does not know the session, as after a restart."""
        unknown = status == httpx2.codes.NOT_FOUND
        unnamed = status == httpx2.codes.BAD_REQUEST and "session" in text.lower()
        return self._session_id is not None and (unknown or unnamed)

    def lose_session(self) -> NotTaken:
        """Send nothing more, because the server does not know the session; return that reason."""
        self._is_unknown, reason = True, NotTaken("the session is lost")
        return self._lose(reason)

    def lose_if_unreachable(self, error: httpx2.TransportError) -> NotTaken | None:
        """Send nothing more if the server cannot be reached at all; return that reason, or None."""
        trouble = self.endpoint.trouble(error)
        if not isinstance(trouble, NotTaken):
            return None
        return self._lose(trouble)

    def _lose(self, reason: NotTaken) -> NotTaken:
        """Send nothing more, and end the connection when no request is pending; return the reason."""
        if self._loss is None:
            self._loss = reason
            # The next connection opens the streams; a server that was restarted must not get them twice.
            for stream in (each for each in self._exchanges.values() if each.opens_stream):
                stream.scope.cancel()
            self._tasks.start_soon(self._give_up, reason)
        return reason

    async def _give_up(self, reason: NotTaken) -> None:
        with anyio.move_on_after(_GRACE_S):
            while self._exchanges:
                self._exchange_ended = anyio.Event()
                await self._exchange_ended.wait()
        self.inbox.end(reason)


@define(eq=False, repr=False)
class HttpExchange:
    """Sends a request, and gives all messages that come back, or the lack of an answer, to the inbox.

    All messages on the response to a request belong to this request, which may open a stream of notifications.
    """

    request_id: int
    _link: StreamableLink
    opens_stream: bool
    scope: anyio.CancelScope = field(factory=anyio.CancelScope)
    _position: StreamPosition = field(factory=StreamPosition)
    _answered: bool = False

    async def run(self, body: bytes, headers: Mapping[str, str]) -> None:
        """Exchange the request for its answer. Never raises."""
        failure: GenUiError | None = None
        with self.scope:
            try:
                await self._post(body, headers)
                await self._resume()
            except httpx2.TransportError as error:
                failure = self._link.lose_if_unreachable(error)
            except GenUiError as error:
                failure = error
            # This failure counts only if no answer came before.
            self._link.inbox.fail(self.request_id, failure or UpstreamDied())

    async def _post(self, body: bytes, headers: Mapping[str, str]) -> None:
        async with self._link.post(body, headers) as response:
            if is_stream(response):
                await self._read(response)
            else:
                self._take_body(response, await self._link.reader.body(response))

    async def _resume(self) -> None:
        """Resume a stream that ended before the answer; servers may end one at any time (2025-11-25)."""
        failures = 0
        while not self._answered and self._position.last_event_id and failures < _MAX_FAILED_RESUMPTIONS:
            pause_ms = self._position.retry_ms if self._position.retry_ms is not None else _RESUME_AFTER_MS
            await anyio.sleep(pause_ms / 1000)
            try:
                async with self._link.get(self._position.last_event_id) as response:
                    failures = 0 if is_stream(response) else failures + 1
                    if not failures:
                        await self._read(response)
            except httpx2.TransportError:
                failures += 1

    async def _read(self, response: httpx2.Response) -> None:
        """Give the messages of a stream to the inbox; a stream that breaks and can be resumed has ended."""
        with anyio.CancelScope() as reading:
            try:
                async for message in self._link.reader.messages(response, self._position):
                    self._take(message)
                    if self._answered:
                        reading.deadline = anyio.current_time() + _REST_S
            except httpx2.TransportError:
                if not self._answered and not self._position.last_event_id:
                    raise

    def _take_body(self, response: httpx2.Response, body: bytes) -> None:
        messages = self._link.reader.messages_in(body) if media_type(response) == JSON else []
        own = any(each.get("id") == self.request_id for each in messages)
        if not own and self._link.is_unknown(response.status_code, body.decode(errors="replace")):
            raise self._link.lose_session()
        for message in messages:
            self._take(message)
        if not self._answered:
            raise self._no_answer(response)

    def _take(self, message: Message) -> None:
        is_answer = "method" not in message
        self._answered = self._answered or is_answer
        own = {**message, "id": self.request_id} if is_answer else message
        self._link.inbox.take(own, self.request_id)

    def _no_answer(self, response: httpx2.Response) -> GenUiError:
        if response.is_error:
            return self._link.endpoint.refusal(response)
        kind = media_type(response) or "nothing"
        return Rejected(
            response.status_code, f"it answered HTTP {response.status_code} with {kind}, not a message"
        )
