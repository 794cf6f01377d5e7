"""One connection to an upstream, which sends requests over a link and waits for their answers."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

import anyio
from anyio.abc import TaskGroup
from attrs import Factory, define, field

from genui_adapters.upstream.link import Inbox, Link, NotTaken
from genui_adapters.upstream.message import (
    PROGRESS_KEY,
    Message,
    Stamp,
    own_id,
    params_of,
    token_of,
    with_token,
    without_meta,
)
from genui_adapters.upstream.pending import Notices, PendingRequest, Questions
from genui_core.domain.framing.lines import result_in
from genui_core.domain.framing.verbatim import VerbatimParams, request_text, token_place
from genui_core.domain.mcp.envelope import LOG_MESSAGE, PROGRESS
from genui_core.domain.mcp.jsonrpc import Params, Result, notification_message, outcome_of, request_message
from genui_core.domain.mcp.methods import ACKNOWLEDGED, CANCELLED, RESOURCE_UPDATED, SUBSCRIPTION_ID_KEY
from genui_core.errors import GenUiError, UpstreamDied, UpstreamFailed, UpstreamTimeout, UpstreamUnreachable
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import HostChannel, HostFacts, SentRequest


@define(eq=False, repr=False)
class Connection(Inbox):
    """Sends requests to an upstream, and gives each message that arrives to its pending request.

    Attributes:
        link: The link that carries the messages; set before the first request.
        loss: Why the connection was lost, or None while it is up.
    """

    host: HostFacts
    tasks: TaskGroup
    notices: Notices
    _owner: HostChannel | None
    _event_log: EventLog
    stamp: Stamp = Factory(lambda self: Stamp(self.host), takes_self=True)
    link: Link = field(init=False)
    loss: UpstreamUnreachable | None = field(default=None, init=False)
    _lost: anyio.Event = field(factory=anyio.Event, init=False)
    _questions: Questions = field(init=False)
    _pending: dict[int, PendingRequest] = field(factory=dict, init=False)
    _last_id: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        """Prepare for the upstream's requests; there is no link yet."""
        self._questions = Questions(self.tasks, self._send, self._event_log, self._owner)

    async def lost(self) -> None:
        """Wait until the connection is lost."""
        await self._lost.wait()

    async def request(
        self,
        method: str,
        params: Params | None,
        channel: HostChannel | None = None,
        *,
        timeout_ms: float | None = None,
        cancellable: bool = True,
    ) -> Result:
        """Return the upstream's answer.

        Raises:
            UpstreamFailed: The upstream answered with this error.
            NotTaken: The request did not reach the upstream.
            UpstreamDied: The connection was lost before the answer.
            UpstreamTimeout: The upstream did not answer in time.
            InvalidArguments: The params hold what JSON cannot.
        """
        if self.loss is not None:
            raise NotTaken(self.loss.reason)
        request_id, pending = self._register(channel, token_of(params))
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
            self.forget(request_id)

    def send(
        self, method: str, params: VerbatimParams, channel: HostChannel, timeout_ms: float | None
    ) -> SentRequest | None:
        """Send a request at once, in its original text; return None if it was not sent."""
        if self.loss is not None or self.stamp.params(params) is not params:
            return None
        token, place = token_of(params) if "_meta" in params else None, None
        if token is not None and (place := token_place(params)) is None:
            return None
        request_id, pending = self._register(channel, token)
        text = params.text
        if place is not None:
            text = f"{text[: place[0]]}{request_id}{text[place[1] :]}"
        if not self.link.send_at_once(request_text(request_id, method, text)):
            self.forget(request_id)
            return None
        return _Sent(self, method, request_id, pending, timeout_ms)

    def forget(self, request_id: int, *, cancelled: str = "") -> None:
        """Forget a request, so that its answer is late; with a reason, also cancel it at the upstream."""
        if cancelled:
            self._cancel(request_id, cancelled, cancellable=True)
        del self._pending[request_id]

    async def notify(self, method: str, params: Params | None) -> None:
        """Send a notification; drop it if the connection is lost.

        Raises InvalidArguments if the params hold what JSON cannot.
        """
        if self.loss is None:
            await self._send(notification_message(method, self.stamp.notification_params(params)))

    def _register(self, channel: HostChannel | None, progress_token: object) -> tuple[int, PendingRequest]:
        """Register a request before it is sent; return its id and the object that gets its answer."""
        self._last_id += 1
        pending = self._pending[self._last_id] = PendingRequest(channel, progress_token)
        return self._last_id, pending

    def _cancel(self, request_id: int, reason: str, *, cancellable: bool) -> None:
        self.link.abandon(request_id)
        closing_cancels = self.link.closing_cancels and self.stamp.stateless
        if cancellable and not closing_cancels and self.loss is None:
            self.tasks.start_soon(self._send_cancelled, {"requestId": request_id, "reason": reason})

    async def _send_cancelled(self, params: Params) -> None:
        with suppress(GenUiError):  # a lost upstream has nothing to cancel
            await self.notify(CANCELLED, params)

    async def _send(self, message: Message) -> None:
        await self.link.send(message, self.stamp.headers(str(message.get("method")), None))

    # --- messages of the upstream -------------------------------------------------------

    def take(self, message: Message, of: int | None = None) -> None:
        """Take a message."""
        method, belongs_to = message.get("method"), self._pending.get(of or 0)
        if not isinstance(method, str):
            self._take_answer(message)
        elif "id" in message:
            asked = belongs_to if of is not None else self._only_pending()
            self._questions.take(message, asked.channel if asked is not None else None)
        else:
            self._take_notification(method, params_of(message), belongs_to)

    def take_line(self, line: bytes) -> bool:
        """Take a line if its ends show the result of a pending request; return whether they do."""
        found = result_in(line)
        pending = self._pending.get(found[0]) if found is not None else None
        if found is None or pending is None:
            return False
        pending.settle(found[1])
        return True

    def fail(self, request_id: int, error: GenUiError) -> None:
        """Fail a request that will get no answer."""
        pending = self._pending.get(request_id)
        if pending is not None:
            pending.settle(error)

    def end(self, error: UpstreamUnreachable) -> None:
        """Fail all pending requests at once, because the connection is lost."""
        if self.loss is None:
            self.loss = error
            self._lost.set()
        for pending in self._pending.values():
            pending.settle(UpstreamDied())

    def _take_answer(self, message: Message) -> None:
        pending = self._pending.get(own_id(message.get("id")))
        if pending is None:
            self._event_log.record(Level.DEBUG, "relay", "late_answer", id=str(message.get("id")))
        else:
            pending.settle(outcome_of(message, UpstreamFailed))

    def _take_notification(self, method: str, said: Params, of: PendingRequest | None) -> None:
        if method == CANCELLED:
            self._questions.cancel(said.get("requestId"))
        elif method == PROGRESS:
            self._forward_progress(said)
        elif method.endswith("/list_changed") or method == RESOURCE_UPDATED:  # for all hosts, on any stream
            self.notices.put(method, without_meta(said, (SUBSCRIPTION_ID_KEY,)))
        elif method != ACKNOWLEDGED:
            self._forward(method, said, of)

    def _forward(self, method: str, params: Params, of: PendingRequest | None) -> None:
        if of is None and method == LOG_MESSAGE:
            of = self._only_pending()
        if of is None or of.channel is None:
            self.notices.put(method, params)
        else:
            of.take_notification(method, params)

    def _forward_progress(self, params: Params) -> None:
        """Forward the progress of a request, with the host's token."""
        pending = self._pending.get(own_id(params.get(PROGRESS_KEY)))
        if pending is not None:
            pending.take_notification(PROGRESS, {**params, PROGRESS_KEY: pending.progress_token})

    def _only_pending(self) -> PendingRequest | None:
        """Return the only pending request of a host, to which a message must belong, or None."""
        waiting = [each for each in self._pending.values() if each.channel is not None]
        return waiting[0] if len(waiting) == 1 else None


@define(eq=False, repr=False)
class _Sent(SentRequest):
    _connection: Connection
    _method: str
    _request_id: int
    _pending: PendingRequest
    _timeout_ms: float | None
    _is_cancelled: bool = field(default=False, init=False)
    _timer: asyncio.TimerHandle | None = field(init=False)

    def cancel(self) -> None:
        self._is_cancelled = True
        self._pending.settle(GenUiError("The request was cancelled before its answer."))

    def when_settled(self, then: Callable[[], None]) -> None:
        self._pending.then = then

    def result_now(self) -> Result | None:
        result = self._pending.result_now()
        if result is not None:
            self._end()
        return result

    async def result(self) -> Result | None:
        reason = "cancelled"
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
            self._end(reason)
        return result

    def _end(self, cancelled: str = "") -> None:
        self._connection.forget(self._request_id, cancelled=cancelled)
        if self._timer is not None:
            self._timer.cancel()

    @_timer.default
    def _(self) -> asyncio.TimerHandle | None:
        if self._timeout_ms is None:
            return None
        late = UpstreamTimeout(self._method, int(self._timeout_ms))
        return asyncio.get_running_loop().call_later(self._timeout_ms / 1000, self._pending.settle, late)
