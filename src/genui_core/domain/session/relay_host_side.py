"""The relay's way from the host to the upstream: each line is parsed once."""

from genui_core.domain.framing.lines import LineBuffer
from genui_core.domain.framing.passage import Passage
from genui_core.domain.framing.peek import END_BYTES, answers_by_head, peek
from genui_core.domain.mcp.json_text import elements, parse
from genui_core.domain.mcp.jsonrpc import PARSE_DEPTH_ERRORS, RequestId
from genui_core.domain.session.exchange import Exchange
from genui_core.domain.session.in_flight import Asked
from genui_core.domain.session.relay_answers import ENCODING
from genui_core.domain.session.relay_decisions import HostRequests, Interception, Ours, PendingRequest, asked

_TOO_LONG = {"code": -32603, "message": "The host's answer is too long to be read."}


class HostSide:
    """Takes what the host writes, and says what of it goes on."""

    def __init__(
        self, requests: HostRequests, exchange: Exchange, interception: Interception, max_line_bytes: int
    ) -> None:
        self._requests = requests
        self._exchange = exchange
        self._interception = interception
        self._max_line_bytes = max_line_bytes
        self._lines = LineBuffer()
        self._passage: Passage | None = None

    def sent(self, data: bytes) -> None:
        """Take bytes."""
        if self._passage is not None:
            data = self._pass_rest(self._passage, data)
        for line in self._lines.feed(data):
            self._line(line)
        if self._lines.size > self._max_line_bytes:
            self._begin_passage()

    def closed(self) -> None:
        """Handle the end of input from the host; an unfinished line still counts."""
        rest = self._lines.take()
        if rest:
            self._line(rest)

    def upstream_lost(self) -> None:
        """Let the rest of a long line go nowhere: the upstream that got its beginning is gone."""
        if self._passage is not None:
            self._passage.is_dropped = True

    # --- lines --------------------------------------------------------------------------

    def _line(self, line: bytes) -> None:
        try:
            message = parse(line)
        except PARSE_DEPTH_ERRORS:
            onward = self._unread(line)
        else:
            onward = self._batch(line, message) if isinstance(message, list) else self._single(message, line)
        if onward and self._exchange.link.is_up:
            self._exchange.to_upstream.pieces.append(onward)

    def _single(self, message: object, line: bytes) -> bytes:
        """Return what of a message goes on: all, nothing, or an answer under the id that the upstream knows."""
        if not isinstance(message, dict):
            return line
        method, params, request_id = message.get("method"), message.get("params"), message.get("id")
        if isinstance(method, str):
            params = params if isinstance(params, dict) else {}
            if type(request_id) in (str, int, float):  # and no truth value, which is an int as well
                return self._request(request_id, method, params, line)  # type: ignore[arg-type]
            return self._notification(method, params, line)
        if "method" not in message and isinstance(request_id, str | int | float):
            if self._exchange.own_to_host.made(request_id):
                self._exchange.own_to_host.settle(request_id, message)
                return b""
            return self._exchange.questions.answered(request_id, line)
        return line

    def _request(self, request_id: RequestId, method: str, params: dict[str, object], line: bytes) -> bytes:
        decision = self._interception.decide(method, params)
        if isinstance(decision, Ours):
            self._requests.hold(request_id)
            decision.serve(PendingRequest(request_id, method, params, line, self._requests))
            return b""
        return self._goes_on(request_id, asked(method, params, decision.edit), line)

    def _goes_on(self, request_id: RequestId, request: Asked, line: bytes) -> bytes:
        if self._exchange.link.is_up:
            self._requests.expect_answer(request_id, request)
            return line
        self._requests.wait_for_upstream(request_id, request, line)
        return b""

    def _notification(self, method: str, params: dict[str, object], line: bytes) -> bytes:
        self._interception.host_said(method, params)
        if method != "notifications/cancelled":
            return line
        self._exchange.in_flight.forget(params.get("requestId"))
        # The upstream never heard of a request that we hold.
        return b"" if self._requests.cancel(params.get("requestId")) else line

    def _batch(self, line: bytes, messages: list[object]) -> bytes:
        try:
            spans = _elements_of(line)
        except PARSE_DEPTH_ERRORS:
            return line
        onward = [
            self._single(message, span + b"\n")[:-1] for span, message in zip(spans, messages, strict=False)
        ]
        if onward == spans:
            return line
        kept = b",".join(each for each in onward if each)
        return b"[" + kept + b"]\n" if kept else b""

    def _unread(self, line: bytes) -> bytes:
        """What cannot be read here goes on, since it deserves the upstream's answer; its ends may tell its id."""
        seen = peek(line)
        if seen is None or seen.kind != "request" or seen.request_id is None:
            return line
        return self._goes_on(seen.request_id, Asked(seen.method), line)

    # --- lines too long to be held ------------------------------------------------------

    def _begin_passage(self) -> None:
        answered = answers_by_head(self._lines.peek(END_BYTES))
        piece = self._lines.take()
        is_dropped = (
            not self._exchange.link.is_up
            or self._exchange.questions.is_stale(answered)
            or self._exchange.own_to_host.made(answered)
        )
        self._passage = Passage(piece, is_dropped=is_dropped)
        if not is_dropped:
            self._exchange.to_upstream.pass_on(piece)

    def _pass_rest(self, passage: Passage, data: bytes) -> bytes:
        end = data.find(b"\n") + 1
        piece = data[:end] if end else data
        passage.add(piece)
        if not passage.is_dropped:
            self._exchange.to_upstream.pass_rest(piece)
        if not end:
            return b""
        self._passage = None
        self._account(passage)
        return data[end:]

    def _account(self, passage: Passage) -> None:
        seen = passage.peek()
        if seen is None or seen.request_id is None:
            return
        if seen.kind == "answer" and self._exchange.own_to_host.made(seen.request_id):
            self._exchange.own_to_host.settle(seen.request_id, {"error": _TOO_LONG})
        elif seen.kind == "answer":
            self._exchange.questions.answered(seen.request_id, b"")
        elif seen.kind == "request" and passage.is_dropped:
            self._requests.refuse(seen.request_id, Asked(seen.method))
        elif seen.kind == "request":
            self._requests.expect_answer(seen.request_id, Asked(seen.method))


def _elements_of(line: bytes) -> list[bytes]:
    text = line.decode(*ENCODING)
    return [text[each.start : each.end].encode(*ENCODING) for each in elements(text)]
