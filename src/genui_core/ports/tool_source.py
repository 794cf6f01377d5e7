"""An upstream as plain values: what the doors stand on that do not relay bytes."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from attrs import frozen

Result = Mapping[str, object]
"""The result of a request as it came: parsed JSON, with the order of its keys."""

Params = Mapping[str, object]


@frozen
class HostFacts:
    """What an upstream is told of the host it serves.

    Attributes:
        info: The host's ``clientInfo``.
        capabilities: The host's own, so that the upstream offers what it would offer without us.
    """

    info: Mapping[str, object]
    capabilities: Mapping[str, object]


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


class HostLine(Protocol):
    """The way back to the host whose request is being answered."""

    @abstractmethod
    async def ask(self, method: str, params: Params) -> Result:
        """Put a request of the upstream's to the host: sampling, elicitation, roots.

        Raises:
            HostRefused: The host answered with an error, or cannot be asked.
        """
        ...

    @abstractmethod
    async def tell(self, method: str, params: Params) -> None:
        """Pass on a notification that belongs to the request: progress, a log message."""
        ...


class ToolSource(Protocol):
    """One connection to an upstream, which may be lost and made anew beneath.

    Requests may run at the same time, in one event loop. A request that is cancelled here is
    cancelled at the upstream. Nothing is ever sent twice, with one exception: lists and reads
    may be, when the connection was lost before they were answered.
    """

    @abstractmethod
    async def facts(self) -> UpstreamFacts:
        """Return what the upstream said of itself, waiting for the connection while it is being made.

        Raises:
            UpstreamUnreachable: There is none within the start limit.
        """
        ...

    @abstractmethod
    async def request(self, method: str, params: Params | None, line: HostLine | None = None) -> Result:
        """Have the upstream answer a request; its progress and its questions go to ``line``.

        Raises:
            UpstreamFailed: It answered with this error.
            UpstreamDied: The connection was lost before it answered.
            UpstreamTimeout: It did not answer in time.
            UpstreamUnreachable: There is no connection now.
        """
        ...

    @abstractmethod
    async def notify(self, method: str, params: Params | None) -> None:
        """Pass on a notification of the host's. Without a connection it is dropped."""
        ...


Notice = Callable[[str, Params], Awaitable[None]]
"""Takes a notification of the upstream's that belongs to no request: a list changed, a resource, a log line."""

ToolSourceOpener = Callable[[HostFacts, Notice], AbstractAsyncContextManager[ToolSource]]
"""Makes the connections of one upstream. Leaving the context ends the connection and what was started for it."""
