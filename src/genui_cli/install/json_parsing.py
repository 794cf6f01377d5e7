"""Parses JSON with comments and trailing commas into a tree with positions.

A host's file can have megabytes beside its list of servers. The C scanner of `json` checks and skips each
object and list; Python reads the members of those only whose positions an edit needs.
"""

import contextlib
import json
import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from genui_cli.install.text_tree import Items, Pairs, Part, Scalar, Text, Unread

_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*[\s\S]*?\*/)*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*[\s\S]*?\*/")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\.)*+"')
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]++|\\[\s\S]?)*+"?|//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z)')
_STRING_OR_LAST_COMMA = re.compile(
    r'"(?:[^"\\]++|\\.)*+"?|(?<=[^,:\[{ \t\r\n])[ \t\r\n]*+,(?=[ \t\r\n]*+[}\]])'
)
_WORD = re.compile(r"[^\s,:\[\]{}\"/]+")
_BYTE_ORDER_MARK = "\ufeff"
_OPENING = ("{", "[")


def parsed(text: str) -> Part | None:
    """Return the tree of a text, or None if it holds nothing but white space and comments.

    Raises ValueError if the text is not JSON, or an object has a key twice. The message names line and column.
    """
    for strict in (str, _as_strict):
        with contextlib.suppress(ValueError):
            return _Parser(text, strict(text)).document()
    return _Parser(text).document()


def _as_strict(text: str) -> str:
    """Return the text with spaces in place of comments and last commas; every position stays."""
    return _STRING_OR_LAST_COMMA.sub(_blank, _STRING_OR_COMMENT.sub(_blank, text))


def _blank(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else " " * len(found[0])


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Return an object; `ValueError` if a key is written twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key is written twice")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
_ANY = json.JSONDecoder()


def end_of_comments(text: str, start: int, end: int) -> int:
    """Return where the last comment between two values ends; `start` if there is none."""
    return max((found.end() for found in _COMMENT.finditer(text, start, end)), default=start)


def is_line_comment_last(text: str, start: int, end: int) -> bool:
    """Whether the last comment between two values reaches to the end of its line."""
    comments = _COMMENT.findall(text, start, end)
    return bool(comments) and comments[-1].startswith("//")


def after_trivia(text: str, start: int) -> int:
    """Return where white space and comments end that begin at `start`."""
    found = _TRIVIA.match(text, start)
    return found.end() if found else start


class _Parser:
    """Reads one value.

    Args:
        text: The text.
        strict: The same text without comments and last commas, to skip objects and lists in; None to
            read everything, which finds the place of a mistake.
        at: Where the value begins in a text that was already checked; None to check it.
    """

    def __init__(self, text: str, strict: str | None = None, at: int | None = None) -> None:
        self._text, self._strict = text, strict
        first = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
        self._at = first if at is None else at
        self._decoder = _STRICT if at is None else _ANY

    def document(self) -> Part | None:
        self._skip()
        if self._at == len(self._text):
            return None
        root = self._value()
        self._skip()
        if self._at < len(self._text):
            self._fail("text after the end of the JSON value")
        return root

    def _value(self) -> Part:
        opening = self._text[self._at : self._at + 1]
        if opening in _OPENING:
            return self._members_of() if self._strict is None else self._skipped(self._strict)
        return self._string() if opening == '"' else self._scalar()

    def _skipped(self, strict: str) -> Unread:
        start = self._at
        value, self._at = self._decoder.raw_decode(strict, start)
        return Unread(start, self._at, value, _Parser(self._text, strict, start)._members_of)  # noqa: SLF001

    def _members_of(self) -> Part:
        return self._object() if self._text.startswith("{", self._at) else self._array()

    def _object(self) -> Pairs:
        start, pairs, names = self._at, list[tuple[Part, Part]](), set[str]()

        def pair() -> None:
            if not self._text.startswith('"', self._at):
                self._fail("a key in double quotes is expected")
            key = self._string()
            if key.value in names:
                self._fail(f"the key {json.dumps(key.value)} is written twice", key.start)
            names.add(key.value)
            self._skip()
            self._expect(":")
            pairs.append((key, self._value()))

        self._members("}", pair)
        return Pairs(start, self._at, is_flow=True, pairs=tuple(pairs))

    def _array(self) -> Items:
        start, items = self._at, list[Part]()
        self._members("]", lambda: items.append(self._value()))
        return Items(start, self._at, is_flow=True, items=tuple(items))

    def _members(self, closing: str, read: Callable[[], None]) -> None:
        self._at += 1
        self._skip()
        while not self._text.startswith(closing, self._at):
            read()
            self._skip()
            if not self._text.startswith(closing, self._at):
                self._expect(",")
        self._at += 1

    def _string(self) -> Text:
        found = _STRING.match(self._text, self._at)
        if found is None:
            self._fail("a string does not end, or has a line break or a control character in it")
        try:
            value = json.loads(found[0])
        except json.JSONDecodeError as error:
            self._fail(error.msg, self._at + error.pos)
        self._at = found.end()
        return Text(found.start(), found.end(), value)

    def _scalar(self) -> Scalar:
        start, found = self._at, _WORD.match(self._text, self._at)
        try:
            value = json.loads(found[0] if found else "", parse_constant=_no_constant)
        except ValueError:
            self._fail("a value is expected" if found is None else f"{found[0][:40]!r} is no JSON value")
        self._at = start + len(found[0] if found else "")
        return Scalar(start, self._at, value)

    def _skip(self) -> None:
        self._at = after_trivia(self._text, self._at)

    def _expect(self, character: str) -> None:
        if not self._text.startswith(character, self._at):
            self._fail(f"{character!r} is expected")
        self._at += 1
        self._skip()

    def _fail(self, reason: str, at: int | None = None) -> NoReturn:
        at = self._at if at is None else at
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        raise ValueError(f"line {line}, column {column}: {reason}")
