"""The stream on which a Streamable HTTP server says what belongs to no request, kept open."""

import anyio
import httpx2
from attrs import define, field

from genui_adapters.upstream.link import Inbox, NotTaken
from genui_adapters.upstream.pacing import Pacing
from genui_adapters.upstream.remote.losing import Losing
from genui_adapters.upstream.remote.messages import EVENTS, MessageReader, Place, media_type
from genui_adapters.upstream.remote.session import HttpSession
from genui_core.domain.settings.upstream_settings import Backoff
from genui_core.errors import UpstreamFailed


@define(eq=False)
class StandingStream:
    """Reads the stream, and opens it again when it ends; a server need not offer one.

    It is also what notices that an idle server was restarted.
    """

    _session: HttpSession
    _reader: MessageReader
    _inbox: Inbox
    _losing: Losing
    _backoff: Backoff
    _place: Place = field(factory=Place)
    _was_open: bool = False

    async def run(self) -> None:
        """Read until the server does not offer the stream, or the connection is lost."""
        pacing = Pacing.of(self._backoff)
        while True:
            pacing.begin()
            try:
                if not await self._once():
                    return
            except httpx2.TransportError as error:
                trouble = self._session.endpoint.trouble(error)
                if isinstance(trouble, NotTaken):
                    self._losing.lose(trouble)
                    return
            await anyio.sleep(max((self._place.retry_ms or 0) / 1000, pacing.pause_s()))

    async def _once(self) -> bool:
        """Open the stream and read it to its end; return whether it can be opened again."""
        async with self._session.get(self._place.last_event_id) as response:
            if not response.is_success or media_type(response) != EVENTS:
                return self._refused(response)
            self._was_open = True
            try:
                async for message in self._reader.messages(response, self._place):
                    self._inbox.arrived(message)
            except UpstreamFailed:
                pass  # an event was too long; the stream is opened again behind it
            return True

    def _refused(self, response: httpx2.Response) -> bool:
        if self._was_open and response.is_client_error:
            self._session.is_lost = True
            self._losing.lose(NotTaken("the session is lost"))
        return self._was_open and response.is_server_error
