"""An upstream connection that takes and returns plain values, for transports that do not relay bytes."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from attrs import frozen

from genui_core.domain.framing.verbatim import VerbatimParams
from genui_core.domain.mcp.envelope import LATEST_HANDSHAKE, is_stateless_version

Result = Mapping[str, object]
"""The result of a request as it came: parsed JSON, with the order of its keys."""

Params = Mapping[str, object]


@frozen
class HostFacts:
    """The facts about a host that its upstream gets.

    Attributes:
        info: The host's ``clientInfo``.
        capabilities: The host's own, so that the upstream offers what it would offer without us.
        protocol_version: The version that the host speaks; the upstream is asked for the same,
            and for one of the same generation if it can.
    """

    info: Mapping[str, object]
    capabilities: Mapping[str, object]
    protocol_version: str = LATEST_HANDSHAKE

    @property
    def stateless(self) -> bool:
        """Whether the host is of the 2026-07-28 generation."""
        return is_stateless_version(self.protocol_version)


@frozen
class UpstreamFacts:
    """What an upstream said of itself.

    Attributes:
        protocol_version: The version that was agreed on.
        stateless: Whether that is of the 2026-07-28 generation.
        capabilities: What it can do.
        info: Its ``serverInfo``.
        instructions: What it wants models to know, or None.
    """

    protocol_version: str
    stateless: bool
    capabilities: Mapping[str, object]
    info: Mapping[str, object]
    instructions: str | None = None


class HostChannel(Protocol):
    """The way back to the host whose request is being answered."""

    @abstractmethod
    async def ask(self, method: str, params: Params) -> Result:
        """Send a request from the upstream to the host: sampling, elicitation, roots.

        Raises:
            HostRefused: The host answered with an error, or cannot be asked.
        """

    @abstractmethod
    async def tell(self, method: str, params: Params) -> None:
        """Pass on a notification that belongs to the request: progress, a log message."""


class SentRequest(Protocol):
    """A request that was sent to the upstream."""

    @abstractmethod
    def cancel(self) -> None:
        """Cancel it here and at the upstream; `result` then returns None."""

    @abstractmethod
    async def result(self) -> Result | None:
        """Return the upstream's result; raises as `ToolSource.request`."""


class ToolSource(Protocol):
    """One logical connection to an upstream, which reconnects if the transport beneath it is lost.

    Requests may run at the same time, in one event loop. A request that is cancelled here is
    cancelled at the upstream. Nothing is ever sent twice, with one exception: lists and reads
    may be, when the connection was lost before they were answered.
    """

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection at this moment, where that is known; else that is not in doubt."""
        return True

    @abstractmethod
    async def facts(self) -> UpstreamFacts:
        """Return what the upstream said of itself, waiting for the connection while it is being made.

        Raises:
            UpstreamUnreachable: There is none, since making one failed or took longer than the start limit.
            UpstreamForbidden: The upstream refused the credentials.
        """

    @abstractmethod
    async def request(self, method: str, params: Params | None, channel: HostChannel | None = None) -> Result:
        """Have the upstream answer a request; its progress and its questions go to ``channel``.

        Raises:
            UpstreamFailed: It answered with this error.
            UpstreamDied: The connection was lost before it answered.
            UpstreamTimeout: It did not answer in time.
            UpstreamUnreachable: There is no connection now.
            UpstreamForbidden: The upstream refused the credentials.
            InvalidArguments: The params hold what JSON cannot.
        """

    def send(
        self,
        method: str,  # noqa: ARG002 -- sources that cannot do it need none of these
        params: VerbatimParams,  # noqa: ARG002
        channel: HostChannel,  # noqa: ARG002
        *,
        stateless: bool,  # noqa: ARG002
    ) -> SentRequest | None:
        """Send a request at once as the text that it came in, if that is possible now.

        Args:
            method: Its method, which must not be one that may be sent twice.
            params: Its params.
            channel: The way back to the host.
            stateless: The era of the host; only an upstream of the same era understands it.

        Returns:
            The request; None if it was not sent, so that `request` must send it.
        """
        return None

    @abstractmethod
    async def notify(self, method: str, params: Params | None) -> None:
        """Forward a notification from the host; drop it if there is no connection."""


Notice = Callable[[str, Params], Awaitable[None]]
"""Takes an upstream notification that belongs to no request: a changed list or resource, a log line."""


class ToolSourceOpener(Protocol):
    """Makes the connections of one upstream."""

    @abstractmethod
    def __call__(
        self, host: HostFacts, notice: Notice, owner: HostChannel | None = None
    ) -> AbstractAsyncContextManager[ToolSource]:
        """Open a connection that is kept up until the context is left, which ends what was started for it.

        Entering does not wait for the upstream; `ToolSource.facts` does.

        Args:
            host: Who the upstream is told it serves.
            notice: Is called in the order of arrival, one call at a time.
            owner: The one host of this connection. Upstream requests that belong to no host request go
                there; without an owner they are refused.
        """
