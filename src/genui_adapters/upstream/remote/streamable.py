"""A link over Streamable HTTP: every message a POST, what belongs to a request on its response."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

import anyio
import httpx2
from anyio.abc import TaskGroup
from attrs import define, field, frozen

from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.link import Inbox, Link, LinkOpener, NotTaken
from genui_adapters.upstream.message import Message
from genui_adapters.upstream.options import ConnectionOptions, RemoteUpstream
from genui_adapters.upstream.progress_tokens import own_id
from genui_adapters.upstream.remote.client import endpoint, run_in
from genui_adapters.upstream.remote.exchange import HttpExchange
from genui_adapters.upstream.remote.losing import Losing
from genui_adapters.upstream.remote.messages import MessageReader
from genui_adapters.upstream.remote.session import HttpSession
from genui_adapters.upstream.remote.standing_stream import StandingStream
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.domain.settings.upstream_settings import Backoff
from genui_core.ports.event_log import EventLog

_FAREWELL_S = 1
"""How long ending the session may take."""


@frozen
class StreamableLinkOpener(LinkOpener):
    """Opens links to a Streamable HTTP server."""

    upstream: RemoteUpstream
    options: ConnectionOptions
    event_log: EventLog

    @asynccontextmanager
    async def __call__(self, inbox: Inbox) -> AsyncIterator[Link]:
        """Get ready to send; nothing is connected to before the first message. Leaving ends the session."""
        async with endpoint(self.upstream) as server, nursery() as tasks:
            session = HttpSession(server)
            reader = MessageReader(self.event_log, server.address, self.options.max_line_bytes)
            try:
                yield StreamableLink(session, reader, inbox, tasks, self.options.backoff)
            finally:
                tasks.cancel_scope.cancel()
                with anyio.CancelScope(shield=True), anyio.move_on_after(_FAREWELL_S):
                    await session.end()


@define(eq=False)
class StreamableLink(Link):
    """Sends each message as a POST of its own, many at the same time."""

    _session: HttpSession
    _reader: MessageReader
    _inbox: Inbox
    _tasks: TaskGroup
    _backoff: Backoff
    handshake_only: bool = field(default=False, init=False)
    closing_cancels: bool = field(default=True, init=False)
    _exchanges: dict[int, HttpExchange] = field(factory=dict)
    _losing: Losing = field(init=False)

    @_losing.default
    def _with_nothing_lost(self) -> Losing:
        return Losing(self._inbox, self._tasks, self._exchanges)

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a message; for one that has no answer, wait for its receipt."""
        body = outbound(message)
        self._losing.check()
        self._session.about_to_send(message.get("method"), headers)
        if "method" in message and "id" in message:
            self._tasks.start_soon(self._exchange, self._begun(own_id(message["id"])), body, headers)
        else:
            await run_in(self._tasks, partial(self._deliver, body, headers))

    def abandon(self, request_id: int) -> None:
        """Close the stream that the answer would come on."""
        exchange = self._exchanges.get(request_id)
        if exchange is not None:
            exchange.scope.cancel()

    def listen(self) -> None:
        """Open the stream of what belongs to no request, where this generation has one."""
        if not self._session.is_stateless:
            stream = StandingStream(self._session, self._reader, self._inbox, self._losing, self._backoff)
            self._tasks.start_soon(stream.run)

    def _begun(self, request_id: int) -> HttpExchange:
        exchange = HttpExchange(request_id, self._session, self._reader, self._inbox, self._losing)
        self._exchanges[request_id] = exchange
        return exchange

    async def _exchange(self, exchange: HttpExchange, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            await exchange.run(body, headers)
        finally:
            del self._exchanges[exchange.request_id]
            self._losing.note_end()

    async def _deliver(self, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            async with self._session.post(body, headers) as response:
                said = await self._reader.body(response)
                if self._session.notice_loss(response.status_code, said.decode(errors="replace")):
                    self._losing.lose(NotTaken("the session is lost"))
        except httpx2.TransportError as error:
            trouble = self._session.endpoint.trouble(error)
            if isinstance(trouble, NotTaken):
                self._losing.lose(trouble)
