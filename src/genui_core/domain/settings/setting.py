"""The description of a setting besides its type and default (requirement S1).

It stands once, in the metadata of an attrs field. The checks of files, variables and flags, the JSON
Schema and the reference page all use it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from attrs import Attribute, asdict, field, frozen

from genui_core.domain.mcp.json_text import json_name

_PLACE = "setting"
Value = TypeVar("Value")


class SettingNote(NamedTuple):
    """The description, the config key and the bounds of a setting.

    Attributes:
        about: What the setting does, in one sentence or two, for a person.
        key: Its key in a config file: ``generation.limits.maxPromptTokens``.
        least: The smallest number allowed.
        most: The largest number allowed.
        known: The built-in values, if installed packages may add others.
        choices: The only values allowed, if the type allows more.
        fallback: What applies if nothing is set, in words, where the default does not say it.
        variable: The name of its environment variable, if it does not follow from the key.
        is_secret: Whether its value is never shown.
        expands: Whether ``${VARIABLES}`` in its texts are replaced by their values.
        is_path: Whether its value is a file or folder, relative to the config file.
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
    """Return the attrs field of a setting with its `SettingNote`; ``repr`` leaves out a secret field."""
    note = SettingNote(about, **more)
    made: Value = field(default=default, repr=not note.is_secret, metadata={_PLACE: note})
    return made


def section(name: str) -> Callable[[type[Any], list["Attribute[Any]"]], list["Attribute[Any]"]]:
    """Return the attrs field transformer that gives the settings of a class their keys in a section.

    ``max_entries`` becomes ``maxEntries``. A setting that names its key keeps it.
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
    """Return the note in the metadata of a field, or None if the field is no setting."""
    found = metadata.get(_PLACE)
    return found if isinstance(found, SettingNote) else None


@frozen(kw_only=True, field_transformer=section(""))
class Hints:
    """The hints for the view of one tool; each field has its own description."""

    kind: Literal["chart", "table", "form", "card", "list", "map", "timeline"] | None = setting(
        None, "What the view should be; the minimal view draws `map` and `timeline` too."
    )
    interactivity: str | None = setting(None, "How much a person should do in the view, in your own words.")
    theme: Literal["light", "dark", "system"] | None = setting(None, "The theme to expect first.")

    def as_data(self) -> dict[str, str]:
        """Return the hints that are set, as a JSON object, for cache keys and for people."""
        return asdict(self, filter=lambda _field, hint: hint is not None)
