"""One connection to an upstream: requests go out over a link, and what comes back is waited for.

A stateless upstream sends its notifications on streams that are asked for (2026-07-28,
``subscriptions/listen``).
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

import anyio
from anyio.abc import TaskGroup
from attrs import Factory, define, field, frozen

from genui_adapters.upstream.link import Inbox, Link, NotTaken, Pacing, Rejected
from genui_adapters.upstream.message import (
    Message,
    Stamp,
    notification_message,
    request_message,
    token_of,
    with_token,
)
from genui_adapters.upstream.switchboard import Notices, PendingRequest, Questions, Switchboard
from genui_core.domain.framing.verbatim import VerbatimParams, request_text, token_place
from genui_core.domain.mcp.methods import CANCELLED
from genui_core.domain.settings.upstream_settings import Backoff
from genui_core.errors import GenUiError, UpstreamFailed, UpstreamTimeout, UpstreamUnreachable
from genui_core.ports.event_log import EventLog
from genui_core.ports.tool_source import HostChannel, HostFacts, Params, Result, SentRequest, UpstreamFacts

_FILTERS = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}


@define(eq=False)
class Connection:
    """Asks an upstream.

    Attributes:
        link: What it sends over; set before the first request.
    """

    host: HostFacts
    tasks: TaskGroup
    notices: Notices
    _owner: HostChannel | None
    _event_log: EventLog
    stamp: Stamp = Factory(lambda self: Stamp(self.host), takes_self=True)
    link: Link = field(init=False)
    _board: Switchboard = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Sort what arrives; there is no link yet."""
        questions = Questions(self.tasks, self._send, self._event_log, self._owner)
        self._board = Switchboard(self.notices, questions, self._event_log)

    @property
    def inbox(self) -> Inbox:
        """Where the link hands in what arrives."""
        return self._board

    @property
    def loss(self) -> UpstreamUnreachable | None:
        """Why the connection was lost, or None while it stands."""
        return self._board.loss

    async def lost(self) -> None:
        """Wait until the connection is lost."""
        await self._board.lost.wait()

    async def request(
        self,
        method: str,
        params: Params | None,
        channel: HostChannel | None = None,
        *,
        timeout_ms: float | None = None,
        cancellable: bool = True,
    ) -> Result:
        """Return what the upstream answers.

        Raises:
            UpstreamFailed: It answered with this error.
            NotTaken: The request did not get to it.
            UpstreamDied: The connection was lost before it answered.
            UpstreamTimeout: It did not answer in time.
            InvalidArguments: The params hold what JSON cannot.
        """
        if self.loss is not None:
            raise NotTaken(self.loss.reason)
        request_id, pending = self._board.opened(channel, token_of(params))
        sent = self.stamp.params(with_token(params, request_id))
        try:
            with anyio.move_on_after(None if timeout_ms is None else timeout_ms / 1000):
                headers = self.stamp.headers(method, sent)
                await self.link.send(request_message(request_id, method, sent), headers)
                return await pending.outcome()
            self._cancel(request_id, "timed out", cancellable=cancellable)
            raise UpstreamTimeout(method, int(timeout_ms or 0))
        except anyio.get_cancelled_exc_class():
            self._cancel(request_id, "cancelled", cancellable=cancellable)
            raise
        finally:
            self._board.closed(request_id)

    def send(
        self, method: str, params: VerbatimParams, channel: HostChannel, timeout_ms: float | None
    ) -> SentRequest | None:
        """Send a request at once as the text that it came in; None if it was not sent."""
        if self.loss is not None or self.stamp.params(params) is not params:
            return None
        token, place = token_of(params), None
        if token is not None and (place := token_place(params)) is None:
            return None
        request_id, pending = self._board.opened(channel, token)
        pending.takes_text = True
        text = params.text
        if place is not None:
            text = f"{text[: place[0]]}{request_id}{text[place[1] :]}"
        if not self.link.send_at_once(request_text(request_id, method, text)):
            self._board.closed(request_id)
            return None
        return _Sent(self, method, request_id, pending, timeout_ms)

    def ended(self, request_id: int, *, cancelled: str = "") -> None:
        """Forget a request that `send` has sent."""
        if cancelled:
            self._cancel(request_id, cancelled, cancellable=True)
        self._board.closed(request_id)

    async def notify(self, method: str, params: Params | None) -> None:
        """Send a notification; a lost connection takes none.

        Raises InvalidArguments if the params hold what JSON cannot.
        """
        if self.loss is None:
            await self._send(notification_message(method, self.stamp.notification_params(params)))

    def _cancel(self, request_id: int, reason: str, *, cancellable: bool) -> None:
        self.link.abandon(request_id)
        told_by_closing = self.link.closing_cancels and self.stamp.stateless
        if cancellable and not told_by_closing and self.loss is None:
            self.tasks.start_soon(self._say_cancelled, {"requestId": request_id, "reason": reason})

    async def _say_cancelled(self, params: Params) -> None:
        with suppress(GenUiError):  # an upstream that is gone has nothing to cancel
            await self.notify(CANCELLED, params)

    async def _send(self, message: Message) -> None:
        await self.link.send(message, self.stamp.headers(str(message.get("method")), None))


@define(eq=False)
class _Sent(SentRequest):
    _connection: Connection
    _method: str
    _request_id: int
    _pending: PendingRequest
    _timeout_ms: float | None
    _is_cancelled: bool = field(default=False, init=False)

    def cancel(self) -> None:
        self._is_cancelled = True
        self._pending.settle(GenUiError("The request was cancelled before its answer."))

    async def result(self) -> Result | None:
        timer, reason = self._timer(), "cancelled"
        try:
            result = await self._pending.outcome()
            reason = ""
        except UpstreamTimeout:
            reason = "timed out"
            raise
        except GenUiError:
            if self._is_cancelled:
                return None
            reason = ""
            raise
        finally:
            self._connection.ended(self._request_id, cancelled=reason)
            if timer is not None:
                timer.cancel()
        return result

    def _timer(self) -> asyncio.TimerHandle | None:
        if self._timeout_ms is None:
            return None
        late = UpstreamTimeout(self._method, int(self._timeout_ms))
        return asyncio.get_running_loop().call_later(self._timeout_ms / 1000, self._pending.settle, late)


@frozen(eq=False)
class Subscriptions:
    """Keeps the streams open that news come on: one for all lists, one for each resource.

    The news themselves arrive at the connection like those of any upstream.
    """

    _connection: Connection
    _backoff: Backoff
    _scopes: dict[str, anyio.CancelScope] = field(factory=dict)

    def follow_lists(self, facts: UpstreamFacts) -> None:
        """Hear of every list that the upstream says may change."""
        can = {key: each for key, each in facts.capabilities.items() if isinstance(each, Mapping)}
        wanted = {name: True for key, name in _FILTERS.items() if can.get(key, {}).get("listChanged") is True}
        if wanted:
            self._connection.tasks.start_soon(self._follow, wanted, anyio.CancelScope())

    def subscribe(self, uri: str) -> None:
        """Hear of a resource."""
        if uri not in self._scopes:
            scope = self._scopes[uri] = anyio.CancelScope()
            self._connection.tasks.start_soon(self._follow, {"resourceSubscriptions": [uri]}, scope)

    def unsubscribe(self, uri: str) -> None:
        """Hear of a resource no more."""
        scope = self._scopes.pop(uri, None)
        if scope is not None:
            scope.cancel()

    async def _follow(self, wanted: Mapping[str, object], scope: anyio.CancelScope) -> None:
        """Keep a stream open until the connection is lost, the scope ends, or the upstream refuses it."""
        pacing = Pacing(self._backoff)
        with scope:
            while self._connection.loss is None:
                pacing.begin()
                try:
                    await self._connection.request("subscriptions/listen", {"notifications": wanted})
                except (UpstreamFailed, Rejected):
                    return
                except GenUiError:
                    pass  # the stream broke; where the connection did too, this ends here
                await anyio.sleep(pacing.pause_s())
