"""Every key there is, read off the fields of the settings: the one description of the configuration."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from attrs import fields, frozen, has

from genui_cli.configuration.kinds import Anything, Kind, Number, Schema, Switch, Text, Unfit, Whole, choice
from genui_cli.configuration.places import PREFIX
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.settings.setting import SettingNote, note_of


@frozen
class Maybe(Kind):
    """Something, or one word; without a word, nothing: null says the same as saying nothing."""

    inner: Kind
    word: str | None = None

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"{self.word}, or {self.inner.expected}" if self.word else self.inner.expected

    def checked(self, value: object) -> object:
        """Return it."""
        try:
            return value if value == self.word else self.inner.checked(value)
        except Unfit as unfit:
            raise Unfit(value, f"{self.word}, or {unfit.expected}") if self.word else unfit from None

    def schema(self) -> Schema:
        """Return its schema."""
        other = Text((self.word,)).schema() if self.word else {"type": "null"}
        return {"anyOf": [self.inner.schema(), other]}

    def read(self, text: str) -> object:
        """Return what a text stands for."""
        return text if text == self.word else self.inner.read(text)


@frozen
class ListOf(Kind):
    """A list of values of one kind. A variable holds it with commas between, or as JSON."""

    inner: Kind
    make: Callable[[Any], object] = tuple

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"a list, each {self.inner.expected}"

    def checked(self, value: object) -> object:
        """Return it."""
        if not isinstance(value, list):
            raise Unfit(value, self.expected)
        return self.make([_part(self.inner, each, f"[{number}]") for number, each in enumerate(value)])

    def schema(self) -> Schema:
        """Return its schema."""
        return {"type": "array", "items": self.inner.schema()}

    def read(self, text: str) -> object:
        """Return what a text stands for."""
        if text.lstrip().startswith("["):
            return _json(text, self.expected)
        return [self.inner.read(each.strip()) for each in text.split(",") if each.strip()]


@frozen
class ByName(Kind):
    """Values of one kind by names that a person chooses. A variable holds them as JSON."""

    inner: Kind

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"an object with names, each with {self.inner.expected}"

    def checked(self, value: object) -> object:
        """Return them."""
        if not isinstance(value, Mapping):
            raise Unfit(value, self.expected)
        return {str(name): _part(self.inner, each, f".{name}") for name, each in value.items()}

    def schema(self) -> Schema:
        """Return its schema."""
        return {"type": "object", "additionalProperties": self.inner.schema()}

    def read(self, text: str) -> object:
        """Return what a text stands for."""
        return _json(text, self.expected)


@frozen
class Record(Kind):
    """An object with keys of its own, made into one value."""

    parts: Mapping[str, tuple[str, Kind]]
    """By key: the name of the argument, and the kind of its value."""
    make: Callable[..., object]

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"an object with {', '.join(self.parts)}"

    def checked(self, value: object) -> object:
        """Return it."""
        if not isinstance(value, Mapping):
            raise Unfit(value, self.expected)
        return self.make(**dict(self._member(str(key), each) for key, each in value.items()))

    def _member(self, key: str, value: object) -> tuple[str, object]:
        if key not in self.parts:
            near = get_close_matches(key, self.parts, n=1)
            raise Unfit(
                value,
                f"one of the keys {', '.join(self.parts)}",
                f".{key}",
                hint=f"did you mean {near[0]}?" if near else "",
            )
        argument, kind = self.parts[key]
        return argument, _part(kind, value, f".{key}")

    def schema(self) -> Schema:
        """Return its schema."""
        properties = {key: kind.schema() for key, (_, kind) in self.parts.items()}
        return {"type": "object", "additionalProperties": False, "properties": properties}

    def read(self, text: str) -> object:
        """Return what a text stands for."""
        return _json(text, self.expected)


def _part(kind: Kind, value: object, place: str) -> object:
    """Return the checked value of a part, which an error names."""
    try:
        return kind.checked(value)
    except Unfit as unfit:
        raise unfit.inside(place) from None


def _json(text: str, expected: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Unfit(text, f"{expected}, as JSON") from None


_LONGEST_MS = 2**31 - 1
"""The longest that every system can wait for something."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@frozen
class Key:
    """One key of the configuration."""

    path: str
    kind: Kind
    default: object
    note: SettingNote

    @property
    def variable(self) -> str:
        """The name of its variable: ``MCP_GEN_UI_GENERATION_TIMEOUT_MS``."""
        return self.note.variable or PREFIX + _HUMP.sub("_", self.path).replace(".", "_").upper()


@cache
def all_keys() -> Mapping[str, Key]:
    """Return every key by its path, section by section."""
    found = sorted(_keys_of(Configuration), key=lambda key: _SECTIONS.index(key.path.partition(".")[0]))
    return {key.path: key for key in found}


_SECTIONS = (
    "upstream", "llm", "cache", "generation", "logging", "toolRefresh", "host", "companion", "serve", "brand",
    "security",
)  # fmt: skip


def _keys_of(section: type[Any]) -> Iterator[Key]:
    usual = section()
    for attribute in fields(section):
        note = note_of(attribute.metadata)
        if note is not None:
            yield Key(note.key, kind_of(attribute.type, note), getattr(usual, attribute.name), note)
        elif attribute.type is not None and has(attribute.type):
            yield from _keys_of(attribute.type)


_WORDS = (NoneType, Literal["auto"])
"""What may stand for a value that is decided elsewhere."""


def kind_of(hint: Any, note: SettingNote) -> Kind:
    """Return the kind that a type and a note come to; `TypeError` for an unknown type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        words = [None if each is NoneType else get_args(each)[0] for each in arguments if each in _WORDS]
        (inner,) = (each for each in arguments if each not in _WORDS)
        return Maybe(kind_of(inner, note), *words)
    if origin is Literal:
        return Text(choices=arguments)
    if origin in (tuple, frozenset):
        return ListOf(kind_of(arguments[0], note), origin)
    if origin is not None and issubclass(origin, Mapping):
        return ByName(kind_of(arguments[1], note))
    return _plain_kind(hint, note)


def _plain_kind(hint: Any, note: SettingNote) -> Kind:
    plain: dict[Any, Kind] = {
        object: Anything(),
        bool: Switch(),
        int: Whole(note.least, note.most, _LONGEST_MS if note.key.endswith("Ms") else Whole().ceiling),
        float: Number(note.least, note.most),
        str: Text(choices=note.choices, known=note.known),
    }
    if hint in plain:
        return plain[hint]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return choice(hint, note.choices)
    if isinstance(hint, type) and has(hint):
        return Record(dict(_parts(hint)), hint)
    raise TypeError(f"{note.key}: no kind of value is known for {hint}")


def _parts(record: type[Any]) -> Iterator[tuple[str, tuple[str, Kind]]]:
    for attribute in fields(record):
        note = note_of(attribute.metadata)
        if note is not None:
            yield note.key, (attribute.name, kind_of(attribute.type, note))


def made(section: type[Any], values: Mapping[str, object]) -> Any:
    """Return a section, or the whole configuration, with checked values by path; defaults for the rest."""
    given = {}
    for attribute in fields(section):
        note = note_of(attribute.metadata)
        if note is not None and note.key in values:
            given[attribute.name] = values[note.key]
        elif note is None and attribute.type is not None and has(attribute.type):
            given[attribute.name] = made(attribute.type, values)
    return section(**given)
