"""Params and results that the wrapper forwards as their original text and parses only on access."""

import re
from collections.abc import Mapping
from functools import cached_property

from attrs import frozen

from genui_core.domain.framing.lines import CLOSED, END_BYTES
from genui_core.domain.mcp.json_text import parse, scan
from genui_core.domain.mcp.jsonrpc import INTERNAL_ERROR, RequestId, id_text
from genui_core.domain.mcp.results import UnparsedResult
from genui_core.errors import UpstreamFailed


class VerbatimParams(dict[str, object]):
    """The params of a request, with their original text.

    A changed copy is a plain mapping without that text.
    """

    __slots__ = ("text",)

    def __init__(self, params: Mapping[str, object], text: str) -> None:
        super().__init__(params)
        self.text = text


_ID = r'(-?\d{1,15}|"[^"\\\x00-\x1f]{0,256}")'
_VERSION = r'"jsonrpc"\s*:\s*"2\.0"\s*'
_METHOD = r'"method"\s*:\s*"([a-z/]+)"\s*'
_TO_PARAMS = re.compile(
    rf'\s*\{{\s*(?:{_VERSION},\s*"id"\s*:\s*{_ID}\s*,\s*)?{_METHOD},\s*"params"\s*:\s*(?=\{{)'
).match
_AFTER_PARAMS = re.compile(rf'\s*(?:,\s*{_VERSION},\s*"id"\s*:\s*{_ID}\s*)?\}}\s*').fullmatch


def message_in(body: bytes) -> object:
    """Return the value of a JSON message; the params of a request keep their text.

    Only requests as most hosts write them are recognized. Text that may hold an escaped lone surrogate
    is not kept: forwarded as it is, it would end another peer's connection.

    Raises:
        ValueError: It is not JSON, or not UTF-8.
        RecursionError: A value is nested deeper than the scanner goes.
    """
    text = body.decode()
    head = _TO_PARAMS(text)
    if head is None or "\\ud" in text or "\\uD" in text:
        return parse(body)
    params, end = scan(text, head.end())
    tail = _AFTER_PARAMS(text, end)
    if tail is None or (head[1] is None) == (tail[1] is None):
        return parse(body)
    in_one_line = text[head.end() : end].replace("\n", " ").replace("\r", " ")  # strings hold no raw breaks
    kept = VerbatimParams(params, in_one_line)
    return {"jsonrpc": "2.0", "id": scan(head[1] or tail[1])[0], "method": head[2], "params": kept}


def request_text(request_id: int, method: str, text: str) -> bytes:
    """Return a request in UTF-8; its method must need no escapes, and its params are JSON text."""
    return f'{{"jsonrpc":"2.0","id":{request_id},"method":"{method}","params":{text}}}'.encode()


_TOKENS = re.compile(r'"progressToken"\s*:\s*(-?\d+|"[^"\\]*")\s*[,}]').finditer


def token_place(params: VerbatimParams) -> tuple[int, int] | None:
    """Return the span of the progress token in the text of params; None if that is not certain.

    It is certain if the key occurs once and no escape can hide another; in a string, its quotes are escaped.
    """
    text = params.text
    found = [] if "\\u" in text or text.count("progressToken") != 1 else [*_TOKENS(text)]
    return found[0].span(1) if found else None


_ERROR = re.compile(rb'"isError"\s*:(?!\s*false)').search


@frozen(eq=False, slots=False)
class VerbatimResult(UnparsedResult):
    """The result in an upstream's answer, with the answer's line and the span of its id."""

    _line: bytes
    _id_start: int
    _id_end: int

    def answer(self, request_id: RequestId) -> bytes:
        """Return the answer under another id, without a newline."""
        line, number = self._line, id_text(request_id).encode()
        end = len(line) - line.endswith(b"\n") - line.endswith(b"\r\n")
        return b"".join((line[: self._id_start], number, memoryview(line)[self._id_end : end]))

    @cached_property
    def _value(self) -> Mapping[str, object]:
        try:
            message = parse(self._line)
        except (ValueError, RecursionError) as error:
            raise _broken(f"is no JSON: {error}") from error
        result = message.get("result") if isinstance(message, dict) else None
        if not isinstance(result, dict):
            raise _broken("has no result.")
        return result

    @property
    def says_error(self) -> bool:
        """Whether ``isError`` is true; the text is parsed only if it may hold that key, also escaped."""
        is_escaped = b"\\" in self._line and b"\\u" in self._line  # one byte is found far more quickly
        may_say_so = is_escaped or _ERROR(self._line) is not None
        return may_say_so and bool(self.get("isError"))


def _broken(how: str) -> UpstreamFailed:
    return UpstreamFailed({"code": INTERNAL_ERROR, "message": f"The upstream's answer {how}"})


_RESULT_HEAD = re.compile(rb'\{"jsonrpc": ?"2\.0", ?"id": ?(\d{1,15}), ?"result": ?\{').match
_RESULT_TAIL = re.compile(rb', ?"jsonrpc": ?"2\.0", ?"id": ?(\d{1,15})\}\r?\n?$').search
_BOTH_CLOSED = (b"}}\n", b"}}\r\n", b"}}")


def result_in(line: bytes) -> tuple[int, VerbatimResult] | None:
    """Return the id that a line answers and its result, if the ends of the line show both; else None."""
    found = _RESULT_HEAD(line) if line.endswith(_BOTH_CLOSED) else None
    if found is None and line.startswith((b'{"result":{', b'{"result": {')) and line.endswith(CLOSED):
        found = _RESULT_TAIL(line, max(0, len(line) - END_BYTES))
    if found is None or line.find(b"\r", 0, -2) >= 0:
        return None
    if not line.isascii():
        try:
            line.decode()
        except UnicodeDecodeError:
            return None
    start, end = found.span(1)
    return int(line[start:end]), VerbatimResult(line, start, end)
