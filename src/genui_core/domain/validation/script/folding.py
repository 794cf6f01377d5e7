"""Constant folding: the results of calls that only change texts and lists."""

import base64
import itertools
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final
from urllib.parse import unquote

from genui_core.domain.validation.addresses import HOLE, UNKNOWN, holds_data
from genui_core.domain.validation.script.properties import (
    REPLACING,
    plain_pattern,
    property_value,
    replaced_by_pattern,
)
from genui_core.domain.validation.script.values import (
    LONGEST_LIST,
    LONGEST_TEXT,
    MOST_COMBINED,
    NOTHING,
    UNKNOWN_TEXT,
    Value,
)

_PAIR: Final = 2
_TEXT_MAKERS: Final = {"String", "URL", "Object", "Text"}
"""Functions and classes whose result contains the text that they are given."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_LEAST_BASE: Final = 2
_LONGEST_NUMBER: Final = 40
_LONGEST_JSON: Final = 4_000


def function_result(name: str, arguments: Sequence[Value]) -> Value:
    """Return the result of a built-in function, by its name without its object."""
    if name in ("fromCharCode", "fromCodePoint"):
        return _from_codes(arguments)
    if name == "String" and arguments:
        return Value(texts=arguments[0].spelled)
    if name in _LISTED and len(arguments) == 1:
        is_unknown = name in _OF_MEMBERS and arguments[0].members is None
        return NOTHING if is_unknown else _LISTED[name](arguments[0])
    change = _FUNCTIONS.get(name)
    return NOTHING if change is None or not arguments else _mapped(arguments[0], change)


def method_result(name: str, subject: Value, arguments: Sequence[Value]) -> Value:
    """Return the result of a method of a text or of an array."""
    if subject.members is not None:
        return _array_method(name, subject, arguments)
    if name == "concat":
        return sum([subject, *arguments], Value.text("")) if subject.holds_text or subject.exact else NOTHING
    if name == "split":
        return _split(subject, arguments[0]) if arguments else Value.array([subject])
    if name in REPLACING and (pattern := plain_pattern(arguments)):
        return _mapped(subject, lambda whole: replaced_by_pattern(pattern, whole, arguments))
    if name in ("padStart", "padEnd"):
        return _padded(name, subject, arguments)
    return _changed(name, subject, arguments)


def _changed(name: str, subject: Value, arguments: Sequence[Value]) -> Value:
    """Return the result of a method of a text; unknown parts of the text stay unknown."""
    change, most = _TEXT_METHODS.get(name, (None, 0))
    if change is None:
        return NOTHING
    choices = itertools.product(*(sorted(each.exact) for each in (subject, *arguments[:most])))
    made = [_changed_or_none(change, *choice) for choice in itertools.islice(choices, MOST_COMBINED)]
    found = Value.text(*(each for each in made if each is not None))
    unknown = subject.texts - subject.exact
    if name in _KEEPING and unknown and not any(each.strip(UNKNOWN) or holds_data(each) for each in unknown):
        return found | Value(texts=unknown)
    return found | UNKNOWN_TEXT if unknown and found.texts else found


def _padded(name: str, subject: Value, arguments: Sequence[Value]) -> Value:
    """Return the result of ``padStart`` or ``padEnd``."""
    if not subject.texts:
        return NOTHING
    filler = arguments[1] if len(arguments) > 1 else Value.text(" ")
    at_end = name == "padEnd"
    choices = itertools.product(subject.exact, Value.any_of(arguments[:1]).exact, filler.exact)
    made = [
        _padded_to(whole, int(length), each, at_end=at_end)
        for whole, length, each in itertools.islice(choices, MOST_COMBINED)
        if length.isdecimal() and len(length) <= _DIGITS_OF_LENGTH
    ]
    longer = subject + filler if at_end else filler + subject
    return Value(texts=subject.texts) | longer | Value.text(*made)


def _padded_to(whole: str, length: int, filler: str, *, at_end: bool) -> str:
    missing = max(0, length - len(whole))
    put = (filler * (missing // max(1, len(filler)) + 1))[:missing]
    return whole + put if at_end else put + whole


REDUCING: Final = frozenset({"reduce", "reduceRight"})
_DIGITS_OF_LENGTH: Final = 2
"""How many digits the length of a padded text may have; the names that a script hides so are short."""
_KEEPING: Final = frozenset(
    {
        "trim", "trimStart", "trimEnd", "toLowerCase", "toUpperCase", "toLocaleLowerCase", "toLocaleUpperCase",
        "toString", "valueOf", "slice", "substring", "substr", "charAt", "at", "repeat",
    }
)  # fmt: skip
"""Methods that add no markup to a text without markup."""


def collection(maker: str, arguments: Sequence[Value]) -> Value:
    """Return the content of ``new Map([[key, value], …])``, ``new Set([value, …])`` or a class of texts."""
    given = arguments[0].elements if arguments else ()
    if maker in _TEXT_MAKERS:
        return Value(texts=Value.any_of(arguments).texts)
    if maker == "Set":
        return Value.array(given)
    return _from_pairs(Value.any_of(arguments)) if maker in ("Map", "WeakMap") else NOTHING


def added_members(name: str, arguments: Sequence[Value]) -> list[tuple[str, Value]]:
    """Return the keys and values that a method adds to the list, map or set that it is called on."""
    if name == "set" and len(arguments) > 1:
        return [(key, arguments[1]) for key in arguments[0].as_texts]
    first = _ADDED_FROM.get(name, len(arguments))
    return [(HOLE, each) for each in arguments[first:]]


_ADDED_FROM: Final = {"push": 0, "unshift": 0, "add": 0, "fill": 0, "splice": 2}
"""For each method, the index of the first argument that it adds."""


def texts_in(held: Value) -> list[tuple[str, Value]]:
    """Return the members of an object that are texts or unknown, without functions."""
    return [(key, value) for key, value in held.members or () if value.holds_text or value.is_nothing]


def _array_method(name: str, subject: Value, arguments: Sequence[Value]) -> Value:
    elements = subject.elements
    if name == "get" and arguments:
        return property_value(Value(members=subject.members), arguments[0].as_texts)
    if name == "join":
        separator = arguments[0] if arguments else Value.text(",")
        return _joined(elements, separator) if separator.exact else NOTHING
    if name in ("reverse", "toReversed"):
        return Value.array(elements[::-1])
    if name == "concat":
        added = (each.elements if each.members is not None else (each,) for each in arguments)
        whole = [*elements, *itertools.chain.from_iterable(added)]
        return Value.array(whole) if len(whole) <= LONGEST_LIST else NOTHING
    if name == "toString":
        return Value(texts=subject.spelled)
    return _one_or_all(name, subject)


def _one_or_all(name: str, subject: Value) -> Value:
    if name in ("at", "pop", "shift", "find", "findLast"):
        return Value.either_of(subject.elements)
    if name in REDUCING:
        return _joined(subject.elements if name == "reduce" else subject.elements[::-1], Value.text(""))
    return subject if name in ("slice", "filter", "sort", "toSorted", "flat", "map") else NOTHING


def _joined(elements: Sequence[Value], separator: Value) -> Value:
    if not elements:
        return Value.text("")
    if all(len(each.exact) == 1 == len(each.as_texts) for each in (*elements, separator)):
        (between,) = separator.exact
        return Value.text(between.join(whole for each in elements for whole in each.exact))
    first, *others = elements[:MOST_COMBINED]
    rest = [] if len(elements) <= MOST_COMBINED else [UNKNOWN_TEXT]
    return sum([first, *(part for each in others for part in (separator, each)), *rest], Value.text(""))


def _split(subject: Value, separator: Value) -> Value:
    if len(subject.exact) != 1 or len(separator.exact) != 1:
        return NOTHING
    (whole,), (between,) = subject.exact, separator.exact
    parts = whole.split(between, LONGEST_LIST) if between else list(whole)
    values = {each: Value.text(each) for each in parts[:LONGEST_LIST]}
    return Value.array(values[each] for each in parts[:LONGEST_LIST])


def _list_from(given: Value) -> Value:
    """Return the list of ``Array.from``; for a text, the list of its characters."""
    if given.members is not None or len(given.exact) != 1:
        return Value.array(given.elements) if given.members else NOTHING
    return Value.array(map(Value.text, next(iter(given.exact))[:LONGEST_LIST]))


def _json_value(written: Value) -> Value:
    """Return the value of ``JSON.parse('"word"')``."""
    if len(written.exact) != 1 or len(next(iter(written.exact))) > _LONGEST_JSON:
        return NOTHING
    try:
        return _as_value(json.loads(next(iter(written.exact))))
    except (ValueError, RecursionError):
        return NOTHING


def _as_value(read: object) -> Value:
    if isinstance(read, str):
        return Value.text(read)
    if isinstance(read, list):
        return Value.array(map(_as_value, read))
    if isinstance(read, dict):
        return Value.written_out((str(key), _as_value(value)) for key, value in read.items())
    return NOTHING


def _from_pairs(given: Value) -> Value:
    pairs = [each.elements for each in given.elements if len(each.elements) == _PAIR]
    return Value.written_out((key, value) for name, value in pairs for key in name.exact)


_OF_MEMBERS: Final = frozenset({"entries", "keys", "values", "fromEntries"})
"""Functions that list the members of an object; for an unknown object, the result is unknown."""
_LISTED: Final[dict[str, Callable[[Value], Value]]] = {
    "entries": lambda held: Value.array(
        Value.array([Value.text(key), value]) for key, value in texts_in(held)
    ),
    "keys": lambda held: Value.array(Value.text(key) for key, _ in texts_in(held)),
    "values": lambda held: Value.array(value for _, value in held.members or ()),
    "fromEntries": _from_pairs,
    "from": _list_from,
    "parse": _json_value,
}


def _from_codes(arguments: Sequence[Value]) -> Value:
    if any(len(each.exact) != 1 for each in arguments):
        return NOTHING
    try:
        return Value.text("".join(chr(int(float(code))) for each in arguments for code in each.exact))
    except (ValueError, OverflowError):
        return NOTHING


def _mapped(value: Value, change: Callable[[str], str | None]) -> Value:
    made = (_changed_or_none(change, each) for each in sorted(value.exact)[:MOST_COMBINED])
    return Value.text(*(each for each in made if each is not None))


def _changed_or_none(change: Callable[..., str | None], *given: str) -> str | None:
    """Return a changed text; None if an argument is no number, no offset in the text, or not encoded."""
    try:
        return change(*given)
    except (ValueError, IndexError):
        return None


def _from_base64(encoded: str) -> str:
    return base64.b64decode(encoded + "=" * (-len(encoded) % 4)).decode("latin-1")


def _slice(whole: str, start: str = "0", end: str | None = None) -> str:
    return whole[int(start) : None if end is None else int(end)]


def _slice_by_length(whole: str, start: str = "0", length: str | None = None) -> str:
    first = int(start) if int(start) >= 0 else max(0, len(whole) + int(start))
    return whole[first : None if length is None else first + int(length)]


def _character(whole: str, at: str = "0") -> str:
    return whole[int(at)]


def _replaced(whole: str, old: str = "undefined", new: str = "undefined", *, most: int = 1) -> str:
    return whole.replace(old, new, most)[:LONGEST_TEXT]


def _repeated(whole: str, times: str = "0") -> str | None:
    return (whole * min(int(times), LONGEST_TEXT // max(1, len(whole)))) if times.isdecimal() else None


def _written_to_base(whole: str, base: str = "10") -> str | None:
    """Return a number in a base: ``(1522022199).toString(36)`` is a word; other texts stay the same."""
    if not (whole.isdecimal() and base.isdecimal() and len(whole) <= _LONGEST_NUMBER):
        return whole
    number, radix = int(whole), int(base)
    if not _LEAST_BASE <= radix <= len(_DIGITS):
        return whole
    digits = ""
    while number:
        number, digit = divmod(number, radix)
        digits = _DIGITS[digit] + digits
    return digits or "0"


_FUNCTIONS: Final[dict[str, Callable[[str], str | None]]] = {
    "atob": _from_base64,
    **dict.fromkeys(("decodeURIComponent", "decodeURI", "unescape"), unquote),
    **dict.fromkeys(("String", "Object", "encodeURI", "Symbol", "raw"), str),
}
_TEXT_METHODS: Final[dict[str, tuple[Callable[..., str | None], int]]] = {
    **dict.fromkeys(("toLowerCase", "toLocaleLowerCase"), (str.lower, 0)),
    **dict.fromkeys(("toUpperCase", "toLocaleUpperCase"), (str.upper, 0)),
    "trim": (str.strip, 0),
    "trimStart": (str.lstrip, 0),
    "trimEnd": (str.rstrip, 0),
    "toString": (_written_to_base, 1),
    **dict.fromkeys(("valueOf", "normalize"), (str, 0)),
    **dict.fromkeys(("slice", "substring"), (_slice, 2)),
    "substr": (_slice_by_length, 2),
    **dict.fromkeys(("charAt", "at"), (_character, 1)),
    "replace": (_replaced, 2),
    "replaceAll": (partial(_replaced, most=-1), 2),
    "repeat": (_repeated, 1),
}
"""For each method, the function that changes a text, and how many arguments it takes."""
