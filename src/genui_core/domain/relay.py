"""The stdio relay as a state machine: bytes in, bytes out, no input or output of its own.

One host connection stands against one upstream connection, so ids, progress tokens,
generations, cancellation, sampling and whatever is invented next pass through as the
same bytes. The rules:

* A host line is parsed once. An `Interception` says of each request whether it just goes
  on, goes on and has its answer edited, or is answered here.
* Upstream bytes pass in chunks, unparsed, unless an answer is awaited that is to be edited
  or that belongs to a request of ours; then they are looked at line by line until it is there.
* A message of ours never lands inside a line that is passing through: it waits for its end.
* A line longer than the limit passes through as it is; nothing is dropped for its length.
* A host line that is not JSON goes on to the upstream, whose answer it deserves. An upstream
  line that is no JSON-RPC message is dropped, since a host takes standard output for the
  protocol (SPEC W7).
* A batch (2025-03-26) without a message of ours goes on as it is. Of another, the rest goes
  on as a batch, and what is ours is answered message by message.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from attrs import define, field, frozen

from genui_core.domain.json_text import elements, parse
from genui_core.domain.jsonrpc import (
    PARSE_DEPTH_ERRORS,
    RequestId,
    error_line,
    is_request,
    request_line,
    result_line,
)
from genui_core.domain.lines import LineBuffer
from genui_core.domain.outlet import Outlet
from genui_core.domain.relay_answers import ENCODING, AnswerEditor, Answers

DEFAULT_MAX_LINE_BYTES = 32 * 1024 * 1024
ASK_TIMEOUT_S = 60.0
"""How long the upstream may take to answer a request of ours."""

_NO_ANSWER = {"code": -32603, "message": f"The upstream did not answer within {ASK_TIMEOUT_S:.0f} seconds."}


@frozen
class Forward:
    """The request goes on as it came; its answer is edited on the way back where an editor is given."""

    edit: AnswerEditor | None = None


PASS = Forward()


@frozen
class Ours:
    """The request is the wrapper's to answer.

    Attributes:
        serve: Called at once with the ticket, through which the answer may come now or later.
    """

    serve: "Callable[[Ticket], None]"


class Interception(Protocol):
    """Decides about the few messages that are not mere traffic. Called from one thread at a time."""

    def decide(self, method: str, params: Mapping[str, object]) -> Forward | Ours:
        """Say what becomes of a request of the host's. Must not raise."""
        ...


@frozen
class Ticket:
    """One host request that the wrapper answers. Exactly one of the three is called, once.

    After the host has cancelled the request they do nothing.

    Attributes:
        request_id: The id the host gave it.
        params: Its params.
    """

    request_id: RequestId
    params: Mapping[str, object]
    _relay: "Relay" = field(repr=False)
    _line: bytes = field(repr=False)

    def succeed(self, result: str) -> None:
        """Answer with the JSON text of a result."""
        if self._relay.settle(self.request_id):
            self._relay.say_to_host(result_line(self.request_id, result))

    def fail(self, error: Mapping[str, object]) -> None:
        """Answer with an error: ``code``, ``message`` and, at will, ``data``."""
        if self._relay.settle(self.request_id):
            self._relay.say_to_host(error_line(self.request_id, error))

    def forward(self, edit: AnswerEditor | None = None) -> None:
        """Let it go on to the upstream after all, as the bytes it came in."""
        if self._relay.settle(self.request_id):
            self._relay.forward(self.request_id, self._line, edit)


@define
class Relay:
    """The state of one host and one upstream, and the bytes that wait to be written to each.

    A driver feeds what it reads to `host_sent` and `upstream_sent`, and writes what it finds
    in `to_host` and `to_upstream`, which it empties. Not safe for use from two threads at once.

    Attributes:
        noise: Upstream lines that were no messages, to be logged and emptied by the driver.
        wake: Called when there is something to write although nothing was fed.
        later: Has a step taken after some seconds, in turn with what is fed; a driver provides it.
    """

    _interception: Interception
    _nonce: str
    _max_line_bytes: int = DEFAULT_MAX_LINE_BYTES
    noise: list[bytes] = field(factory=list)
    wake: Callable[[], None] = field(default=lambda: None)
    later: Callable[[float, Callable[[], None]], None] = field(default=lambda _delay_s, _step: None)
    _host: Outlet = field(factory=Outlet)
    _upstream: Outlet = field(factory=Outlet)
    _answers: Answers = field(factory=Answers)
    _host_lines: LineBuffer = field(factory=LineBuffer)
    _upstream_lines: LineBuffer = field(factory=LineBuffer)
    _after_answer: list[bytes] = field(factory=list)
    _held: set[RequestId] = field(factory=set)
    _gone: Mapping[str, object] | None = None
    _asked: int = 0

    @property
    def to_host(self) -> list[bytes]:
        """Pieces to write to the host, in order."""
        return self._host.pieces

    @property
    def to_upstream(self) -> list[bytes]:
        """Pieces to write to the upstream, in order."""
        return self._upstream.pieces

    # --- the host's side ----------------------------------------------------------------

    def host_sent(self, data: bytes) -> None:
        """Take bytes that the host wrote."""
        if self._upstream.line_open:
            data = self._upstream.pass_rest(data)
        for line in self._host_lines.feed(data):
            self._host_line(line)
        if self._host_lines.size > self._max_line_bytes:
            self._upstream.pass_on(self._host_lines.take())

    def host_closed(self) -> None:
        """Take note that the host will write no more; an unfinished line still counts."""
        rest = self._host_lines.take()
        if rest:
            self._host_line(rest)

    def _host_line(self, line: bytes) -> None:
        try:
            message = parse(line)
        except PARSE_DEPTH_ERRORS:
            message = None
        if isinstance(message, list):
            self._host_batch(line, message)
        elif not self._handle(message, line):
            self.to_upstream.append(line)

    def _host_batch(self, line: bytes, messages: list[object]) -> None:
        try:
            spans = _elements_of(line)
        except PARSE_DEPTH_ERRORS:
            spans = []
        pairs = list(zip(spans, messages, strict=False))
        kept = [span for span, message in pairs if not self._handle(message, span + b"\n")]
        if len(kept) == len(pairs):
            self.to_upstream.append(line)
        elif kept:
            self.to_upstream.append(b"[" + b",".join(kept) + b"]\n")

    def _handle(self, message: object, line: bytes) -> bool:
        """Deal with a host message where it needs more than passing on; say whether it is done with."""
        if not isinstance(message, dict):
            return False
        method = message.get("method")
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if method == "notifications/cancelled":
            self._answers.forget(params.get("requestId"))
            return self.settle(params.get("requestId"))  # the upstream never heard of one that we hold
        if not is_request(message):
            return False
        decision = self._interception.decide(str(method), params)
        if isinstance(decision, Ours):
            self._held.add(message["id"])
            decision.serve(Ticket(message["id"], params, self, line))
            return True
        if decision.edit is not None:
            self._answers.await_edit(message["id"], decision.edit)
        return False

    # --- the upstream's side ------------------------------------------------------------

    def upstream_sent(self, data: bytes) -> None:
        """Take bytes that the upstream wrote."""
        if self._host.line_open:
            data = self._host.pass_rest(data)
        if not data:
            return
        if self._answers.outstanding or self._upstream_lines.size or not _only_messages(data):
            self._look_at(data)
        else:
            self._host.pass_on(data)

    def upstream_closed(self, error: Mapping[str, object]) -> None:
        """Take note that the upstream will write no more; requests known to be open fail with ``error``."""
        rest = self._upstream_lines.take()
        if rest:
            self._upstream_line(rest.rstrip(b"\r\n") + b"\n")
        if self._host.line_open:
            self._host.pass_rest(b"\n")
        self._gone = error
        for request_id in self._answers.abandon(error):
            self.say_to_host(error_line(request_id, error))

    def _look_at(self, data: bytes) -> None:
        for line in self._upstream_lines.feed(data):
            self._upstream_line(line)
        held = self._upstream_lines.size
        idle = not self._answers.outstanding and _only_messages(self._upstream_lines.peek())
        if held and (idle or held > self._max_line_bytes):
            self._host.pass_on(self._upstream_lines.take())

    def _upstream_line(self, line: bytes) -> None:
        answer = self._answers.examine(line)
        if answer is None:
            self.noise.append(line)
        elif answer:
            self._host.pieces += (answer, *self._after_answer)
            self._after_answer.clear()

    # --- what the wrapper says ----------------------------------------------------------

    def settle(self, request_id: object) -> bool:
        """Take a request of the host's as done with; say whether it was still held."""
        if not isinstance(request_id, str | int | float) or request_id not in self._held:
            return False
        self._held.discard(request_id)
        return True

    def forget_edits(self) -> None:
        """Edit no answer to what the host has asked so far: it begins anew."""
        self._answers.forget_all_edits()

    def say_to_host(self, line: bytes) -> None:
        """Send a message of ours to the host, as soon as no line is passing through."""
        self._host.say(line)
        self.wake()

    def say_after_answer(self, lines: Iterable[bytes]) -> None:
        """Send messages of ours right after the answer that is being edited now."""
        self._after_answer += lines

    def forward(self, request_id: RequestId, line: bytes, edit: AnswerEditor | None) -> None:
        """Send a host's request on to the upstream after it was held back."""
        if self._gone is not None:
            self.say_to_host(error_line(request_id, self._gone))
            return
        if edit is not None:
            self._answers.await_edit(request_id, edit)
        self._say_to_upstream(line)

    def ask_upstream(
        self, method: str, params: Mapping[str, object] | None, then: Callable[[Mapping[str, object]], None]
    ) -> None:
        """Send the upstream a request of ours; its answer, a message, goes to ``then`` and not to the host.

        The id carries a nonce, so that no host can have made the same.
        """
        self._asked += 1
        request_id = f"mcp-gen-ui:{self._nonce}:{self._asked}"
        self._answers.await_own(request_id, then)
        self._say_to_upstream(request_line(request_id, method, params))
        self.later(ASK_TIMEOUT_S, lambda: self._answers.give_up(request_id, _NO_ANSWER))

    def _say_to_upstream(self, line: bytes) -> None:
        self._upstream.say(line)
        self.wake()


def _elements_of(line: bytes) -> list[bytes]:
    text = line.decode(*ENCODING)
    return [text[each.start : each.end].encode(*ENCODING) for each in elements(text)]


_OPENINGS = (b'{"jsonrpc"', b'{"id"', b'{"result"', b'{"method"', b'{"error"', b'{"params"', b"[{")
"""How lines begin that are taken for messages unread; others are looked at first."""


def _only_messages(data: bytes) -> bool:
    """Whether every line that begins in these bytes begins as a JSON-RPC message or batch does."""
    if data.find(b"\n", 0, -1) < 0:
        return data.startswith(_OPENINGS)
    return all(line.startswith(_OPENINGS) for line in data.removesuffix(b"\n").split(b"\n"))
