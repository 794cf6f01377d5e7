"""Positions in JSON text, so that an edit leaves every other character alone.

The standard scanner reads each value at C speed; only the outer shape of the
objects that are walked is looked at here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from json import JSONDecoder
from math import copysign, isfinite
from typing import NamedTuple


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


_LARGEST = 1.7976931348623157e308


def _finite(digits: str) -> float:
    """A number beyond a double's range is read as the largest double: no value here is infinite."""
    number = float(digits)
    return number if isfinite(number) else copysign(_LARGEST, number)


_decoder = JSONDecoder(parse_constant=_refuse, parse_float=_finite)
_scan = _decoder.raw_decode
scan = _scan
"""Returns the value that begins at a position of a text, and where it ends."""
_skip_blank = re.compile(r"[ \t\n\r]*").match


def parse(line: bytes) -> object:
    """Return the value of a line of JSON.

    Raises:
        ValueError: The line is not JSON, or not UTF-8.
        RecursionError: A value is nested deeper than the scanner goes.
    """
    text = line.decode()
    if text.startswith("{"):  # as nearly every message does: no blanks to look for
        value, end = _scan(text)
        if text[end:] == "\n":
            return value
    return _decoder.decode(text)


class Member(NamedTuple):
    """One member of an object: its key and value, and where both stand in the text."""

    key: str
    key_start: int
    start: int
    end: int
    value: object


class Element(NamedTuple):
    """One element of an array: its value and where it stands in the text."""

    start: int
    end: int
    value: object


class Edit(NamedTuple):
    """Put ``text`` in the place of the characters from ``start`` to ``end``."""

    start: int
    end: int
    text: str


def _blank(text: str, at: int) -> int:
    match = _skip_blank(text, at)
    return match.end() if match else at


def _expect(text: str, at: int, wanted: str) -> int:
    at = _blank(text, at)
    if text[at : at + 1] != wanted:
        raise ValueError(f"expected {wanted!r} at {at}")
    return _blank(text, at + 1)


def _more(text: str, at: int, closing: str) -> int | None:
    """Return where the next item begins after ``at``, or None at the closing bracket."""
    at = _blank(text, at)
    if text[at : at + 1] == closing:
        return None
    return _expect(text, at, ",")


def members(text: str, at: int = 0) -> Iterator[Member]:
    """Walk the object that begins at ``at`` (blanks before it are skipped).

    Raises:
        ValueError: There is no well-formed object at this place.
        RecursionError: A value is nested deeper than the scanner goes.
    """
    here: int | None = _expect(text, at, "{")
    if text[here : here + 1] == "}":  # type: ignore[operator]
        return
    while here is not None:
        key, colon = _scan(text, here)
        if not isinstance(key, str):
            raise ValueError(f"expected a key at {here}")  # noqa: TRY004 -- malformed text, not a wrong type
        start = _expect(text, colon, ":")
        value, end = _scan(text, start)
        yield Member(key, here, start, end, value)
        here = _more(text, end, "}")


def elements(text: str, at: int = 0) -> Iterator[Element]:
    """Walk the array that begins at ``at`` (blanks before it are skipped).

    Raises:
        ValueError: There is no well-formed array at this place.
        RecursionError: A value is nested deeper than the scanner goes.
    """
    here: int | None = _expect(text, at, "[")
    if text[here : here + 1] == "]":  # type: ignore[operator]
        return
    while here is not None:
        value, end = _scan(text, here)
        yield Element(here, end, value)
        here = _more(text, end, "]")


def member(text: str, key: str, at: int = 0) -> Member | None:
    """Return the member of that key in the object at ``at``; of several, the last, as parsers do.

    Raises:
        ValueError: There is no well-formed object at this place.
    """
    found = None
    for each in members(text, at):
        if each.key == key:
            found = each
    return found


def insertion(text: str, end: int, addition: str) -> Edit:
    """Return the edit that adds members or elements to the object or array that ends at ``end``."""
    before = end - 2
    while text[before] in " \t\n\r":
        before -= 1
    comma = "" if text[before] in "{[" else ","
    return Edit(end - 1, end - 1, comma + addition)


def spliced(text: str, edits: Sequence[Edit]) -> str:
    """Return the text with all edits made; they must not overlap."""
    pieces: list[str] = []
    here = 0
    for edit in sorted(edits):
        pieces += (text[here : edit.start], edit.text)
        here = edit.end
    pieces.append(text[here:])
    return "".join(pieces)


class ListPage(NamedTuple):
    """A page of ``tools/list``, ``resources/list`` or the like.

    Attributes:
        text: The JSON text of the result.
        elements: What is listed, each with its place in the text.
        end: Where the list ends in the text.
        next_cursor: Where the next page is, or None after the last.
        parts: The members of the result, by key.
    """

    text: str
    elements: tuple[Element, ...]
    end: int
    next_cursor: str | None
    parts: Mapping[str, Member]

    @property
    def meta(self) -> object:
        """The ``_meta`` of the result, or None."""
        return self.parts["_meta"].value if "_meta" in self.parts else None

    @property
    def is_last(self) -> bool:
        """Whether no other page follows."""
        return self.next_cursor is None


def list_page(text: str, key: str) -> ListPage:
    """Return the page in the JSON text of a result.

    Raises:
        ValueError: The text is no result that lists anything under that key.
    """
    parts = {each.key: each for each in members(text)}
    if key not in parts:
        raise ValueError(f"the result lists no {key}")
    following = parts.get("nextCursor")
    cursor = following.value if following is not None else None
    listed = parts[key]
    next_cursor = cursor if isinstance(cursor, str) and cursor else None
    return ListPage(text, tuple(elements(text, listed.start)), listed.end, next_cursor, parts)
