"""All configuration keys, derived from the fields of the settings classes."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from attrs import fields, frozen, has

from genui_adapters.environment import PREFIX
from genui_cli.configuration import kinds
from genui_cli.configuration.kinds import Kind
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.settings.setting import SettingNote, note_of

_LONGEST_MS = 2**31 - 1
"""The longest time, in milliseconds, that every operating system can wait."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@frozen
class Key:
    """One key of the configuration."""

    path: str
    kind: Kind
    default: object
    note: SettingNote

    @property
    def section(self) -> str:
        """The first part of the path, such as ``generation``."""
        return self.path.partition(".")[0]

    @property
    def variable(self) -> str:
        """The name of the environment variable, such as ``MCP_GEN_UI_GENERATION_TIMEOUT_MS``."""
        return self.note.variable or PREFIX + _HUMP.sub("_", self.path).replace(".", "_").upper()


@cache
def all_keys() -> Mapping[str, Key]:
    """Return every key by its path, by sections: the most used first, the others in the order of the code."""
    found = [*_keys_of(Configuration)]
    sections = [*dict.fromkeys(("upstream", "llm", "cache", "generation", *(key.section for key in found)))]
    return {key.path: key for key in sorted(found, key=lambda key: sections.index(key.section))}


def _keys_of(section: type[Any]) -> Iterator[Key]:
    usual = section()
    for attribute in fields(section):
        note = note_of(attribute.metadata)
        if note is not None:
            yield Key(note.key, kind_of(attribute.type, note), getattr(usual, attribute.name), note)
        elif attribute.type is not None and has(attribute.type):
            yield from _keys_of(attribute.type)


_WORDS = (NoneType, Literal["auto"])
"""The types of values that leave the choice to the wrapper."""


def kind_of(hint: Any, note: SettingNote) -> Kind:
    """Return the kind of value of a type hint and a setting's note. Raises TypeError for an unknown type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        words = [None if each is NoneType else get_args(each)[0] for each in arguments if each in _WORDS]
        (inner,) = (each for each in arguments if each not in _WORDS)
        return kinds.maybe(kind_of(inner, note), *words)
    if origin is Literal:
        return kinds.text(choices=arguments)
    if origin in (tuple, frozenset):
        return kinds.list_of(kind_of(arguments[0], note), origin)
    if origin is not None and issubclass(origin, Mapping):
        return kinds.by_name(kind_of(arguments[1], note))
    return _plain_kind(hint, note)


def _plain_kind(hint: Any, note: SettingNote) -> Kind:
    if hint is int:
        return kinds.number(note.least, note.most, _LONGEST_MS if note.key.endswith("Ms") else kinds.LARGEST)
    plain: dict[Any, Kind] = {
        object: kinds.ANYTHING,
        bool: kinds.SWITCH,
        float: kinds.number(note.least, note.most),
        str: kinds.text(note.choices, note.known),
    }
    if hint in plain:
        return plain[hint]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return kinds.text(note.choices or tuple(map(str, hint)), make=hint)
    if isinstance(hint, type) and has(hint):
        noted = ((each, note_of(each.metadata)) for each in fields(hint))
        return kinds.record(
            {part.key: (each.name, kind_of(each.type, part)) for each, part in noted if part}, hint
        )
    raise TypeError(f"{note.key}: no kind of value is known for {hint}")


def build_section(section: type[Any], values: Mapping[str, object]) -> Any:
    """Build a settings class from checked values by path, with defaults for the rest."""
    given = {}
    for attribute in fields(section):
        note = note_of(attribute.metadata)
        if note is not None and note.key in values:
            given[attribute.name] = values[note.key]
        elif note is None and attribute.type is not None and has(attribute.type):
            given[attribute.name] = build_section(attribute.type, values)
    return section(**given)
