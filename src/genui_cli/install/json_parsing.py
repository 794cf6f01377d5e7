"""Parses JSON with comments and trailing commas into a tree with positions."""

import json
import re
from collections.abc import Callable
from typing import NoReturn

from genui_cli.install.text_tree import Items, Pairs, Part, Scalar, Text

_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*[\s\S]*?\*/)*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*[\s\S]*?\*/")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"[^\s,:\[\]{}\"/]+")
_BYTE_ORDER_MARK = "\ufeff"


def parsed(text: str) -> Part | None:
    """Return the tree of a text, or None if it holds nothing but white space and comments.

    Raises:
        ValueError: The text is not JSON, or an object has a key twice. The message names line and column.
    """
    return _Parser(text).document()


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
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0

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
        if opening == "{":
            return self._object()
        if opening == "[":
            return self._array()
        return self._string() if opening == '"' else self._scalar()

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
            value = json.loads(found[0] if found else "", parse_constant=self._no_constant)
        except ValueError:
            self._fail("a value is expected" if found is None else f"{found[0][:40]!r} is no JSON value")
        self._at = start + len(found[0] if found else "")
        return Scalar(start, self._at, value)

    def _no_constant(self, name: str) -> NoReturn:
        raise ValueError(name)

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
