"""Parses JSON with comments and trailing commas into a tree with positions.

A host's file can have megabytes beside its list of servers. The scanner of `json` checks it at C speed, with
spaces in place of comments and trailing commas. Only the objects and lists that an edit needs get positions.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from genui_cli.install.text_tree import Items, Pairs, Part, Text
from genui_core.domain.mcp.json_text import elements, members, refuse_constant, scan

_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*[\s\S]*?\*/)*")
_KEPT_OR_COMMENT = re.compile(r'("(?:[^"\\]++|\\[\s\S]?)*+"?)|//[^\r\n]*|/\*[\s\S]*?\*/|(/\*[\s\S]*)')
_KEPT_OR_LAST_COMMA = re.compile(
    r'("(?:[^"\\]++|\\.)*+"?)|(?<=[^,:\[{ \t\r\n])[ \t\r\n]*+,(?=[ \t\r\n]*+[}\]])'
)
_TOKEN = re.compile(
    r'(?P<text>"(?:[^"\\\x00-\x1f]++|\\.)*+"?)(?P<colon>[ \t\r\n]*+:)?|[{}\[\]]|(?P<word>[^\s\x00-\x1f,:\[\]{}"/]+)'
)
_WHITE = " \t\r\n"
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")
_SAID = {
    "Expecting property name enclosed in double quotes": "a key in double quotes is expected",
    "Expecting ':' delimiter": "':' is expected",
    "Expecting ',' delimiter": "',' is expected",
    "Expecting value": "a value is expected",
    "Extra data": "text after the end of the JSON value",
}
"""Our messages for those of the scanner of `json`."""


def parsed(text: str) -> Part | None:
    """Return the tree of a text, or None if it has only white space and comments.

    Raises ValueError if the text is not JSON, or an object has a key twice; it names line and column.
    """
    with suppress(ValueError):
        return _tree(text, text)
    return _tree(text, _as_strict(text))


def _tree(text: str, strict: str) -> Part | None:
    start = len(strict) - len(strict.lstrip(_WHITE))
    if start == len(strict):
        return None
    try:
        _CHECK.decode(strict)
    except json.JSONDecodeError as error:
        raise _error(text, *_mistake(strict, error)) from error
    except ValueError as error:
        raise _error(text, *next(_misuses(strict))) from error
    value, end = scan(strict, start)
    return _part(strict, start, end, value)


def _as_strict(text: str) -> str:
    """Return the text with spaces in place of comments, trailing commas and byte order mark."""
    strict = _KEPT_OR_LAST_COMMA.sub(_blank, _KEPT_OR_COMMENT.sub(_blank, text))
    return f" {strict[1:]}" if strict.startswith("\ufeff") else strict


def _blank(found: re.Match[str]) -> str:
    return found[0] if found.lastindex else " " * len(found[0])


def _check_names(pairs: Sequence[tuple[str, object]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is written twice")


_CHECK = json.JSONDecoder(object_pairs_hook=_check_names, parse_constant=refuse_constant)


def _part(strict: str, start: int, end: int, value: object) -> Part:
    if isinstance(value, list):
        return Items(start, end, value, is_flow=True, find=partial(_items, strict, start))
    if isinstance(value, dict):
        return Pairs(start, end, value, is_flow=True, find=partial(_pairs, strict, start))
    return Text(start, end, value) if isinstance(value, str) else Part(start, end, value)


def _items(strict: str, start: int) -> tuple[Part, ...]:
    return tuple(_part(strict, *each) for each in elements(strict, start))


def _pairs(strict: str, start: int) -> tuple[tuple[Part, Part], ...]:
    return tuple(
        (
            Text(each.key_start, scan(strict, each.key_start)[1], each.key),
            _part(strict, each.start, each.end, each.value),
        )
        for each in members(strict, start)
    )


def _mistake(strict: str, error: json.JSONDecodeError) -> tuple[int, str]:
    """Return the position and the message of an error; the scanner may stop inside a word or a string."""
    at, said = error.pos, error.msg
    tokens = [each for each in _TOKEN.finditer(strict) if each.start() <= at]
    last = tokens[-1] if tokens else None
    if last and last["text"] and said.startswith(("Unterminated", "Invalid control")):
        return last.start(), "a string does not end, or has a line break or a control character in it"
    if last and last["word"] and last.end() > at and (last.start() < at or said == "Expecting value"):
        return last.start(), f"{last[0][:40]!r} is no JSON value"
    return at, _SAID.get(said, said)


def _misuses(strict: str) -> Iterator[tuple[int, str]]:
    """Yield the positions and messages of duplicate keys, and of words such as NaN that JSON lacks."""
    names = [set[str]()]
    for token in _TOKEN.finditer(strict):
        name = json.loads(token["text"]) if token["colon"] else None
        if name in names[-1]:
            yield token.start(), f"the key {json.dumps(name)} is written twice"
        elif name is not None:
            names[-1].add(name)
        elif (token["word"] or "").startswith(_NO_NUMBERS):
            yield token.start(), f"{token[0][:40]!r} is no JSON value"
        elif token[0] in ("{", "["):
            names.append(set())
        elif token[0] in ("}", "]"):
            names.pop()


def _error(text: str, at: int, reason: str) -> ValueError:
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return ValueError(f"line {line}, column {column}: {reason}")


def after_trivia(text: str, start: int) -> int:
    """Return the end of the white space and comments at `start`."""
    found = _TRIVIA.match(text, start)
    return found.end() if found else start
