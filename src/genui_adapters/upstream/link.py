"""The parts below a connection: the link, the inbox of its messages, and the backoff of attempts."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from random import random
from typing import Protocol

import anyio

from genui_adapters.upstream.message import Message
from genui_core.domain.settings.upstream_settings import STABLE_AFTER_S, Restarts, UpstreamSettings
from genui_core.errors import GenUiError, UpstreamUnreachable


class NotTaken(UpstreamUnreachable):
    """A request certainly did not reach the upstream's handler, so that it may be sent again."""


class Rejected(UpstreamUnreachable):
    """A server answered with an HTTP status and no MCP message."""

    def __init__(self, status: int, reason: str) -> None:
        self.status = status
        super().__init__(reason)


class AskDifferently(UpstreamUnreachable):
    """The upstream cannot be asked in this way; the next connection, made at once, uses another."""


class Inbox(Protocol):
    """The receiver of a link's messages. Its methods never wait and never raise."""

    @abstractmethod
    def take(self, message: Message, of: int | None = None) -> None:
        """Take a message; ``of`` is the id of the pending request whose stream it came on, if known."""

    def take_line(self, line: bytes) -> bool:  # noqa: ARG002 -- an inbox may parse every line
        """Take a line if it certainly holds the result of a pending request; return whether it was taken."""
        return False

    @abstractmethod
    def fail(self, request_id: int, error: GenUiError) -> None:
        """Fail a pending request that will get no answer."""

    @abstractmethod
    def end(self, error: UpstreamUnreachable) -> None:
        """Handle the loss of the connection; no other message will arrive."""


class Link(ABC):
    """The lower part of a connection, which carries messages to and from an upstream.

    Attributes:
        handshake_only: Whether the link supports only the eras with a handshake.
        closing_cancels: Whether closing a request's stream cancels the request at a stateless upstream,
            instead of a notification.
    """

    handshake_only: bool = False
    closing_cancels: bool = False

    @abstractmethod
    async def send(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a message; return when it is on its way, not when it is answered.

        A cancelled call leaves no partial message behind.

        Raises:
            InvalidArguments: The message holds what JSON cannot.
            NotTaken: The connection is lost.
        """

    def send_at_once(self, text: bytes) -> bool:  # noqa: ARG002 -- for links that have to wait
        """Send the text of a message without waiting; return whether it was sent."""
        return False

    def abandon(self, request_id: int) -> None:  # noqa: B027 -- most links wait for none
        """Stop waiting for the answer to a request, if the link waits for it."""

    def listen(self) -> None:  # noqa: B027 -- most links do so anyway
        """Start receiving the upstream's notifications, if the link does not receive them already."""


LinkOpener = Callable[[Inbox], AbstractAsyncContextManager[Link]]
"""Opens a link whose messages go to an inbox, and closes it when the context is left.

Entering raises `UpstreamUnreachable` or `UpstreamForbidden`.
"""


class Backoff:
    """The backoff of attempts: measures each, the first from now on, and computes the pauses between them.

    Args:
        settings: Holds the pauses.
        is_shared: Whether other clients share the server. If so, the first retry happens at once, and
            random waits keep the clients from reconnecting together.
    """

    def __init__(self, settings: UpstreamSettings, *, is_shared: bool = True) -> None:
        self._restarts = Restarts(settings, in_a_row=0 if is_shared else 1)
        self._is_shared = is_shared
        self._began = anyio.current_time()

    def begin(self) -> None:
        """Record the start of an attempt."""
        self._began = anyio.current_time()

    def pause_s(self) -> float:
        """Record the end of an attempt; return how many seconds to wait before the next."""
        if anyio.current_time() - self._began > STABLE_AFTER_S:
            self._restarts.was_stable()
        return self._restarts.died(random() if self._is_shared else 0)  # noqa: S311 -- nothing secret
