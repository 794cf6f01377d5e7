"""An upstream connection that takes and returns plain values, for transports that do not relay bytes."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from attrs import frozen

from genui_core.domain.framing.verbatim import VerbatimParams
from genui_core.domain.mcp.envelope import LATEST_HANDSHAKE, is_stateless_version
from genui_core.domain.mcp.jsonrpc import Params, Result


@frozen
class HostFacts:
    """The facts about a host that the wrapper sends to its upstream.

    Attributes:
        info: The host's ``clientInfo``.
        capabilities: The host's capabilities, so that the upstream offers what it offers without the wrapper.
        protocol_version: The host's protocol version. The wrapper requests the same version from the
            upstream, or else one of the same protocol era if there is one.
    """

    info: Mapping[str, object]
    capabilities: Mapping[str, object]
    protocol_version: str = LATEST_HANDSHAKE

    @property
    def stateless(self) -> bool:
        """Whether the host is of the modern protocol era (2026-07-28)."""
        return is_stateless_version(self.protocol_version)


@frozen
class UpstreamFacts:
    """What an upstream reports about itself.

    Attributes:
        protocol_version: The protocol version of the connection.
        stateless: Whether that version is of the modern protocol era (2026-07-28).
        capabilities: The upstream's capabilities.
        info: The upstream's ``serverInfo``.
        instructions: The upstream's ``instructions`` for models, or None.
    """

    protocol_version: str
    stateless: bool
    capabilities: Mapping[str, object]
    info: Mapping[str, object]
    instructions: str | None = None


class HostChannel(Protocol):
    """The channel to one host, for the requests and notifications of an upstream."""

    @abstractmethod
    async def ask(self, method: str, params: Params) -> Result:
        """Send the host an upstream's request (sampling, elicitation, roots), and return the result.

        Raises:
            HostRefused: The host answered with an error, or cannot be asked.
        """

    @abstractmethod
    async def tell(self, method: str, params: Params) -> None:
        """Forward a notification that belongs to the request: progress, a log message."""


class SentRequest(Protocol):
    """A request that was sent to the upstream."""

    @abstractmethod
    def cancel(self) -> None:
        """Cancel the request here and at the upstream; `result` then returns None."""

    @abstractmethod
    def when_settled(self, then: Callable[[], None]) -> None:
        """Call a function once: as soon as the request has its outcome, or a notification comes before it."""

    @abstractmethod
    def result_now(self) -> Result | None:
        """Return the result, or None if only `result` can say what comes next; ends `when_settled`."""

    @abstractmethod
    async def result(self) -> Result | None:
        """Wait for the upstream's result and return it; raises what `ToolSource.request` raises."""


class ToolSource(Protocol):
    """One logical connection to an upstream, which reconnects if the transport beneath it is lost.

    Requests may run at the same time, in one event loop. Cancelling a request also cancels it at the
    upstream. Only lists, ``resources/read`` and ``prompts/get`` are ever sent twice: if the connection was
    lost before they were answered.
    """

    @property
    def is_connected(self) -> bool:
        """Whether a connection exists at this moment; True if the source cannot know."""
        return True

    @abstractmethod
    async def facts(self) -> UpstreamFacts:
        """Return what the upstream reports about itself; wait while the connection is being opened.

        Raises:
            UpstreamUnreachable: The connection could not be opened within the start limit, or failed.
            UpstreamForbidden: The upstream refused the credentials.
        """

    @abstractmethod
    async def request(self, method: str, params: Params | None, channel: HostChannel | None = None) -> Result:
        """Send a request; its progress, log messages and requests to the host go to ``channel``.

        Raises:
            UpstreamFailed: The upstream answered with an error, which the exception holds.
            UpstreamDied: The connection was lost before the upstream answered.
            UpstreamTimeout: The upstream did not answer in time.
            UpstreamUnreachable: There is no connection now.
            UpstreamForbidden: The upstream refused the credentials.
            InvalidArguments: The params hold a value that JSON cannot hold.
        """

    def send(
        self,
        method: str,  # noqa: ARG002 -- the default sends nothing
        params: VerbatimParams,  # noqa: ARG002
        channel: HostChannel,  # noqa: ARG002
        *,
        stateless: bool,  # noqa: ARG002
    ) -> SentRequest | None:
        """Send a request at once, with the text of its params as it arrived, if that is possible now.

        Args:
            method: The request's method; a method that may be sent twice goes through `request`.
            params: The request's params.
            channel: The channel to the host.
            stateless: Whether the host is stateless; the upstream must be of the same protocol era.

        Returns:
            The request that was sent, or None if the caller must send it through `request`.
        """
        return None

    @abstractmethod
    async def notify(self, method: str, params: Params | None) -> None:
        """Forward a notification from the host; drop it if there is no connection.

        Raises InvalidArguments if the params hold a value that JSON cannot hold.
        """


Notice = Callable[[str, Params], Awaitable[None]]
"""Gets an upstream notification that belongs to no request: a changed list or resource, a log line."""


class ToolSourceOpener(Protocol):
    """Opens connections to one upstream."""

    @abstractmethod
    def __call__(
        self, host: HostFacts, notice: Notice, owner: HostChannel | None = None
    ) -> AbstractAsyncContextManager[ToolSource]:
        """Hold a connection open until the context is left; leaving ends all that was started for it.

        Entering does not wait for the upstream; `ToolSource.facts` does.

        Args:
            host: The facts about the host that the upstream gets.
            notice: Called with each notification in the order of arrival, one call at a time.
            owner: The only host of this connection. It gets the upstream's requests that belong to no host
                request; without an owner they are answered with an error.
        """
