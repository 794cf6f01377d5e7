"""A request to an upstream that has not been answered: what arrived for it, in order."""

import asyncio
from collections import deque
from collections.abc import Mapping

from attrs import define, field

from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.tool_source import HostChannel, Params, Result

MAX_WAITING_NOTIFICATIONS = 1000
"""More than these are not kept for a host that does not take them; the oldest go first."""


@define(eq=False)
class PendingRequest:
    """Collects the messages for a request; its waiter forwards the others until the answer arrives.

    It forwards a notification that came before the answer before it returns the answer: afterwards
    the host may have closed the stream.

    Attributes:
        line: The way to the host that asked.
        progress_token: The token the host gave, or None.
        takes_text: Whether its result may come as a `VerbatimResult`.
    """

    line: HostChannel | None = None
    progress_token: object = None
    takes_text: bool = False
    _notifications: deque[tuple[str, Params]] = field(factory=lambda: deque(maxlen=MAX_WAITING_NOTIFICATIONS))
    _outcome: Result | GenUiError | None = None
    _waiter: "asyncio.Future[None] | None" = None

    def notified(self, method: str, params: Params) -> None:
        """Take a notification that belongs to the request."""
        if self.line is not None and self._outcome is None:
            self._notifications.append((method, params))
            self._wake()

    def answered(self, message: Mapping[str, object]) -> None:
        """Take the answer; only the first one counts."""
        result, error = message.get("result"), message.get("error")
        if isinstance(result, Mapping):
            self.succeeded(result)
        elif isinstance(error, Mapping):
            self._settle(UpstreamFailed(error))
        else:
            self._settle(UpstreamFailed({"code": -32603, "message": "The answer is no JSON-RPC answer."}))

    def succeeded(self, result: Result) -> None:
        """Take the result; only the first answer counts."""
        self._settle(result)

    def failed(self, error: GenUiError) -> None:
        """End the request with an error."""
        self._settle(error)

    async def outcome(self) -> Result:
        """Wait for the answer, and tell the host what comes before it.

        Raises:
            GenUiError: Why there is none.
        """
        while True:
            if self._outcome is None and not self._notifications:
                self._waiter = asyncio.get_running_loop().create_future()
                await self._waiter
            await self._tell_all()
            if isinstance(self._outcome, GenUiError):
                raise self._outcome
            if self._outcome is not None:
                return self._outcome

    async def _tell_all(self) -> None:
        while self._notifications and self.line is not None:
            await self.line.tell(*self._notifications.popleft())

    def _settle(self, outcome: Result | GenUiError) -> None:
        if self._outcome is None:
            self._outcome = outcome
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
