"""Ways to a host that need nothing of a transport."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from attrs import frozen

from genui_core.domain.mcp.rpc_errors import METHOD_NOT_FOUND
from genui_core.errors import HostRefused
from genui_core.ports.tool_source import HostLine, Params, Result


class AskableLine(HostLine, Protocol):
    """A way to a host that says whether it is open for requests."""

    @property
    def can_ask(self) -> bool:
        """Whether a request can go this way now; a request's own way is closed once that is answered."""
        ...


class NoHost(HostLine):
    """Stands in for a missing host: refuses requests and drops notifications."""

    async def ask(self, method: str, params: Params) -> Result:  # noqa: ARG002 -- there is no host
        """Refuse."""
        raise HostRefused({"code": METHOD_NOT_FOUND, "message": f"No host can answer {method} now."})

    async def tell(self, method: str, params: Params) -> None:
        """Drop it."""


NO_HOST = NoHost()


@frozen
class TellOnly(NoHost):
    """The way to a host that cannot be asked: it only gets notifications."""

    line: HostLine

    async def tell(self, method: str, params: Params) -> None:
        """Send a notification."""
        await self.line.tell(method, params)


@frozen
class SessionOwner(HostLine):
    """The way to a host outside of its requests, which waits until its handshake is over.

    Attributes:
        until_initialized: Waits for the end of the handshake.
        line: The way of the session.
    """

    until_initialized: Callable[[], Awaitable[None]]
    line: HostLine

    async def ask(self, method: str, params: Params) -> Result:
        """Send a request once the handshake is over."""
        await self.until_initialized()
        return await self.line.ask(method, params)

    async def tell(self, method: str, params: Params) -> None:
        """Send a notification once the handshake is over."""
        await self.until_initialized()
        await self.line.tell(method, params)
