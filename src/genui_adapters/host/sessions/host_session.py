"""One host connection: its requests, the requests to the host, and its upstream connection."""

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import anyio
from anyio.lowlevel import checkpoint
from attrs import define, field, frozen

from genui_adapters.host.channels import (
    HostQuestions,
    Say,
    SessionChannel,
    SessionModel,
    SessionOwner,
    TellOnly,
)
from genui_adapters.host.listeners import SessionListener
from genui_adapters.host.sessions.callers import HostCall, Origin, host_facts, record_call, sharing_key
from genui_adapters.host.sessions.suspended_calls import can_be_asked
from genui_adapters.host.sessions.upstream_connection import Connections, UpstreamConnection
from genui_adapters.upstream.message import Message, params_of
from genui_core.application.requests.host_request import HostRequest
from genui_core.domain.framing.verbatim import VerbatimParams
from genui_core.domain.mcp.envelope import UNSAID_HANDSHAKE
from genui_core.domain.mcp.jsonrpc import (
    INTERNAL_ERROR,
    RequestId,
    Result,
    error_message,
    id_of,
    outbound,
    result_message,
)
from genui_core.domain.mcp.methods import CANCELLED
from genui_core.domain.mcp.results import UnparsedResult, VerbatimResult
from genui_core.errors import GenUiError, InvalidArguments
from genui_core.ports.event_log import EventLog
from genui_core.ports.identity import Identity
from genui_core.ports.tool_source import SentRequest


@frozen
class Answer:
    """The answer to a host's request."""

    body: bytes
    error: Message | None = None


def result_answer(request_id: RequestId, result: Result) -> Answer:
    """Return the answer with a result, or with an error where JSON cannot hold the result."""
    if isinstance(result, VerbatimResult | UnparsedResult):  # the usual class first: its check is quick
        return Answer(result.answer(request_id))
    try:
        return Answer(outbound(result_message(request_id, dict(result))))
    except InvalidArguments as reason:
        return error_answer(
            request_id, {"code": INTERNAL_ERROR, "message": f"The result is no JSON: {reason}"}
        )


def error_answer(request_id: object, error: Message) -> Answer:
    """Return the answer with an error."""
    try:
        return Answer(outbound(error_message(request_id, error)), error)
    except InvalidArguments:  # a lone surrogate, which ASCII can hold
        plain = {"code": error.get("code", INTERNAL_ERROR), "message": ascii(error.get("message"))}
        return Answer(json.dumps(error_message(request_id, plain)).encode(), plain)


# --- the session ------------------------------------------------------------------------


@define(eq=False)
class HostSession:
    """The connection of a host that begins with a handshake.

    Attributes:
        fail: Logs an error and returns it as the call's answer.
        say: Sends a message outside of any request.
        expire: Ends the session when its host may have vanished.
        idle_until: When it ends if it stays idle; None while it is in use.
    """

    respond: "Callable[[HostCall, HostSession], Awaitable[Answer]]"
    fail: Callable[[HostCall, GenUiError], Answer]
    event_log: EventLog
    say: Say
    expire: Callable[[], None]
    origin: Origin = ()
    idle_until: float | None = None
    version: str = UNSAID_HANDSHAKE
    upstream: UpstreamConnection | None = None
    listener: SessionListener | None = None
    _handshake: Mapping[str, object] = field(factory=dict)
    _questions: HostQuestions = field(factory=HostQuestions)
    _pending: dict[object, anyio.CancelScope | SentRequest] = field(factory=dict)
    _initialized: anyio.Event = field(factory=anyio.Event)
    _sending: anyio.CancelScope = field(factory=anyio.CancelScope)

    async def request(self, message: Message, say: Say) -> Answer | None:
        """Return the answer to a request of the host; None if the host has cancelled it."""
        sent = self.send_call(message, say)
        if sent is not None:
            return await sent.answer()
        channel = SessionChannel(say, self._questions)
        try:
            return await self.unless_cancelled(message, self.respond(self.call(message, channel), self))
        finally:
            channel.can_ask = False

    async def unless_cancelled(self, message: Message, answer: Awaitable[Answer]) -> Answer | None:
        """Return the answer to a request; None if the host has cancelled it."""
        request_id, scope = id_of(message), anyio.CancelScope()
        self._pending[request_id] = scope
        try:
            with scope:
                return await answer
            return None
        finally:
            self.forget(request_id, scope)

    def forget(self, request_id: RequestId, pending: anyio.CancelScope | SentRequest) -> None:
        """Forget a request, unless the host has given its id to another in the meantime."""
        if self._pending.get(request_id) is pending:
            del self._pending[request_id]

    def send_call(self, message: Message, say: Say) -> "SentCall | None":
        """Send the upstream a tool call that the wrapper need not handle; None for any other request."""
        params, upstream, listener = message.get("params"), self.upstream, self.listener
        if message.get("method") != "tools/call" or not isinstance(params, VerbatimParams):
            return None
        if upstream is None or upstream.source_now is None or listener is None:
            return None
        if not upstream.router.passes("tools/call", params, gets_apps=listener.gets_apps):
            return None
        channel = SessionChannel(say, self._questions)
        way = channel if listener.has_own_upstream else TellOnly(channel, listener.wants)
        sent = upstream.source_now.send("tools/call", params, way, stateless=False)
        if sent is None:
            return None
        request_id = id_of(message)
        self._pending[request_id] = sent
        return SentCall(self, message, request_id, params.get("name"), channel, sent)

    def call(self, message: Message, channel: SessionChannel) -> HostCall:
        """Return a request of the host, with the channel for what comes before its answer."""
        given, method = params_of(message), str(message["method"])
        if method == "initialize":
            self._handshake = given
        model = SessionModel(channel, SessionChannel(self.say, self._questions))
        request = HostRequest(method, given, channel.tell, model, self._handshake)
        return HostCall(request, id_of(message), self.version, channel, self.origin)

    async def notification(self, message: Message) -> None:
        """Handle a notification of the host."""
        method, given = str(message["method"]), params_of(message)
        if method == CANCELLED:
            request_id = given.get("requestId")
            scope = self._pending.get(request_id) if isinstance(request_id, RequestId) else None
            if scope is not None:
                scope.cancel()
        elif method == "notifications/initialized":
            self._initialized.set()
        elif self.upstream is not None:
            with suppress(GenUiError):  # it has no answer that could say why it was not forwarded
                source = await self.upstream.source()
                await source.notify(method, given or None)

    def take_answer(self, message: Message) -> None:
        """Take the host's answer to a request of the wrapper."""
        self._questions.take_answer(message)

    def begin(self, call: HostCall, connections: Connections, identity: Identity) -> None:
        """Give a host that begins its handshake a connection to the upstream.

        A host that can be asked gets its own connection; other hosts share one.

        Raises UpstreamUnreachable if too many connections are in use.
        """
        self._leave_upstream()
        host = host_facts(call)
        owner = SessionOwner(self._initialized.wait, SessionChannel(self.say, self._questions))
        if can_be_asked(host.capabilities):
            upstream = connections.acquire(host, identity.nonce(), owner, is_shared=False)
        else:
            upstream = connections.acquire(host, sharing_key(host), None, is_shared=True)
        self.version, self.upstream = host.protocol_version, upstream
        gets_apps = upstream.router.gets_apps(host.capabilities)
        is_own = not upstream.is_shared
        self.listener = SessionListener(owner.tell, gets_apps=gets_apps, has_own_upstream=is_own)
        upstream.listeners.add(self.listener)  # at once, so that it misses no notification
        upstream.sessions.append(self)

    async def send_waiting(self) -> None:
        """Send the notifications that came before an answer, which is sent next."""
        await checkpoint()  # the upstream's task passes them to the tasks of its hosts
        await checkpoint()  # which send them
        if self.listener is not None and self._initialized.is_set():
            await self.listener.mailbox.flush()

    async def send_notifications(self) -> None:
        """Send the host its notifications until the session ends."""
        self._sending = anyio.CancelScope()
        with self._sending:
            if self.listener is not None:
                await self.listener.mailbox.run()

    def end(self) -> None:
        """End the session: its requests are cancelled. May be called again."""
        for scope in tuple(self._pending.values()):
            scope.cancel()
        self._questions.end()
        self._leave_upstream()

    def _leave_upstream(self) -> None:
        upstream, listener = self.upstream, self.listener
        if upstream is None or listener is None:
            return
        self.upstream = self.listener = None
        self._sending.cancel()
        upstream.listeners.remove(listener)
        if upstream.is_shared:
            upstream.release_all(listener.subscribed)
        upstream.sessions.remove(self)
        upstream.leave()


@frozen(eq=False)
class SentCall:
    """A tool call that was sent to the upstream unchanged."""

    _session: HostSession
    message: Message
    _request_id: RequestId
    _tool_name: object
    _channel: SessionChannel
    sent: SentRequest
    _began_s: float = field(init=False, factory=time.monotonic)

    def answer_now(self) -> Answer | None:
        """Return the answer, or None if only `answer` can say what comes next."""
        result = self.sent.result_now()
        if result is None:
            return None
        self._end(result)
        return result_answer(self._request_id, result)

    async def answer(self) -> Answer | None:
        """Wait for the answer and return it; None if the host has cancelled the call."""
        result = None
        try:
            result = await self.sent.result()
            return None if result is None else result_answer(self._request_id, result)
        except GenUiError as error:
            return self._session.fail(self._session.call(self.message, self._channel), error)
        finally:
            self._end(result)

    def _end(self, result: Result | None) -> None:
        self._channel.can_ask = False
        self._session.forget(self._request_id, self.sent)
        record_call(self._session.event_log, self._tool_name, self._began_s, result)
