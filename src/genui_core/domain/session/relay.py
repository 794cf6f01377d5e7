"""The stdio relay as a state machine: bytes in, bytes out, no input or output of its own.

One host connection has one upstream at a time, so ids, progress tokens, protocol eras,
cancellation, sampling and future methods pass through as the same bytes. The rules:

* The relay parses a host line once. A `Router` decides for each request whether the relay
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
  (requirement W7).
* The relay forwards a batch (2025-03-26) unchanged if the wrapper answers none of its messages. Of any
  other batch it forwards the rest as a batch, and the wrapper answers its messages one by one.
"""

from collections.abc import Callable, Mapping
from functools import partial

from genui_core.domain.framing.lines import (
    END_BYTES,
    LineBuffer,
    LongLine,
    answers_by_head,
    peek,
    plain_answers,
)
from genui_core.domain.mcp.json_text import parse
from genui_core.domain.mcp.jsonrpc import (
    INTERNAL_ERROR,
    PARSE_DEPTH_ERRORS,
    Params,
    RequestId,
    notification_line,
    result_pieces,
    rpc_error,
)
from genui_core.domain.mcp.methods import CANCELLED
from genui_core.domain.session.exchange import Exchange, Forwarding, Later, PendingRequest, Router, Step
from genui_core.domain.session.upstream_answers import ENCODING, Asked, InFlight, Then, asked, edited_batch
from genui_core.domain.session.upstream_side import UpstreamSide
from genui_core.errors import UpstreamTimeout

_TOO_LONG = {"code": INTERNAL_ERROR, "message": "The host's answer is too long to be read."}

ASK_TIMEOUT_S = 60.0
"""How long the upstream may take to answer one of the wrapper's requests."""


class Relay:
    """The state of one host and its upstream, and the bytes that wait to be written to each.

    A driver feeds what it reads to `host_sent` and `upstream_sent`, and writes what it finds
    in `to_host` and `to_upstream`, which it empties. Not safe for use from two threads at once.

    Attributes:
        exchange: The state between the host and its upstream.
        to_host: Pieces to write to the host, in order.
        to_upstream: Pieces to write to the upstream, in order.
        noise: Upstream lines that are no messages; the driver logs them and empties the list.
        later: Calls a function after some seconds, never during another call of the relay, and returns
            a function that cancels this. The driver provides it, and writes the bytes that a call left.
        post: Calls a function soon, in the same way. Any thread may use it; the driver provides it.
    """

    def __init__(
        self, router: Router, nonce: str, max_line_bytes: int, call_timeout_ms: int | None = None
    ) -> None:
        self.noise: list[bytes] = []
        self.later: Later = lambda _delay_s, _step: lambda: None
        self.post: Callable[[Step], object] = lambda _step: None

        def later(delay_s: float, step: Callable[[], object]) -> Callable[[], object]:
            return self.later(delay_s, step)

        self._call_timeout_ms = call_timeout_ms
        limit_s = None if call_timeout_ms is None else call_timeout_ms / 1000
        in_flight = InFlight(later, limit_s, self._overdue)
        self.exchange = Exchange(nonce, later, in_flight, router)
        self.to_host, self.to_upstream = self.exchange.to_host.pieces, self.exchange.to_upstream.pieces
        self._max_line_bytes = max_line_bytes
        self._lines = LineBuffer()
        self._long_line: LongLine | None = None
        self._upstream_side = UpstreamSide(self.exchange, max_line_bytes, self.noise)

    def host_sent(self, data: bytes) -> None:
        """Process bytes that the host wrote."""
        long_line = self._long_line
        if long_line is not None:
            after = self.exchange.to_upstream.continue_line(long_line, data)
            if after is None:
                return
            self._long_line, data = None, after
            self._finish_long_line(long_line)
        for line in self._lines.feed(data):
            self._line(line)
        if self._lines.size > self._max_line_bytes:
            self._begin_long_line()

    def host_closed(self) -> None:
        """Handle the end of input from the host; an unfinished line still counts."""
        rest = self._lines.take()
        if rest:
            self._line(rest)

    def upstream_sent(self, data: bytes) -> None:
        """Process bytes that the upstream wrote; the fast path forwards a chunk of unedited answers."""
        answered = plain_answers(data) if self._upstream_side.is_between_lines else []
        if answered and self.exchange.in_flight.settle_plain(answered, data):
            self.exchange.to_host.pieces.append(data)
        elif self.exchange.link.is_open:
            self._upstream_side.process(data)

    def upstream_closed(self, error: Mapping[str, object]) -> None:
        """Handle the end of the upstream: all pending requests fail with ``error`` at once."""
        self._upstream_side.close()
        self.exchange.to_host.cut()
        self.exchange.to_upstream.clear()
        self.exchange.link.lose(error)
        if self._long_line is not None:  # the upstream that got its beginning is gone
            self._long_line.is_dropped = True
        for request_id, request in self.exchange.in_flight.drop_all():
            self.exchange.fail_with(request_id, request, error)
        for request_id in self.exchange.questions.drop_all():
            reason = {"requestId": request_id, "reason": "The server that asked has stopped."}
            self.exchange.to_host.say(notification_line(CANCELLED, reason))
        self.exchange.own.fail_all(error)

    def _overdue(self, request_id: RequestId, request: Asked) -> None:
        error = UpstreamTimeout(request.method, self._call_timeout_ms or 0)
        self.exchange.fail_with(request_id, request, rpc_error(error, request_id=""))
        reason = {"requestId": request_id, "reason": "It took too long."}
        self.exchange.to_upstream.say(notification_line(CANCELLED, reason))

    def ask_upstream(
        self, method: str, params: Params | None, then: Then, timeout_s: float = ASK_TIMEOUT_S
    ) -> None:
        """Send the upstream a request of the wrapper; call ``then`` with the message that answers it.

        ``then`` gets an error message if no answer comes in time, or if there is no upstream.
        """
        link, send = self.exchange.link, partial(self.ask_at_once, method, params, then, timeout_s)
        link.when_up(method, send, lambda: then({"error": link.refusal}))

    def ask_host(self, method: str, params: Params, then: Then) -> Step:
        """Send the host a request of the wrapper; call ``then`` with the message that answers it.

        There is no time limit. The function that is returned cancels the request, and notifies the host.
        """
        own = self.exchange.own_to_host
        request_id, line = own.open(method, params, then)
        self.exchange.to_host.say(line)

        def cancel() -> None:
            if own.cancel(request_id):
                reason = {"requestId": request_id, "reason": "It is no longer needed."}
                self.exchange.to_host.say(notification_line(CANCELLED, reason))

        return cancel

    def ask_at_once(self, method: str, params: Params | None, then: Then, timeout_s: float) -> None:
        """Send a request as `ask_upstream` does, also to an upstream that is not yet ready."""
        own = self.exchange.own

        def answered(answer: Mapping[str, object]) -> None:
            end_timer()
            then(answer)

        request_id, line = own.open(method, params, answered)
        message = f"The upstream did not answer {method} within {timeout_s:g} seconds."
        late = {"error": {"code": INTERNAL_ERROR, "message": message}}
        end_timer = self.later(timeout_s, partial(own.settle, request_id, late))
        self.exchange.to_upstream.say(line)

    # --- lines of the host -----------------------------------------------------------------

    def _line(self, line: bytes) -> None:
        try:
            message = parse(line)
        except PARSE_DEPTH_ERRORS:
            onward = self._unparsed(line)
        else:
            onward = self._batch(line) if isinstance(message, list) else self._single(message, line)
        if onward and self.exchange.link.is_up:
            self.exchange.to_upstream.pieces.append(onward)

    def _single(self, message: object, line: bytes) -> bytes:
        """Return the line to forward: the message itself, nothing, or an answer under its original id."""
        if not isinstance(message, dict):
            return line
        method, params, request_id = message.get("method"), message.get("params"), message.get("id")
        if isinstance(method, str):
            params = params if isinstance(params, dict) else {}
            if type(request_id) in (str, int, float):  # and no bool, which is an int too
                return self._request(request_id, method, params, line)  # type: ignore[arg-type]
            return self._notification(method, params, line)
        if "method" not in message and isinstance(request_id, RequestId):
            if self.exchange.own_to_host.has_made(request_id):
                self.exchange.own_to_host.settle(request_id, message)
                return b""
            return self.exchange.questions.settle(request_id, line)
        return line

    def _request(self, request_id: RequestId, method: str, params: dict[str, object], line: bytes) -> bytes:
        decision = self.exchange.router.decide(method, params)
        if isinstance(decision, Forwarding):
            return self._forward(request_id, asked(method, params, *decision), line)
        if callable(decision):
            decision(PendingRequest(request_id, method, params, line, self.exchange))
        else:
            self.exchange.to_host.say(*result_pieces(request_id, decision))
        return b""

    def _forward(self, request_id: RequestId, request: Asked, line: bytes) -> bytes:
        if self.exchange.link.is_up:
            self.exchange.in_flight.add(request_id, request)
            return line
        self.exchange.forward(request_id, request, line)
        return b""

    def _notification(self, method: str, params: dict[str, object], line: bytes) -> bytes:
        self.exchange.router.host_said(method, params)
        if method != CANCELLED:
            return line
        self.exchange.in_flight.forget(params.get("requestId"))
        # The upstream never got a request that the wrapper holds.
        return b"" if self.exchange.cancel(params.get("requestId")) else line

    def _batch(self, line: bytes) -> bytes:
        def onward(message: object, piece: bytes) -> bytes:
            return self._single(message, piece + b"\n")[:-1]

        try:
            return edited_batch(line.decode(*ENCODING), onward)
        except PARSE_DEPTH_ERRORS:
            return line

    def _unparsed(self, line: bytes) -> bytes:
        """Forward a line that cannot be parsed, so that the upstream answers it; its ends may show its id."""
        seen = peek(line)
        if seen is None or seen.kind != "request" or seen.request_id is None:
            return line
        return self._forward(seen.request_id, Asked(seen.method), line)

    # --- lines too long to keep ---------------------------------------------------------

    def _begin_long_line(self) -> None:
        answered = answers_by_head(self._lines.peek(END_BYTES))
        piece = self._lines.take()
        is_dropped = (
            not self.exchange.link.is_up
            or self.exchange.questions.is_stale(answered)
            or self.exchange.own_to_host.has_made(answered)
        )
        self._long_line = LongLine(piece, is_dropped=is_dropped)
        if not is_dropped:
            self.exchange.to_upstream.begin_line(piece)

    def _finish_long_line(self, long_line: LongLine) -> None:
        seen = long_line.peek()
        if seen is None or seen.request_id is None:
            return
        if seen.kind == "answer" and self.exchange.own_to_host.has_made(seen.request_id):
            self.exchange.own_to_host.settle(seen.request_id, {"error": _TOO_LONG})
        elif seen.kind == "answer":
            self.exchange.questions.settle(seen.request_id, b"")
        elif seen.kind == "request" and long_line.is_dropped:
            self.exchange.refuse(seen.request_id, Asked(seen.method))
        elif seen.kind == "request":
            self.exchange.in_flight.add(seen.request_id, Asked(seen.method))
