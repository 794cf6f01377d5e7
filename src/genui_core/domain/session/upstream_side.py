"""The relay's direction from the upstream to the host: forwards lines after a peek at their ends."""

from collections.abc import Callable, Mapping

from genui_core.domain.framing.lines import (
    END_BYTES,
    LineBuffer,
    LongLine,
    Peek,
    answers_by_head,
    answers_by_tail,
    peek,
    peek_by_parsing,
    result_in,
)
from genui_core.domain.mcp.json_text import Edit, Member, as_object, members, parse, spliced
from genui_core.domain.mcp.jsonrpc import INTERNAL_ERROR, PARSE_DEPTH_ERRORS, RequestId, json_text
from genui_core.domain.mcp.methods import ACKNOWLEDGED, CANCELLED, LISTEN, TOOLS_CHANGED
from genui_core.domain.mcp.results import ResultText
from genui_core.domain.session.exchange import Exchange
from genui_core.domain.session.upstream_answers import ENCODING, AnswerEditor, edited_batch

_LONG_LINE_BYTES = 1 << 15
"""The size from which an unfinished line is forwarded in pieces, if the wrapper need not read it."""

_LONGEST_KEPT_BYTES = 1 << 20

_READ_BY_ROUTER = frozenset((CANCELLED, TOOLS_CHANGED, ACKNOWLEDGED))
"""The upstream's notifications that the router reads."""

_UNREADABLE = {"code": INTERNAL_ERROR, "message": "The upstream's answer cannot be read."}


Pieces = tuple[bytes, ...]
"""A line in pieces, which are written one after the other: no copy joins them."""


def edited_answer(line: bytes, editor: AnswerEditor) -> bytes | Pieces:
    """Return an answer after the edit: unchanged if the edit fails, empty if the editor drops it."""
    try:
        found = result_in(line)
        if found is not None:
            return found[1].replaced(editor.edit_result(found[1]))
        text = line.decode(*ENCODING)
        parts = {each.key: each for each in members(text)}
        if "result" not in parts:
            return _without_error(line, text, parts.get("error"), editor)
        result = parts["result"]
        edited = editor.edit_result(ResultText(text[result.start : result.end])).decode(*ENCODING)
        return spliced(text, [Edit(result.start, result.end, edited)]).encode(*ENCODING)
    except Exception:  # noqa: BLE001 -- an unedited result still works, without a UI
        return line


def _without_error(line: bytes, text: str, error: Member | None, editor: AnswerEditor) -> bytes:
    if error is None or not isinstance(error.value, Mapping):
        return line
    instead = editor.replace_error(error.value)
    if instead is None:
        return line
    if not instead:
        return b""
    becomes = f'"result":{instead}' if isinstance(instead, str) else f'"error":{json_text(instead)}'
    return spliced(text, [Edit(error.key_start, error.end, becomes)]).encode(*ENCODING)


class UpstreamSide:
    """Processes the bytes of the upstream: forwards, edits or drops each line.

    Attributes:
        is_between_lines: Whether the upstream has sent a message, and no unfinished line.
    """

    def __init__(self, exchange: Exchange, max_line_bytes: int, noise: list[bytes]) -> None:
        self._exchange = exchange
        self._max_line_bytes = max_line_bytes
        self._long_line_bytes = min(_LONG_LINE_BYTES, max_line_bytes)
        self._noise = noise
        self._lines = LineBuffer()
        self._long_line: LongLine | None = None
        self.is_between_lines = False

    def process(self, data: bytes) -> None:
        """Process bytes that the upstream wrote."""
        long_line = self._long_line
        if long_line is not None:
            after = self._exchange.to_host.continue_line(long_line, data)
            if after is None:
                return
            self._long_line, data = None, after
            self._finish_long_line(long_line)
        for line in self._lines.feed(data):
            seen = peek(line)
            if seen is None:
                self._parse_line(line, self._unreadable)
            else:
                self._emit(self._forwarded_line(seen, line))
        if self._lines.size > self._long_line_bytes:
            self._begin_long_line()
        has_spoken = self._exchange.link.has_spoken
        self.is_between_lines = has_spoken and self._long_line is None and not self._lines.size

    def close(self) -> None:
        """Handle the end of output from the upstream; an unfinished line counts only if it parses."""
        rest = self._lines.take()
        if rest:
            self._parse_line(rest.rstrip(b"\r\n") + b"\n", lambda _text, _line: None)
        self._long_line = None
        self.is_between_lines = False

    # --- lines --------------------------------------------------------------------------

    def _emit(self, line: bytes | Pieces) -> None:
        pieces, after = self._exchange.to_host.pieces, self._exchange.after_answer
        if isinstance(line, tuple):
            pieces += line
        elif line:
            pieces.append(line)
        if after:
            pieces += after
            after.clear()

    def _forwarded_line(self, seen: Peek, line: bytes) -> bytes | Pieces:
        """Return the line for the host for a message: mostly the same, empty if it was for the wrapper."""
        self._record_first_message()
        if seen.kind == "answer":
            return self._answer(seen.request_id, line)
        if seen.kind == "request" and seen.request_id is not None:
            return self._exchange.questions.open(seen.request_id, line)
        if seen.method in _READ_BY_ROUTER:
            return self._notification(seen.method, line)
        return line

    def _record_first_message(self) -> None:
        link = self._exchange.link
        if not link.has_spoken:
            link.has_spoken = True
            self._exchange.router.first_word()

    def _answer(self, request_id: RequestId | None, line: bytes) -> bytes | Pieces:
        request = self._exchange.in_flight.settle(request_id)
        if request is not None and request_id is not None:
            if request.see is not None:
                request.see(line)
            return line if request.editor is None else edited_answer(line, request.editor)
        if request_id is not None and self._exchange.own.has_made(request_id):
            self._exchange.own.settle(request_id, _message(line))
            return b""
        if request_id in self._exchange.held:  # the upstream never got it; the wrapper answers the host
            return b""
        return b"" if self._exchange.in_flight.settle_late(request_id) else line

    def _notification(self, method: str, line: bytes) -> bytes:
        params = as_object(_message(line).get("params"))
        if method == CANCELLED:
            line = self._cancelled(params, line)
        return self._exchange.router.upstream_said(method, params, line)

    def _cancelled(self, params: Mapping[str, object], line: bytes) -> bytes:
        """Handle a cancellation: of a request from the upstream to the host, or of a stream to the host."""
        request_id = params.get("requestId")
        if not isinstance(request_id, RequestId):
            return line
        ended = self._exchange.in_flight.find(request_id)
        if ended is not None and ended.method == LISTEN:
            self._exchange.in_flight.forget(request_id)
            return line
        known = self._exchange.questions.cancel(request_id)
        if known == request_id:
            return line
        return json_text({**_message(line), "params": {**params, "requestId": known}}).encode() + b"\n"

    # --- lines that a peek does not suffice for -----------------------------------------

    def _parse_line(self, line: bytes, unreadable: Callable[[str, bytes], bytes | None]) -> None:
        text = line.decode(*ENCODING)
        try:
            becomes = (
                edited_batch(text, self._of_batch) if text.lstrip()[:1] == "[" else self._read(text, line)
            )
        except PARSE_DEPTH_ERRORS:
            becomes = unreadable(text, line)
        if becomes is None:
            self._noise.append(line)
        else:
            self._emit(becomes)

    def _read(self, text: str, line: bytes) -> bytes | Pieces | None:
        seen = peek_by_parsing(text)
        return None if seen is None else self._forwarded_line(seen, line)

    def _of_batch(self, message: object, piece: bytes) -> bytes:
        becomes = self._read(piece.decode(*ENCODING), piece) if isinstance(message, Mapping) else None
        if isinstance(becomes, tuple):
            return b"".join(becomes)
        return piece if becomes is None else becomes

    def _unreadable(self, text: str, line: bytes) -> bytes | None:
        """Forward a line that only the host may be able to parse, unless it answers the wrapper."""
        if text.lstrip()[:1] != "{" or text.rstrip()[-1:] != "}":
            return None
        own_id = self._exchange.own.find_in(text)
        if own_id is None:
            return line
        self._exchange.own.settle(own_id, {"error": _UNREADABLE})
        return b""

    # --- long lines ---------------------------------------------------------------------

    def _begin_long_line(self) -> None:
        """Start to forward a long line as it arrives, once the wrapper need not read it or it is too long."""
        head = self._lines.peek(END_BYTES)
        answered = answers_by_head(head)
        is_own = answered is not None and (
            self._exchange.own.has_made(answered)
            or answered in self._exchange.held
            or self._exchange.in_flight.awaits_late(answered)
        )
        if self._lines.size <= self._max_line_bytes and (is_own or not self._is_unedited(head, answered)):
            return
        piece = self._lines.take()
        is_noise = head.lstrip()[:1] not in (b"{", b"[")
        is_watched = self._exchange.in_flight.is_watched and not (is_own or is_noise)
        most_kept = _LONGEST_KEPT_BYTES if is_watched else 0
        self._long_line = LongLine(piece, is_dropped=is_own or is_noise, most_kept=most_kept)
        if is_noise:
            self._noise.append(head)
        elif not is_own:
            self._exchange.to_host.begin_line(piece)

    def _is_unedited(self, head: bytes, answered: RequestId | None) -> bool:
        """Whether an answer surely needs no edit; if its id comes last, whether no awaited answer does."""
        if answered is not None:
            request = self._exchange.in_flight.find(answered)
            return request is None or request.editor is None
        exchange = self._exchange
        is_special = exchange.in_flight.awaits_something_special or exchange.held or not exchange.own.is_empty
        return answers_by_tail(head) and not is_special

    def _finish_long_line(self, long_line: LongLine) -> None:
        self._record_first_message()
        seen = long_line.peek()
        if seen is None or seen.request_id is None:
            return
        if seen.kind == "request":
            self._exchange.questions.record(seen.request_id)
        else:
            self._answer(seen.request_id, long_line.line)


def _message(line: bytes) -> Mapping[str, object]:
    """Return a message as a mapping, or a message with an error if it cannot be parsed."""
    try:
        message = parse(line)
    except PARSE_DEPTH_ERRORS:
        return {"error": _UNREADABLE}
    return message if isinstance(message, Mapping) else {"error": _UNREADABLE}
