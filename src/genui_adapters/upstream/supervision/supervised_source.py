"""An upstream connection that reconnects after a loss."""

from attrs import frozen

from genui_adapters.upstream.link import NotTaken
from genui_adapters.upstream.supervision.supervisor import Lending, Restoration
from genui_core.domain.framing.verbatim import VerbatimParams
from genui_core.domain.mcp.methods import REPEATABLE
from genui_core.errors import UpstreamDied, UpstreamUnreachable
from genui_core.ports.tool_source import HostChannel, Params, Result, SentRequest, ToolSource, UpstreamFacts

_OUR_OWN = frozenset({"notifications/initialized", "notifications/cancelled"})
"""What is said of a connection, or of a request by its id: the upstream has heard ours."""


@frozen
class SupervisedSource(ToolSource):
    """Asks over whatever connection stands now."""

    _lending: Lending
    _restoration: Restoration
    _call_timeout_ms: int | None

    @property
    def is_connected(self) -> bool:
        """Whether a connection stands at this moment."""
        return self._lending.now is not None

    async def facts(self) -> UpstreamFacts:
        """Return what the upstream said of itself, waiting for the connection while it is being made."""
        return (await self._lending.borrow()).facts

    async def request(self, method: str, params: Params | None, channel: HostChannel | None = None) -> Result:
        """Have the upstream answer a request; one that it never took is sent again, once."""
        result = await self._answer(method, params, channel)
        self._restoration.asked(method, params)
        return result

    def send(
        self, method: str, params: VerbatimParams, channel: HostChannel, *, stateless: bool
    ) -> SentRequest | None:
        """Send a request at once as the text that it came in, if that is possible now."""
        agreed = self._lending.now
        if agreed is None or agreed.facts.stateless != stateless or method in REPEATABLE:
            return None
        return agreed.connection.send(method, params, channel, self._call_timeout_ms)

    async def notify(self, method: str, params: Params | None) -> None:
        """Forward a notification from the host; drop it if there is no connection."""
        agreed = self._lending.now
        if agreed is not None and method not in _OUR_OWN:
            await agreed.connection.notify(method, params)

    async def _answer(self, method: str, params: Params | None, channel: HostChannel | None) -> Result:
        agreed = await self._lending.borrow()
        try:
            return await agreed.request(method, params, channel, self._call_timeout_ms)
        except NotTaken:
            pass
        except UpstreamDied:
            if method not in REPEATABLE:
                raise
        agreed = await self._lending.borrow(instead_of=agreed)
        try:
            return await agreed.request(method, params, channel, self._call_timeout_ms)
        except NotTaken as lost:
            raise UpstreamUnreachable(lost.reason) from lost
