"""The pending requests of one upstream connection in both directions, and its queued notifications."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

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
    Params,
    Result,
    error_message,
    failure_message,
    result_message,
)
from genui_core.errors import GenUiError, HostRefused, InvalidArguments
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import HostChannel, Notice

MAX_WAITING = 1000
"""How many notifications may wait for all hosts, or for one request's host; then the oldest are dropped."""


class Notices(Mailbox):
    """The upstream's notifications on their way to the hosts."""

    def __init__(self, notice: Notice, event_log: EventLog) -> None:
        super().__init__(self._forward, MAX_WAITING)
        self.notice = notice
        self.event_log = event_log

    async def flush(self) -> None:
        """Forward the queued notifications, and log how many were dropped."""
        await super().flush()
        if self._dropped:
            self.event_log.record(Level.WARN, "relay", "notifications_dropped", count=self._dropped)
            self._dropped = 0

    async def _forward(self, method: str, params: Params) -> None:
        try:
            await self.notice(method, params)
        except Exception as fault:  # noqa: BLE001 -- an error of one host must not end the shared connection
            self.event_log.record(
                Level.ERROR, "tool_proxy", "fault", method=method, error=logged_error(fault)
            )


@define(eq=False, repr=False)
class PendingRequest:
    """The messages for a request, whose waiter forwards notifications until the answer arrives.

    The waiter forwards every notification that came before the answer, then returns the answer:
    afterwards the host may have closed the stream.

    Attributes:
        then: Called once, when anything arrives.
    """

    channel: HostChannel | None = None
    progress_token: object = None
    _notifications: deque[tuple[str, Params]] = field(factory=partial(deque, maxlen=MAX_WAITING))
    _outcome: Result | GenUiError | None = None
    _waiter: "asyncio.Future[None] | None" = None
    then: Callable[[], None] | None = None

    def take_notification(self, method: str, params: Params) -> None:
        """Queue a notification that belongs to the request."""
        if self.channel is not None and self._outcome is None:
            self._notifications.append((method, params))
            self._wake()

    def settle(self, outcome: Result | GenUiError) -> None:
        """End the request with its result or an error; only the first one counts."""
        if self._outcome is None:
            self._outcome = outcome
            self._wake()

    def result_now(self) -> Result | None:
        """Return the result if it has arrived with no notifications before it; ends the wait of ``then``."""
        self.then = None
        return None if self._notifications or isinstance(self._outcome, GenUiError) else self._outcome

    async def outcome(self) -> Result:
        """Wait for the answer and return it, or raise its `GenUiError`; forward notifications first."""
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
        then, self.then = self.then, None
        if then is not None:
            then()
        elif self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


@frozen(eq=False, repr=False)
class Questions:
    """The upstream's requests to hosts, each answered in its own task."""

    tasks: TaskGroup
    send: Callable[[Message], Awaitable[None]]
    event_log: EventLog
    owner: HostChannel | None = None
    _asked: dict[object, anyio.CancelScope] = field(factory=dict)

    def take(self, message: Message, channel: HostChannel | None) -> None:
        """Start answering a request: ask this host, else the owner; without either, refuse."""
        scope = self._asked[_key(message["id"])] = anyio.CancelScope()
        self.tasks.start_soon(self._answer, message, channel or self.owner, scope)

    def cancel(self, request_id: object) -> None:
        """Stop asking the host, because the upstream has cancelled its request."""
        scope = self._asked.get(_key(request_id))
        if scope is not None:
            scope.cancel()

    async def _answer(self, message: Message, channel: HostChannel | None, scope: anyio.CancelScope) -> None:
        key = _key(message["id"])
        try:
            with scope, suppress(NotTaken, InvalidArguments):  # it is lost, or the id cannot be sent back
                await self._send(message["id"], await self._ask_host(message, channel))
        finally:
            if self._asked.get(key) is scope:
                del self._asked[key]

    async def _ask_host(self, message: Message, channel: HostChannel | None) -> Message:
        request_id, method = message["id"], str(message["method"])
        if method == "ping":
            return result_message(request_id, {})
        if channel is None:
            return failure_message(request_id, INVALID_REQUEST, f"No host can answer {method}.")
        try:
            answer = await channel.ask(method, params_of(message))
        except HostRefused as refused:
            return error_message(request_id, refused.error)
        except Exception as fault:  # noqa: BLE001 -- an error of one host must not end the shared connection
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
    """Return an id in a form to compare: ``1`` is not ``"1"``, and an id can be of any type."""
    return type(request_id), str(request_id)
