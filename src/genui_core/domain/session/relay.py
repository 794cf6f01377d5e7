"""The stdio relay as a state machine: bytes in, bytes out, no input or output of its own.

One host connection has one upstream at a time, so ids, progress tokens, protocol eras,
cancellation, sampling and future methods pass through as the same bytes. The rules:

* The relay parses a host line once. An `Interception` decides for each request whether the relay
  forwards it, forwards it and edits the answer, or answers it.
* The relay does not parse most upstream lines: it peeks at their ends to see which request they
  answer. It forwards a long line as it arrives, unless it must edit it or the line answers one of
  the wrapper's own requests.
* Every request from the host gets one answer: from the upstream, or from the wrapper if the
  upstream dies, is down, or takes too long. The relay never sends a request twice.
* A message from the wrapper never lands inside a line that is passing through: it waits for its end.
* The relay forwards a line longer than the limit unchanged; it drops no line for its length.
* The relay forwards a host line that is not JSON; the upstream answers it. It drops an upstream
  line that is not a JSON-RPC message, since a host expects only the protocol on standard output
  (SPEC W7).
* The relay forwards a batch (2025-03-26) unchanged if the wrapper answers none of its messages. Of any
  other batch it forwards the rest as a batch, and the wrapper answers its messages one by one.
"""

from collections.abc import Callable, Iterable, Mapping

from attrs import define, field

from genui_core.domain.mcp.jsonrpc import RequestId, error_line, notification_line, result_line, result_pieces
from genui_core.domain.session.exchange import Exchange
from genui_core.domain.session.in_flight import AGES, Asked, InFlight
from genui_core.domain.session.link import Later
from genui_core.domain.session.own_requests import Then
from genui_core.domain.session.relay_decisions import Interception
from genui_core.domain.session.relay_host_side import HostSide
from genui_core.domain.session.relay_upstream_side import UpstreamSide


class OverdueWatch:
    """Counts the age of pending requests in steps of 3 % of the limit.

    It reports a request up to one step late, and never early.

    Args:
        in_flight: The pending requests.
        later: Calls a function after some seconds.
        tell: Called with each request that is overdue.
    """

    def __init__(self, in_flight: InFlight, later: Later, tell: Callable[[RequestId, Asked], None]) -> None:
        self._in_flight = in_flight
        self._later = later
        self._tell = tell
        self._runs = False

    def run(self, limit_s: float) -> None:
        """Watch as long as a request is pending; may be called again."""
        if not self._runs:
            self._runs = True
            self._later(limit_s / AGES, lambda: self._count(limit_s))

    def _count(self, limit_s: float) -> None:
        self._runs = False
        for request_id, asked in self._in_flight.grow_older():
            self._tell(request_id, asked)
        if not self._in_flight.is_empty:
            self.run(limit_s)


DEFAULT_MAX_LINE_BYTES = 32 * 1024 * 1024
ASK_TIMEOUT_S = 60.0
"""How long the upstream may take to answer one of the wrapper's requests."""


@define(eq=False)
class Relay:
    """The state of one host and its upstream, and the bytes that wait to be written to each.

    A driver feeds what it reads to `host_sent` and `upstream_sent`, and writes what it finds
    in `to_host` and `to_upstream`, which it empties. Not safe for use from two threads at once.

    Attributes:
        noise: Upstream lines that were no messages, to be logged and emptied by the driver.
        wake: Called when there is something to write although nothing was fed.
        later: Has a step taken after some seconds, in turn with what is fed; a driver provides it.
        post: Has a step taken soon, in turn with what is fed. May be called from any thread; a
            driver provides it.
    """

    _interception: Interception
    _nonce: str
    _max_line_bytes: int = DEFAULT_MAX_LINE_BYTES
    _call_timeout_s: float | None = None
    noise: list[bytes] = field(factory=list)
    wake: Callable[[], None] = field(default=lambda: None)
    later: Callable[[float, Callable[[], None]], None] = field(default=lambda _delay_s, _step: None)
    post: Callable[[Callable[[], None]], None] = field(default=lambda _step: None)
    _exchange: Exchange = field(init=False)
    _host_side: HostSide = field(init=False)
    _upstream_side: UpstreamSide = field(init=False)
    _overdue: OverdueWatch = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Set up the two sides around what they share."""

        def later(delay_s: float, step: Callable[[], None]) -> None:
            self.later(delay_s, step)

        exchange = self._exchange = Exchange(self._nonce, later)
        self._host_side = HostSide(self, exchange, self._interception, self._max_line_bytes)
        self._upstream_side = UpstreamSide(exchange, self._interception, self._max_line_bytes, self.noise)
        self._overdue = OverdueWatch(exchange.in_flight, later, self._give_up_on)

    @property
    def to_host(self) -> list[bytes]:
        """Pieces to write to the host, in order."""
        return self._exchange.to_host.pieces

    @property
    def to_upstream(self) -> list[bytes]:
        """Pieces to write to the upstream, in order."""
        return self._exchange.to_upstream.pieces

    # --- what a driver tells ------------------------------------------------------------

    def host_sent(self, data: bytes) -> None:
        """Take bytes that the host wrote."""
        self._host_side.sent(data)

    def host_closed(self) -> None:
        """Handle the end of input from the host; an unfinished line still counts."""
        self._host_side.closed()

    def upstream_sent(self, data: bytes) -> None:
        """Take bytes that the upstream wrote."""
        if self._exchange.link.is_open:
            self._upstream_side.sent(data)

    def upstream_closed(self, error: Mapping[str, object]) -> None:
        """Handle the end of the upstream: all pending requests fail with ``error`` at once."""
        self._upstream_side.closed()
        self._exchange.link.lose(error)
        self._exchange.to_upstream.clear()
        self._host_side.upstream_lost()
        for request_id, request in self._exchange.in_flight.lost():
            self._fail(request_id, request, error)
        for request_id in self._exchange.questions.lost():
            reason = {"requestId": request_id, "reason": "The server that asked has stopped."}
            self.say_to_host(notification_line("notifications/cancelled", reason))
        self._exchange.own.lost(error)

    # --- an upstream that comes back ----------------------------------------------------

    @property
    def ever_answered(self) -> bool:
        """Whether an upstream has ever answered a request from the host."""
        return self._exchange.in_flight.ever_answered

    @property
    def open_methods(self) -> frozenset[str]:
        """What the upstream is being asked by the host."""
        return self._exchange.in_flight.methods

    def refuse_meanwhile(self, error: Mapping[str, object], *, is_expected: bool) -> None:
        """Say what requests are told while there is no upstream, and whether one is expected in a moment."""
        self._exchange.link.lose(error, is_expected=is_expected)

    def refuse_waiting(self) -> None:
        """Let no request wait any longer: no upstream will come."""
        self._exchange.link.refuse_waiting()

    def upstream_opened(self) -> None:
        """Handle the start of a new upstream; until it is ready, only `greet` reaches it."""
        self._exchange.link.open()

    def upstream_ready(self) -> None:
        """Let the host's requests through again, first those that have waited."""
        self._exchange.link.set_up()

    def absent(self, request_id: RequestId, request: Asked, line: bytes) -> None:
        """Deal with a request that there is no upstream for: it waits a moment, or is refused."""
        if not self._exchange.link.may_wait(request.method):
            self.refuse(request_id, request)
            return

        def go_on() -> None:
            if self.settle(request_id):
                self.forward(request_id, request, line)

        def give_up() -> None:
            if self.settle(request_id):
                self.refuse(request_id, request)

        self.hold(request_id)
        self._exchange.link.wait(go_on, give_up)

    def refuse(self, request_id: RequestId, request: Asked) -> None:
        """Tell the host that there is no upstream for its request."""
        self._fail(request_id, request, self._exchange.link.refusal)

    def _fail(self, request_id: RequestId, request: Asked, error: Mapping[str, object]) -> None:
        failed = self._interception.request_failed(error, request.method, request.tool_name)
        self.say_to_host(error_line(request_id, failed))

    # --- requests that we hold, and those that go on ------------------------------------

    def hold(self, request_id: RequestId, cancelled: Callable[[], None] = lambda: None) -> None:
        """Hold a request from the host; call ``cancelled`` if the host cancels it."""
        self._exchange.held[request_id] = cancelled

    def is_held(self, request_id: RequestId) -> bool:
        """Whether the relay holds a request that is neither answered nor cancelled."""
        return request_id in self._exchange.held

    def settle(self, request_id: object) -> bool:
        """Stop holding a request from the host; return whether it was still held."""
        return self._let_go(request_id) is not None

    def cancel(self, request_id: object) -> bool:
        """Take it that the host has cancelled a request; say whether it was held here."""
        cancelled = self._let_go(request_id)
        if cancelled is None:
            return False
        cancelled()
        return True

    def _let_go(self, request_id: object) -> Callable[[], None] | None:
        return (
            self._exchange.held.pop(request_id, None) if isinstance(request_id, str | int | float) else None
        )

    def succeed(self, request_id: RequestId, result: str) -> None:
        """Answer a request that is still held, with the JSON text of a result."""
        if self.settle(request_id):
            self.say_to_host(result_line(request_id, result))

    def succeed_in_pieces(self, request_id: RequestId, result: Iterable[bytes]) -> None:
        """Answer a request that is still held, with the JSON text of a result, in pieces that are not copied."""
        if self.settle(request_id):
            self.say_to_host(*result_pieces(request_id, result))

    def fail(self, request_id: RequestId, error: Mapping[str, object]) -> None:
        """Answer a request that is still held, with an error."""
        if self.settle(request_id):
            self.say_to_host(error_line(request_id, error))

    def forward(self, request_id: RequestId, request: Asked, line: bytes) -> None:
        """Send a host's request on to the upstream after it was held back."""
        if self._exchange.link.is_up:
            self.expect_answer(request_id, request)
            self.say_to_upstream(line)
        else:
            self.absent(request_id, request, line)

    def expect_answer(self, request_id: RequestId, request: Asked) -> None:
        """Record a request from the host that is pending at the upstream."""
        self._exchange.in_flight.add(request_id, request)
        if self._call_timeout_s is not None:
            self._overdue.run(self._call_timeout_s)

    def forget_edits(self) -> None:
        """Stop editing the answers to earlier requests: the host has started a new session."""
        self._exchange.in_flight.forget_edits()

    def _give_up_on(self, request_id: RequestId, request: Asked) -> None:
        self._fail(request_id, request, self._interception.overdue(request.method))
        reason = {"requestId": request_id, "reason": "It took too long."}
        self.say_to_upstream(notification_line("notifications/cancelled", reason))

    # --- what the wrapper says ----------------------------------------------------------

    def say_to_host(self, *line: bytes) -> None:
        """Send a message to the host, whole or in pieces, as soon as no line is passing through."""
        self._exchange.to_host.say(*line)
        self.wake()

    def say_after_answer(self, lines: Iterable[bytes]) -> None:
        """Send messages right after the answer that is being edited now."""
        self._upstream_side.say_after_answer(lines)

    def ask_upstream(self, method: str, params: Mapping[str, object] | None, then: Then) -> None:
        """Send the upstream a request; its answer, a message, goes to ``then`` and not to the host.

        ``then`` gets an error when there is no answer within a minute, or no upstream.
        """
        link = self._exchange.link
        if link.is_up:
            self.greet(method, params, then, ASK_TIMEOUT_S)
        elif link.may_wait(method):
            link.wait(
                lambda: self.greet(method, params, then, ASK_TIMEOUT_S), lambda: then({"error": link.refusal})
            )
        else:
            then({"error": link.refusal})

    def ask_host(self, method: str, params: Mapping[str, object], then: Then) -> Callable[[], None]:
        """Send the host a request; its answer, a message, goes to ``then`` and not to the upstream.

        It waits for as long as it takes. What is returned takes the request back, and tells the host so.
        """
        own = self._exchange.own_to_host
        request_id, line = own.open(method, params, then)
        self.say_to_host(line)

        def take_back() -> None:
            if own.take_back(request_id):
                reason = {"requestId": request_id, "reason": "It is no longer needed."}
                self.say_to_host(notification_line("notifications/cancelled", reason))

        return take_back

    def greet(self, method: str, params: Mapping[str, object] | None, then: Then, timeout_s: float) -> None:
        """Send a request as `ask_upstream` does, also to an upstream that is not yet ready."""
        own = self._exchange.own
        request_id, line = own.open(method, params, then)
        self.say_to_upstream(line)
        message = f"The upstream did not answer {method} within {timeout_s:g} seconds."
        late = {"error": {"code": -32603, "message": message}}
        self.later(timeout_s, lambda: own.settle(request_id, late))

    def say_to_upstream(self, line: bytes) -> None:
        """Send a message to the upstream, as soon as no line is passing through."""
        self._exchange.to_upstream.say(line)
        self.wake()
