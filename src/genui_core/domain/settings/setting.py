"""What is known of a setting besides its type and default (requirement S1).

It is written into the metadata of an attrs field, once; what files, variables and flags are
checked against, the JSON Schema and the reference page all come from there.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from attrs import Attribute, asdict, field, frozen

from genui_core.domain.mcp.json_text import json_name

_PLACE = "setting"
Value = TypeVar("Value")


class SettingNote(NamedTuple):
    """How a person writes a setting, and what it does.

    Attributes:
        about: What it does, in one sentence or two, for a person.
        key: Its place in a configuration file: ``generation.limits.maxPromptTokens``.
        least: The smallest number that makes sense.
        most: The largest.
        known: Values that are known by name, where others may be added from outside.
        choices: The only values there are, where the type allows more.
        fallback: What holds where nothing is set and that is decided elsewhere.
        variable: The name of its variable, where it is not made from the key.
        is_secret: Whether its value is never shown.
        expands: Whether ``${VARIABLES}`` in its texts are filled in.
        is_path: Whether it names a file or folder, relative to the file it is written in.
    """

    about: str
    key: str = ""
    least: float | None = None
    most: float | None = None
    known: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    fallback: str = ""
    variable: str | None = None
    is_secret: bool = False
    expands: bool = False
    is_path: bool = False


def setting(default: Value, about: str, **more: Any) -> Value:
    """Return the attrs field of a setting, as in `SettingNote`; the class prints no secret one."""
    note = SettingNote(about, **more)
    made: Value = field(default=default, repr=not note.is_secret, metadata={_PLACE: note})
    return made


def section(name: str) -> Callable[[type[Any], list["Attribute[Any]"]], list["Attribute[Any]"]]:
    """Return what gives the settings of a class their keys in a section of a configuration file.

    ``max_entries`` is ``maxEntries`` there. A setting that names its key keeps it.
    """

    def keyed(attribute: "Attribute[Any]") -> "Attribute[Any]":
        note = note_of(attribute.metadata)
        if note is None or note.key:
            return attribute
        key = json_name(attribute.name)
        named = note._replace(key=f"{name}.{key}" if name else key)
        return attribute.evolve(metadata={**attribute.metadata, _PLACE: named})

    return lambda _class, attributes: [keyed(each) for each in attributes]


def note_of(metadata: Mapping[Any, Any]) -> SettingNote | None:
    """Return the note in the metadata of a field, or None where the field is no setting."""
    found = metadata.get(_PLACE)
    return found if isinstance(found, SettingNote) else None


@frozen(kw_only=True, field_transformer=section(""))
class Hints:
    """The hints; each field carries its own description."""

    kind: Literal["chart", "table", "form", "card", "list", "map", "timeline"] | None = setting(
        None, "What the view should be; the minimal view draws `map` and `timeline` too."
    )
    interactivity: str | None = setting(None, "How much a person is to do in the view, in your own words.")
    theme: Literal["light", "dark", "system"] | None = setting(None, "The theme to expect first.")

    def as_data(self) -> dict[str, str]:
        """Return the hints that are given, as JSON, for cache keys and for people."""
        return asdict(self, filter=lambda _field, hint: hint is not None)
