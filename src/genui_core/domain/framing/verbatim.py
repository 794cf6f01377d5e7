"""Requests and their params, which the wrapper forwards as their original text."""

import re
from collections.abc import Mapping

from genui_core.domain.mcp.json_text import parse, scan


class VerbatimParams(dict[str, object]):
    """The params of a request, with their original text.

    A changed copy is a plain mapping without that text.
    """

    __slots__ = ("text",)

    def __init__(self, params: Mapping[str, object], text: str) -> None:
        super().__init__(params)
        self.text = text


_ID = r'(-?(?:0|[1-9]\d{0,14})|"[^"\\\x00-\x1f]{0,256}")'
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
    given = head[1] or tail[1]
    request_id = given[1:-1] if given.startswith('"') else int(given)
    return {"jsonrpc": "2.0", "id": request_id, "method": head[2], "params": kept}


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
