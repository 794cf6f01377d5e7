"""Canonical JSON after RFC 8785: one text for one value, on any machine.

Keys are sorted at every level by their UTF-16 code units, numbers are written as
ECMAScript writes them, nothing is escaped that need not be. Two liberties are
taken so that no tool definition is left without a hash: an integer beyond 2^53
keeps its digits instead of being rounded, and a lone surrogate is kept as an
escape instead of being refused.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring
from types import NoneType
from typing import Any

from genui_core.errors import NotCanonical

_SMALLEST_PLAIN = 1e-6
_LARGEST_PLAIN = 1e21


def canonical_json(value: object) -> str:
    """Return the canonical text of a JSON value.

    Raises:
        NotCanonical: The value holds something that is not JSON, a key that is
            not text, or an infinite number.
    """
    write = _WRITERS.get(type(value))
    if write is None:
        raise NotCanonical(f"{type(value).__name__} is not a JSON type")
    return write(value)


def canonical_bytes(value: object) -> bytes:
    """Return the canonical text of a JSON value as UTF-8.

    Raises:
        NotCanonical: As `canonical_json`.
    """
    return canonical_json(value).encode()


def _array(value: Sequence[object]) -> str:
    return f"[{','.join(map(canonical_json, value))}]"


def _object(value: Mapping[object, object]) -> str:
    named = {key: each for key, each in value.items() if isinstance(key, str)}
    if len(named) < len(value):
        raise NotCanonical("an object key is not text")
    # Code points and UTF-16 code units sort alike as long as everything is ASCII.
    keys = sorted(named) if all(map(str.isascii, named)) else sorted(named, key=_utf16)
    return "{" + ",".join(f"{_string(key)}:{canonical_json(named[key])}" for key in keys) + "}"


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def _string(value: str) -> str:
    text = encode_basestring(value)
    if value.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode()


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise NotCanonical(f"{value} is not a JSON number")
    if value == 0:
        return "0"
    text = repr(value)
    if "e" not in text:
        return text.removesuffix(".0")
    if _SMALLEST_PLAIN <= abs(value) < _LARGEST_PLAIN:
        from decimal import Decimal  # noqa: PLC0415 -- few numbers are so small or so large

        # Python turns to exponents sooner than ECMAScript, with the same shortest digits.
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
