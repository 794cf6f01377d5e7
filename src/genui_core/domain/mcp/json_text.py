"""Walks and edits JSON as text, without changing other characters, and writes canonical JSON.

The standard scanner reads each value at C speed; this module reads only the punctuation of the objects
and arrays that it walks.

Canonical JSON follows RFC 8785: one text for one value, on any machine. Keys are sorted at every level by
their UTF-16 code units, numbers are written as ECMAScript writes them, and only what must be escaped is.
In two cases it differs, so that every tool definition has a hash: an integer beyond 2^53 keeps its digits,
and a lone surrogate stays an escape.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from json import JSONDecoder
from json.encoder import encode_basestring
from math import copysign, isfinite
from types import NoneType
from typing import Any, NamedTuple

from genui_core.errors import NotCanonical

_SMALLEST_PLAIN = 1e-6
_LARGEST_PLAIN = 1e21
_LARGEST = 1.7976931348623157e308


def refuse_constant(constant: str) -> None:
    """Raise `ValueError`: ``NaN`` and ``Infinity`` are not JSON (RFC 8259)."""
    raise ValueError(f"{constant} is no JSON")


def _finite(digits: str) -> float:
    """Return a number, or the largest double for one beyond its range: no parsed value is infinite."""
    number = float(digits)
    return number if isfinite(number) else copysign(_LARGEST, number)


_decoder = JSONDecoder(parse_constant=refuse_constant, parse_float=_finite)
scan = _decoder.raw_decode
"""Returns the value that begins at a position of a text, and where it ends."""
_skip_blank = re.compile(r"[ \t\n\r]*").match


def parse(line: bytes) -> object:
    """Return the value of a line of JSON.

    Raises:
        ValueError: The line is not JSON, or not UTF-8.
        RecursionError: A value is nested deeper than the scanner goes.
    """
    text = line.decode()
    if text.startswith("{"):  # as nearly every message does; this path skips the search for blanks
        value, end = scan(text)
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
    """An edit of a text: ``text`` replaces the characters from ``start`` to ``end``."""

    start: int
    end: int
    text: str


def as_object(value: object) -> Mapping[str, object]:
    """Return a value if it is a JSON object, else an empty one."""
    # Most values are None or dicts; the check for the abstract class alone is slower.
    return value if value is not None and isinstance(value, (dict, Mapping)) else {}


def json_name(name: str) -> str:
    """Return the JSON name of a Python name: ``maxEntries`` for ``max_entries``."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


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
    """Yield the members of the object that begins at ``at``, after any blanks.

    Raises:
        ValueError: There is no well-formed object at this place.
        RecursionError: A value is nested deeper than the scanner goes.
    """
    here: int | None = _expect(text, at, "{")
    if text[here : here + 1] == "}":  # type: ignore[operator]
        return
    while here is not None:
        key, colon = scan(text, here)
        if not isinstance(key, str):
            raise ValueError(f"expected a key at {here}")  # noqa: TRY004 -- malformed text, not a wrong type
        start = _expect(text, colon, ":")
        value, end = scan(text, start)
        yield Member(key, here, start, end, value)
        here = _more(text, end, "}")


def elements(text: str, at: int = 0) -> Iterator[Element]:
    """Yield the elements of the array that begins at ``at``, after any blanks.

    Raises:
        ValueError: There is no well-formed array at this place.
        RecursionError: A value is nested deeper than the scanner goes.
    """
    here: int | None = _expect(text, at, "[")
    if text[here : here + 1] == "]":  # type: ignore[operator]
        return
    while here is not None:
        value, end = scan(text, here)
        yield Element(here, end, value)
        here = _more(text, end, "]")


def member(text: str, key: str, at: int = 0) -> Member | None:
    """Return the member with a key in the object at ``at``, or None; of several, the last, as parsers do.

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


def spliced(text: str, edits: Iterable[tuple[int, int, str]], start: int = 0, end: int | None = None) -> str:
    """Return a text, or a part of it, with all edits made, each as in `Edit`; they must not overlap."""
    pieces: list[str] = []
    here = start
    for begin, stop, new in sorted(edits):
        pieces += (text[here:begin], new)
        here = stop
    pieces.append(text[here:end])
    return "".join(pieces)


def canonical_json(value: object) -> str:
    """Return the canonical text of a JSON value.

    Raises:
        NotCanonical: The value contains a type that is not JSON, a key that is
            not text, or an infinite number.
    """
    write = _WRITERS.get(type(value))
    if write is None:
        raise NotCanonical(f"{type(value).__name__} is not a JSON type")
    return write(value)


def canonical_bytes(value: object) -> bytes:
    """Return the canonical text of a JSON value as UTF-8, as `canonical_json` does."""
    return canonical_json(value).encode()


def _array(value: Sequence[object]) -> str:
    return f"[{','.join(map(canonical_json, value))}]"


def _object(value: Mapping[object, object]) -> str:
    named = {key: each for key, each in value.items() if isinstance(key, str)}
    if len(named) < len(value):
        raise NotCanonical("an object key is not text")
    # Code points and UTF-16 code units sort alike as long as everything is ASCII.
    is_ascii = all(map(str.isascii, named))
    keys = sorted(named, key=None if is_ascii else lambda key: key.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{_string(key)}:{canonical_json(named[key])}" for key in keys) + "}"


def _string(value: str) -> str:
    text = encode_basestring(value)
    if value.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode()


def _number(value: float) -> str:
    if not isfinite(value):
        raise NotCanonical(f"{value} is not a JSON number")
    if value == 0:
        return "0"
    text = repr(value)
    if "e" not in text:
        return text.removesuffix(".0")
    if _SMALLEST_PLAIN <= abs(value) < _LARGEST_PLAIN:
        from decimal import Decimal  # noqa: PLC0415 -- few numbers are so small or so large

        # Python uses exponents sooner than ECMAScript does, with the same shortest digits.
        return format(Decimal(text), "f")
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent):+d}"


_WRITERS: Mapping[type, Callable[[Any], str]] = {
    str: _string,
    bool: {True: "true", False: "false"}.__getitem__,
    NoneType: lambda _: "null",
    int: str,
    float: _number,
    dict: _object,
    list: _array,
    tuple: _array,
}
