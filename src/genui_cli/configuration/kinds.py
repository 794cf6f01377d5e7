"""The kinds of values that keys take: each checks, reads a variable's text, and says itself as JSON Schema."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from attrs import field, frozen

_SEE_SCHEMA = "mcp-gen-ui config schema prints every key and what it takes"
_MOST_CHARACTERS = 60


def _hint(text: str) -> str:
    return text or _SEE_SCHEMA


@frozen(kw_only=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        path: Of the key, ``generation.timeoutMs``; "" for the whole of a file.
    """

    source: str
    path: str
    text: str
    hint: str = field(default="", converter=_hint)

    def __str__(self) -> str:
        """Return it as one line."""
        return ": ".join(part for part in (self.source, f"{self.path} {self.text}".strip()) if part)


class Unfit(Exception):
    """A value is not what its key takes.

    Args:
        value: What was found.
        expected: What the key takes: "a whole number of at least 1000".
        within: Where in the value, for one that has parts: ``[2]`` or ``.city``.
        hint: What to do about it.
    """

    def __init__(self, value: object, expected: str, within: str = "", hint: str = "") -> None:
        super().__init__(f"expected {expected}")
        self.value = value
        self.expected = expected
        self.within = within
        self.hint = hint

    def inside(self, part: str) -> "Unfit":
        """Return the same, found in a part of a larger value."""
        return Unfit(self.value, self.expected, part + self.within, self.hint)

    def problem(self, source: str, path: str, *, is_secret: bool = False) -> Problem:
        """Return what to tell a person; a value that is secret is not shown."""
        found = "" if is_secret else f"is {shown(self.value)}, "
        return Problem(
            source=source,
            path=printable(path + self.within),
            text=f"{found}expected {self.expected}",
            hint=self.hint,
        )


def shown(value: object) -> str:
    """Return a value as a person may have written it, on one line, cut, with nothing that draws."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"something of the type {type(value).__name__}"
    text = printable(text)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"


def printable(name: str) -> str:
    """Return a name with whatever would draw on a terminal escaped."""
    return name if name.isprintable() else json.dumps(name)[1:-1]


Schema = dict[str, Any]

_YES = ("true", "yes", "on", "1")
_NO = ("false", "no", "off", "0")


class Kind(ABC):
    """A kind of values."""

    @property
    @abstractmethod
    def expected(self) -> str:
        """What is taken, for a person: "a whole number of at least 1"."""

    @abstractmethod
    def checked(self, value: object) -> object:
        """Return what a JSON or TOML value means; `Unfit` if it is none of this kind."""

    @abstractmethod
    def schema(self) -> Schema:
        """Return the JSON Schema of what is taken."""

    def read(self, text: str) -> object:
        """Return the JSON value of a variable's text, not checked yet; `Unfit` if it stands for none."""
        return text


@frozen
class Text(Kind):
    """A text, one of some, or any but with some that are known by name."""

    choices: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    make: Callable[[str], object] = str

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"one of {', '.join(self.choices)}" if self.choices else "a text"

    def checked(self, value: object) -> object:
        """Return the text, or what it is the name of."""
        if not isinstance(value, str):
            raise Unfit(value, self.expected)
        if "\0" in value or not _is_encodable(value):
            raise Unfit(value, "a text without characters that no program can be given")
        if self.choices and value not in self.choices:
            near = get_close_matches(value.lower(), self.choices, n=1)
            raise Unfit(value, self.expected, hint=f"did you mean {near[0]}?" if near else "")
        return self.make(value)

    def schema(self) -> Schema:
        """Return its schema."""
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        return {"type": "string", **({"examples": list(self.known)} if self.known else {})}


@frozen
class Whole(Kind):
    """A whole number within bounds, and never one that clocks and counters cannot hold."""

    least: float | None = None
    most: float | None = None
    ceiling: int = 2**53 - 1

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"a whole number{_bounds(self.least, self.most)}"

    def checked(self, value: object) -> object:
        """Return the number."""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not _within(value, self.least, self.most):
            raise Unfit(value, self.expected)
        if value > self.ceiling:
            raise Unfit(value, f"at most {self.ceiling}")
        return value

    def schema(self) -> Schema:
        """Return its schema."""
        return {"type": "integer", **_schema_bounds(self.least, self.most)}

    def read(self, text: str) -> object:
        """Return the number a text stands for."""
        return _number(text, int, self.expected)


@frozen
class Number(Kind):
    """A number within bounds."""

    least: float | None = None
    most: float | None = None

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"a number{_bounds(self.least, self.most)}"

    def checked(self, value: object) -> object:
        """Return the number."""
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise Unfit(value, self.expected)
        if not _within(value, self.least, self.most):
            raise Unfit(value, self.expected)
        try:
            return float(value)
        except OverflowError:
            raise Unfit(value, self.expected) from None

    def schema(self) -> Schema:
        """Return its schema."""
        return {"type": "number", **_schema_bounds(self.least, self.most)}

    def read(self, text: str) -> object:
        """Return the number a text stands for."""
        return _number(text, float, self.expected)


class Switch(Kind):
    """True or false."""

    expected = "true or false"

    def checked(self, value: object) -> object:
        """Return it."""
        if not isinstance(value, bool):
            raise Unfit(value, self.expected)
        return value

    def schema(self) -> Schema:
        """Return its schema."""
        return {"type": "boolean"}

    def read(self, text: str) -> object:
        """Return what a text stands for."""
        word = text.strip().lower()
        if word not in (*_YES, *_NO):
            raise Unfit(text, self.expected)
        return word in _YES


class Anything(Kind):
    """Whatever JSON can say."""

    expected = "any JSON"

    def checked(self, value: object) -> object:
        """Return it, unless JSON cannot say it."""
        try:
            json.dumps(value, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError):
            raise Unfit(value, self.expected) from None
        return value

    def schema(self) -> Schema:
        """Return its schema."""
        return {}


def choice(names: type[StrEnum], choices: tuple[str, ...] = ()) -> Text:
    """Return the kind whose values are the members of an enumeration, or some of them."""
    return Text(choices or tuple(map(str, names)), make=names)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _bounds(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f" from {least:g} to {most:g}"
    return f" of at least {least:.12g}" if least is not None else ""


def _schema_bounds(least: float | None, most: float | None) -> Schema:
    return {key: bound for key, bound in (("minimum", least), ("maximum", most)) if bound is not None}


def _within(value: float, least: float | None, most: float | None) -> bool:
    if not -math.inf < value < math.inf:
        return False
    return (least is None or value >= least) and (most is None or value <= most)


def _number(text: str, read: Callable[[str], object], expected: str) -> object:
    try:
        return read(text)
    except ValueError:
        raise Unfit(text, expected) from None


def as_json(value: object) -> object:
    """Return a checked value as JSON has it."""
    if isinstance(value, frozenset):
        return sorted(map(as_json, value), key=str)
    if isinstance(value, tuple | list):
        return [as_json(each) for each in value]
    if isinstance(value, Mapping):
        return {key: as_json(each) for key, each in value.items()}
    return str(value) if isinstance(value, StrEnum) else value
