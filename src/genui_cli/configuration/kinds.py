"""The kinds of values of keys: each checks a value, parses a variable's text, and has a JSON Schema."""

import json
import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from typing import Any

from attrs import frozen

from genui_cli.cli_error import did_you_mean
from genui_cli.output import printable

_SEE_SCHEMA = "mcp-gen-ui config schema prints every key and what it takes"
_MOST_CHARACTERS = 60


@frozen(kw_only=True)
class Problem:
    """One problem of the configuration.

    Attributes:
        path: The path of the key, such as ``generation.timeoutMs``; empty for a whole file.
    """

    source: str
    path: str
    text: str
    hint: str = _SEE_SCHEMA

    def __str__(self) -> str:
        """Return the problem as one line."""
        return ": ".join(part for part in (self.source, f"{self.path} {self.text}".strip()) if part)


class InvalidValue(Exception):
    """A value that its key does not accept.

    Args:
        value: The value.
        expected: What the key accepts, such as "a whole number of at least 1000".
        within: The place within a list or an object, such as ``[2]`` or ``.city``.
        hint: What to do about it.
    """

    def __init__(self, value: object, expected: str, within: str = "", hint: str = "") -> None:
        super().__init__(f"expected {expected}")
        self.value = value
        self.expected = expected
        self.within = within
        self.hint = hint

    def problem(self, source: str, path: str, *, is_secret: bool = False) -> Problem:
        """Return the problem of a key; a secret value is not shown."""
        found = "" if is_secret else f"is {shown(self.value)}, "
        return Problem(
            source=source,
            path=printable(path + self.within),
            text=f"{found}expected {self.expected}",
            hint=self.hint or _SEE_SCHEMA,
        )


def shown(value: object) -> str:
    """Return a value as JSON on one line, cut, with unprintable characters escaped."""
    try:
        said = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        said = f"a value of the type {type(value).__name__}"
    said = printable(said)
    return said if len(said) <= _MOST_CHARACTERS else f"{said[:_MOST_CHARACTERS]}…"


Schema = dict[str, Any]

_YES = ("true", "yes", "on", "1")
_NO = ("false", "no", "off", "0")
LARGEST = 2**53 - 1
"""The largest whole number that JSON implementations represent exactly."""


@frozen
class Kind:
    """A kind of values.

    Attributes:
        expected: The accepted values, for messages, such as "a whole number of at least 1".
        schema: The JSON Schema of the accepted values.
        checked: Checks and converts a JSON or TOML value; raises `InvalidValue` if it is not accepted.
        read: Parses a variable's text to a JSON value, not checked yet; raises `InvalidValue` if it cannot.
    """

    expected: str
    schema: Schema
    checked: Callable[[object], object]
    read: Callable[[str], object] = str


def text(
    choices: tuple[str, ...] = (), known: tuple[str, ...] = (), make: Callable[[str], object] = str
) -> Kind:
    """Return the kind of texts: one of `choices`, or any text, with `known` as examples in the schema."""
    expected = f"one of {', '.join(choices)}" if choices else "a text"

    def checked(value: object) -> object:
        if not isinstance(value, str):
            raise InvalidValue(value, expected)
        if "\0" in value or value.encode(errors="ignore").decode() != value:
            raise InvalidValue(value, "a text without null characters and lone surrogates")
        if choices and value not in choices:
            raise InvalidValue(value, expected, hint=did_you_mean(value.lower(), choices))
        return make(value)

    listed = {"enum": list(choices)} if choices else {"examples": list(known)} if known else {}
    return Kind(expected, {"type": "string", **listed}, checked)


def number(least: float | None, most: float | None, ceiling: int | None = None) -> Kind:
    """Return the kind of numbers within bounds; with a ceiling, of whole numbers up to it."""
    make, words, name = (float, "number", "number") if ceiling is None else (int, "whole number", "integer")
    expected = f"a {words}"
    if least is not None:
        expected += f" of at least {least:.12g}" if most is None else f" from {least:g} to {most:g}"
    bounds = {key: bound for key, bound in (("minimum", least), ("maximum", most)) if bound is not None}
    low, high = bounds.get("minimum", -sys.float_info.max), bounds.get("maximum", sys.float_info.max)

    def checked(value: object) -> object:
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            raise InvalidValue(value, expected)
        if ceiling is not None and value > ceiling:
            raise InvalidValue(value, f"at most {ceiling}")
        made: float = make(value)
        if ceiling is not None and made != value:
            raise InvalidValue(value, expected)
        return made

    def read(written: str) -> object:
        try:
            return make(written)
        except ValueError:
            raise InvalidValue(written, expected) from None

    return Kind(expected, {"type": name, **bounds}, checked, read)


def _switch() -> Kind:
    expected = "true or false"

    def checked(value: object) -> object:
        if not isinstance(value, bool):
            raise InvalidValue(value, expected)
        return value

    def read(written: str) -> object:
        word = written.strip().lower()
        if word not in (*_YES, *_NO):
            raise InvalidValue(written, expected)
        return word in _YES

    return Kind(expected, {"type": "boolean"}, checked, read)


def _json_value(value: object) -> object:
    """Return a value. Raises InvalidValue if JSON cannot represent it."""
    try:
        json.dumps(value, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        raise InvalidValue(value, ANYTHING.expected) from None
    return value


SWITCH = _switch()
ANYTHING = Kind("any JSON", {}, _json_value)


# --- kinds made of others ---------------------------------------------------------------


def maybe(inner: Kind, word: str | None = None) -> Kind:
    """Return a kind that also accepts one word; without a word, null, which means that no value is set."""
    expected = f"{word}, or {inner.expected}" if word else inner.expected

    def checked(value: object) -> object:
        try:
            return value if value == word else inner.checked(value)
        except InvalidValue as invalid:
            raise InvalidValue(value, f"{word}, or {invalid.expected}") if word else invalid from None

    other = text((word,)).schema if word else {"type": "null"}
    return Kind(
        expected,
        {"anyOf": [inner.schema, other]},
        checked,
        lambda written: written if written == word else inner.read(written),
    )


def list_of(inner: Kind, make: Callable[[Any], object] = tuple) -> Kind:
    """Return the kind of lists. In a variable, a list is separated by commas, or JSON."""
    expected = f"a list, each {inner.expected}"

    def checked(value: object) -> object:
        if not isinstance(value, list):
            raise InvalidValue(value, expected)
        return make([_part(inner, each, f"[{at}]") for at, each in enumerate(value)])

    def read(written: str) -> object:
        if written.lstrip().startswith("["):
            return _json(written, expected)
        return [inner.read(each.strip()) for each in written.split(",") if each.strip()]

    return Kind(expected, {"type": "array", "items": inner.schema}, checked, read)


def by_name(inner: Kind) -> Kind:
    """Return the kind of objects with any names and values of one kind. In a variable, they are JSON."""
    expected = f"an object with names, each with {inner.expected}"

    def checked(value: object) -> object:
        if not isinstance(value, Mapping):
            raise InvalidValue(value, expected)
        return {str(name): _part(inner, each, f".{name}") for name, each in value.items()}

    schema = {"type": "object", "additionalProperties": inner.schema}
    return Kind(expected, schema, checked, partial(_json, expected=expected))


def record(parts: Mapping[str, tuple[str, Kind]], make: Callable[..., object]) -> Kind:
    """Return the kind of objects with fixed keys; `make` builds the value of the setting from one.

    `parts` has for each key the name of an argument of `make`, and the kind of its value.
    """
    expected = f"an object with {', '.join(parts)}"

    def member(key: str, value: object) -> tuple[str, object]:
        if key not in parts:
            raise InvalidValue(
                value, f"one of the keys {', '.join(parts)}", f".{key}", hint=did_you_mean(key, parts)
            )
        argument, kind = parts[key]
        return argument, _part(kind, value, f".{key}")

    def checked(value: object) -> object:
        if not isinstance(value, Mapping):
            raise InvalidValue(value, expected)
        return make(**dict(member(str(key), each) for key, each in value.items()))

    properties = {key: kind.schema for key, (_, kind) in parts.items()}
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    return Kind(expected, schema, checked, partial(_json, expected=expected))


def _part(kind: Kind, value: object, place: str) -> object:
    """Check a part of a value; an error names the place of the part."""
    try:
        return kind.checked(value)
    except InvalidValue as invalid:
        invalid.within = place + invalid.within
        raise


def _json(written: str, expected: str) -> object:
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        raise InvalidValue(written, f"{expected}, as JSON") from None


def as_json(value: object) -> object:
    """Return a checked value as JSON data."""
    if isinstance(value, frozenset):
        return sorted(map(as_json, value), key=str)
    if isinstance(value, tuple | list):
        return [as_json(each) for each in value]
    if isinstance(value, Mapping):
        return {key: as_json(each) for key, each in value.items()}
    return str(value) if isinstance(value, StrEnum) else value
