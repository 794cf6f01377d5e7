"""What requests to one Streamable HTTP server have in common: its session, its endpoint, the agreed version."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import httpx2
from attrs import define

from genui_adapters.upstream.remote.client import Endpoint
from genui_adapters.upstream.remote.messages import EVENTS, JSON
from genui_core.domain.mcp.envelope import is_stateless_version

_SESSION = "mcp-session-id"
_VERSION = "mcp-protocol-version"


@define(eq=False)
class HttpSession:
    """Knows the headers that go with every request.

    Attributes:
        endpoint: Where the server is.
        id: The session it gave us, or None.
        version: The version of the protocol that was agreed on, or None.
        is_lost: Whether the server no longer knows the session.
    """

    endpoint: Endpoint
    id: str | None = None
    version: str | None = None
    is_lost: bool = False

    @property
    def is_stateless(self) -> bool:
        """Whether there is neither a session nor a stream beside the requests (2026-07-28)."""
        return is_stateless_version(self.version)

    def about_to_send(self, method: object, headers: Mapping[str, str]) -> None:
        """Track the version of a session: ``initialize`` resets it, any other message carries it."""
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
        if self.id is not None and not self.is_lost:
            with suppress(httpx2.TransportError):
                async with self._ask("DELETE", self._common(), None):
                    pass

    def notice_loss(self, status: int, text: str) -> bool:
        """Return whether this answer says that the server does not know our session, as after a restart."""
        unknown = status == httpx2.codes.NOT_FOUND
        unnamed = status == httpx2.codes.BAD_REQUEST and "session" in text.lower()
        lost = self.id is not None and (unknown or unnamed)
        self.is_lost = self.is_lost or lost
        return lost

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
