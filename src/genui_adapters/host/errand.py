"""One request of a host's, on its way to the upstream and back."""

from attrs import frozen

from genui_adapters.host.generations import Bridge
from genui_adapters.host.lines import TellOnly
from genui_adapters.host.listeners import SessionListener
from genui_adapters.host.parked_call import can_be_asked
from genui_adapters.host.upstream_connection import UpstreamConnection
from genui_core.application.host_request import HostRequest
from genui_core.domain.logging.log_levels import LOG_LEVEL_KEY
from genui_core.domain.mcp.apps_extension import request_meta
from genui_core.domain.mcp.jsonrpc import RequestId
from genui_core.errors import UpstreamFailed
from genui_core.ports.tool_source import HostLine, Result


@frozen
class Errand:
    """A host's request, or one in its name.

    Attributes:
        request_id: The id that the host gave it.
        bridge: Asks the upstream.
        upstream: Its connection, and who shares it.
        line: The way back to the host.
        listener: Where the host is told what changes, if it has a session.
        version: The version of the protocol that it speaks.
    """

    request_id: RequestId
    bridge: Bridge
    upstream: UpstreamConnection
    line: HostLine
    listener: SessionListener | None
    version: str

    async def ask(self, asked: HostRequest) -> Result:
        """Have the upstream answer.

        Raises:
            GenUiError: Why it does not.
        """
        level = request_meta(asked.params).get(LOG_LEVEL_KEY) if asked.stateless else None
        if level is not None and not self.bridge.facts.stateless:
            await self._have_logged(level)
        line = self.line if can_be_asked(asked.capabilities) else TellOnly(self.line)
        return await self.bridge.ask(asked, line, self.listener and self.listener.log_level)

    async def _have_logged(self, level: object) -> None:
        """Set the log level of a stateful upstream to the level that a stateless request asks for."""
        if "logging" not in self.bridge.facts.capabilities or self.upstream.logs_at(level):
            return
        try:
            await self.upstream.want_log(level, self.bridge.source)
        except UpstreamFailed:
            return  # then the request goes without its log
