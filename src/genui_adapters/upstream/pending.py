"""What waits at one upstream: requests in both directions for their answers, and notifications for their turn."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import anyio
from anyio.abc import TaskGroup
from attrs import define, field, frozen

from genui_adapters.io.nursery import Mailbox
from genui_adapters.upstream.link import NotTaken
from genui_adapters.upstream.message import Message, params_of
from genui_core.domain.logging.redaction import logged_error
from genui_core.domain.mcp.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    error_message,
    failure_message,
    result_message,
)
from genui_core.errors import (
    GenUiError,
    HostRefused,
    InvalidArguments,
    UpstreamFailed,
)
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import HostChannel, Notice, Params, Result

MAX_WAITING = 1000
"""More notices than these do not wait; the oldest are let go and the event log says how many."""


class Notices(Mailbox):
    """What the upstream says unasked, on its way to the hosts."""

    def __init__(self, notice: Notice, event_log: EventLog) -> None:
        super().__init__(self._forward, MAX_WAITING)
        self.notice = notice
        self.event_log = event_log

    async def flush(self) -> None:
        """Forward what waits, and log how many were dropped."""
        await super().flush()
        if self._dropped:
            self.event_log.record(Level.WARN, "relay", "notifications_dropped", count=self._dropped)
            self._dropped = 0

    async def _forward(self, method: str, params: Params) -> None:
        try:
            await self.notice(method, params)
        except Exception as fault:  # noqa: BLE001 -- one host's fault is not all hosts' connection
            self.event_log.record(
                Level.ERROR, "tool_proxy", "fault", method=method, error=logged_error(fault)
            )


MAX_WAITING_NOTIFICATIONS = 1000
"""More than these are not kept for a host that does not take them; the oldest go first."""


@define(eq=False)
class PendingRequest:
    """Collects the messages for a request; its waiter forwards the others until the answer arrives.

    It forwards a notification that came before the answer before it returns the answer: afterwards
    the host may have closed the stream.

    Attributes:
        takes_text: Whether its result may come as a `VerbatimResult`.
    """

    channel: HostChannel | None = None
    progress_token: object = None
    takes_text: bool = False
    _notifications: deque[tuple[str, Params]] = field(factory=lambda: deque(maxlen=MAX_WAITING_NOTIFICATIONS))
    _outcome: Result | GenUiError | None = None
    _waiter: "asyncio.Future[None] | None" = None

    def notified(self, method: str, params: Params) -> None:
        """Take a notification that belongs to the request."""
        if self.channel is not None and self._outcome is None:
            self._notifications.append((method, params))
            self._wake()

    def answered(self, message: Mapping[str, object]) -> None:
        """Take the answer; only the first one counts."""
        result, error = message.get("result"), message.get("error")
        if isinstance(result, Mapping):
            self.settle(result)
        elif isinstance(error, Mapping):
            self.settle(UpstreamFailed(error))
        else:
            self.settle(
                UpstreamFailed({"code": INTERNAL_ERROR, "message": "The answer is no JSON-RPC answer."})
            )

    def settle(self, outcome: Result | GenUiError) -> None:
        """End the request with its result or an error; only the first counts."""
        if self._outcome is None:
            self._outcome = outcome
            self._wake()

    async def outcome(self) -> Result:
        """Wait for the answer or its `GenUiError`, and tell the host what comes before it."""
        while True:
            if self._outcome is None and not self._notifications:
                self._waiter = asyncio.get_running_loop().create_future()
                await self._waiter
            while self._notifications and self.channel is not None:
                await self.channel.tell(*self._notifications.popleft())
            if isinstance(self._outcome, GenUiError):
                raise self._outcome
            if self._outcome is not None:
                return self._outcome

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


@frozen(eq=False)
class Questions:
    """Answers what an upstream asks, each question in a task of its own."""

    tasks: TaskGroup
    send: Callable[[Message], Awaitable[None]]
    event_log: EventLog
    owner: HostChannel | None = None
    _asked: dict[object, anyio.CancelScope] = field(factory=dict)

    def take(self, message: Message, channel: HostChannel | None) -> None:
        """Take a request, and put it to this host, or to the owner; with neither it is refused."""
        scope = self._asked[_key(message["id"])] = anyio.CancelScope()
        self.tasks.start_soon(self._answer, message, channel or self.owner, scope)

    def withdrawn(self, request_id: object) -> None:
        """Stop asking: the upstream no longer wants to know."""
        scope = self._asked.get(_key(request_id))
        if scope is not None:
            scope.cancel()

    async def _answer(self, message: Message, channel: HostChannel | None, scope: anyio.CancelScope) -> None:
        key = _key(message["id"])
        try:
            with scope, suppress(NotTaken):  # where the connection is lost, so is who asked
                await self._send(message["id"], await self._answered(message, channel))
        finally:
            if self._asked.get(key) is scope:
                del self._asked[key]

    async def _answered(self, message: Message, channel: HostChannel | None) -> Message:
        request_id, method = message["id"], str(message["method"])
        if method == "ping":
            return result_message(request_id, {})
        if channel is None:
            return failure_message(
                request_id, INVALID_REQUEST, f"{method} belongs to no host that can be asked."
            )
        try:
            answer = await channel.ask(method, params_of(message))
        except HostRefused as refused:
            return error_message(request_id, refused.error)
        except Exception as fault:  # noqa: BLE001 -- one host's fault is not all hosts' connection
            self.event_log.record(
                Level.ERROR, "tool_proxy", "fault", method=method, error=logged_error(fault)
            )
            return failure_message(request_id, INTERNAL_ERROR, "The host could not be asked.")
        return result_message(request_id, answer)

    async def _send(self, request_id: object, answer: Message) -> None:
        try:
            await self.send(answer)
        except InvalidArguments as error:
            await self.send(failure_message(request_id, INTERNAL_ERROR, str(error)))


def _key(request_id: object) -> object:
    """An id as it is compared: ``1`` is not ``"1"``, and anything can be one."""
    return type(request_id), str(request_id)
