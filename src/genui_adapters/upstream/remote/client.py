"""Asking a remote upstream over HTTP: one client a connection, redirects kept within the endpoint's origin.

A connection has many streams, and each of them finds out for itself that the connection is lost.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sized
from contextlib import asynccontextmanager

import anyio
import httpx2
from anyio.abc import TaskGroup
from attrs import define, evolve, field, frozen

from genui_adapters.upstream.link import Inbox, NotTaken, Rejected
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.errors import GenUiError, UpstreamForbidden, UpstreamUnreachable

_GRACE_S = 1
"""How long requests that are under way may take to find out."""


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
"""Every open call holds a connection of its own: none may wait for another."""
_MAX_REDIRECTS = 5
_FORBIDDEN = (401, 403)
_NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol, httpx2.ProxyError)


@frozen
class Endpoint:
    """Where an upstream is, and a client to reach it.

    Attributes:
        client: Carries the configured headers, and keeps connections open.
        url: The endpoint's address.
    """

    client: httpx2.AsyncClient
    url: httpx2.URL

    @property
    def address(self) -> str:
        """The address without what may be secret in it."""
        return str(self.url.copy_with(userinfo=b"", query=None, fragment=None))

    def at(self, reference: str) -> "Endpoint":
        """Return the endpoint that a server names relative to this one.

        Raises:
            UpstreamUnreachable: It is on another origin, where the configured headers must not go.
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
        """Send a request and yield the response, whatever its status, when its head is there.

        A redirect is followed where it repeats the request at the same origin.

        Raises:
            httpx2.TransportError: The connection could not be made, or broke.
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
        """Return what to make of a response that holds no message."""
        status = response.status_code
        if status in _FORBIDDEN:
            return UpstreamForbidden(status, self.address)
        return Rejected(status, f"{self.address} answered HTTP {status} {response.reason_phrase}".rstrip())

    def trouble(self, error: httpx2.TransportError) -> UpstreamUnreachable:
        """Return what to make of a connection that could not be made, or broke."""
        if isinstance(error, httpx2.LocalProtocolError):  # whose text shows the header, which may be secret
            return NotTaken(f"a header for {self.address} cannot be sent")
        if isinstance(error, _NEVER_SENT):
            return NotTaken(f"there is no connection to {self.address}: {error}")
        return UpstreamUnreachable(f"the connection to {self.address} broke: {error!r}")


@asynccontextmanager
async def endpoint(upstream: RemoteUpstream) -> AsyncIterator[Endpoint]:
    """Open a client for an upstream; leaving closes its connections.

    Raises:
        UpstreamUnreachable: The URL or a header cannot be sent.
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


@define(eq=False)
class Losing:
    """Detects that a server, or the session with it, is gone.

    Requests that were sent at the same time are about to be turned away too. Were they given up
    at once, they would count as taken, and could not be sent again.
    """

    _inbox: Inbox
    _tasks: TaskGroup
    _under_way: Sized
    _reason: UpstreamUnreachable | None = None
    _one_less: anyio.Event = field(factory=anyio.Event)

    def check(self) -> None:
        """Raise `NotTaken` where nothing more can be sent."""
        if self._reason is not None:
            raise NotTaken(self._reason.reason)

    def lose(self, reason: UpstreamUnreachable) -> None:
        """Take nothing more, and give up when nothing is under way any more."""
        if self._reason is None:
            self._reason = reason
            self._tasks.start_soon(self._give_up, reason)

    def note_end(self) -> None:
        """Record the end of a request or stream."""
        self._one_less.set()

    async def _give_up(self, reason: UpstreamUnreachable) -> None:
        with anyio.move_on_after(_GRACE_S):
            while len(self._under_way):
                self._one_less = anyio.Event()
                await self._one_less.wait()
        self._inbox.ended(reason)
