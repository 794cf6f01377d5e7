"""Connections to hosts."""

from typing import Any

from attrs import frozen
from mcp import MCPError
from mcp.server.connection import Connection
from mcp.shared.dispatcher import DispatchContext

from genui_adapters.host.wire import error_object, unsendable
from genui_core.domain.mcp.rpc_errors import INVALID_PARAMS, METHOD_NOT_FOUND
from genui_core.errors import HostRefused
from genui_core.ports.tool_source import HostLine, Params, Result


@frozen(eq=False)
class ChannelLine(HostLine):
    """A way to a host through one of the SDK's channels: a request's own, or a session's."""

    channel: DispatchContext[Any] | Connection

    @property
    def can_ask(self) -> bool:
        """Whether a question can go this way now; a request's own is closed once that is answered."""
        return bool(getattr(self.channel, "can_send_request", True))

    async def ask(self, method: str, params: Params) -> Result:
        """Put a request to the host, as it is."""
        reason = unsendable(params)
        if reason is not None:
            raise HostRefused({"code": INVALID_PARAMS, "message": f"This cannot be sent as JSON: {reason}"})
        try:
            return await self.channel.send_raw_request(method, params)
        except MCPError as error:
            raise HostRefused(error_object(error)) from error

    async def tell(self, method: str, params: Params) -> None:
        """Pass on a notification, as it is; one that cannot be sent is let go."""
        if unsendable(params) is None:
            await self.channel.notify(method, params or None)


class NoHost(HostLine):
    """Stands in for a missing host: refuses requests and drops notifications."""

    async def ask(self, method: str, params: Params) -> Result:  # noqa: ARG002 -- there is no host
        """Refuse."""
        raise HostRefused({"code": METHOD_NOT_FOUND, "message": f"No host can answer {method} now."})

    async def tell(self, method: str, params: Params) -> None:
        """Let it go."""


NO_HOST = NoHost()


@frozen
class TellOnly(NoHost):
    """The way to a host that cannot be asked: it is only told."""

    line: HostLine

    async def tell(self, method: str, params: Params) -> None:
        """Tell the host."""
        await self.line.tell(method, params)


@frozen
class SessionOwner(HostLine):
    """The way to a host outside of its requests, from the moment on when it is ready for that."""

    connection: Connection
    line: HostLine

    async def ask(self, method: str, params: Params) -> Result:
        """Put a question to the host once its handshake is over."""
        await self.connection.initialized.wait()
        return await self.line.ask(method, params)

    async def tell(self, method: str, params: Params) -> None:
        """Tell the host, once its handshake is over."""
        await self.connection.initialized.wait()
        await self.line.tell(method, params)
