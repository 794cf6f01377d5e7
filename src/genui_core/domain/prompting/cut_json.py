"""Shortens a JSON value to a length so that the text stays valid JSON."""

import json
from collections.abc import Callable, Mapping

_WORDS = ("description", "title", "examples", "example", "$comment")
"""The keywords of a schema that describe it to people; they are removed before its structure is."""
_NAMED = ("properties", "$defs", "definitions", "patternProperties")
_INNER = ("items", "anyOf", "oneOf", "allOf", "additionalProperties", "contentSchema", "prefixItems", "not")
_SILENT = ("$schema", "$id", "$comment")
_EMPTY: tuple[tuple[str, object], ...] = (
    ("additionalProperties", False),
    ("default", None),
    ("required", []),
    ("description", ""),
)
_MOST_WORDS = 200
_MARK = "…"


def cut_json(value: object, max_characters: int) -> str:
    """Return compact JSON text of at most that many characters, with as much of the value as fits.

    Long descriptions of a schema are shortened first, then all descriptions go, then the innermost
    levels, and at last whole members from the end. A mark stands in the place of these levels and members.
    """
    for less in (lambda each: each, lambda each: _change_words(each, _short), without_words):
        text = compact(less(value))
        if len(text) <= max_characters:
            return text
    bare = without_words(value)
    for depth in range(12, 0, -1):
        text = compact(_down_to(bare, depth))
        if len(text) <= max_characters:
            return text
    return _fewer_members(_down_to(bare, 1), max_characters)


def compact(value: object) -> str:
    """Return JSON text without spaces or escaped letters, with U+FFFD for each lone surrogate."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_words(value: object) -> object:
    """Return a schema without its descriptions for people; a property named like such a keyword stays."""
    return _change_words(value, lambda _word: None)


def without_noise(schema: object) -> object:
    """Return a schema without generated titles, its dialect, closedness and empty keywords.

    A model needs none of them to write a view. Long descriptions are shortened.
    """
    return _without_noise(schema, "")


def _without_noise(schema: object, name: str) -> object:
    if isinstance(schema, list):
        return [_without_noise(each, name) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: dict[str, object] = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, Mapping):
            kept[key] = {each: _without_noise(inner, each) for each, inner in value.items()}
        elif not _is_noise(key, value, name):
            short = _short(value) if key == "description" and isinstance(value, str) else value
            kept[key] = _without_noise(value, "") if key in _INNER else short
    return kept


def _is_noise(key: str, value: object, name: str) -> bool:
    if key == "title":
        return isinstance(value, str) and (not name or _letters(value) == _letters(name))
    return key in _SILENT or (key, value) in _EMPTY


def _letters(text: str) -> str:
    return "".join(each for each in text.lower() if each.isalnum())


def _short(word: str) -> str:
    return word[:_MOST_WORDS] + _MARK if len(word) > _MOST_WORDS else word


def _change_words(value: object, change: Callable[[str], str | None], *, names: bool = False) -> object:
    if isinstance(value, list):
        return [_change_words(each, change) for each in value]
    if not isinstance(value, Mapping):
        return value
    kept = {}
    for key, member in value.items():
        changed = member
        if not names and key in _WORDS:
            changed = change(member) if isinstance(member, str) else None
            if changed is None:
                continue
        kept[key] = _change_words(
            changed, change, names=not names and key in ("properties", "$defs", "definitions")
        )
    return kept


def _down_to(value: object, depth: int) -> object:
    if not isinstance(value, Mapping | list) or not value:
        return value
    if depth == 0:
        return _MARK
    if isinstance(value, list):
        return [_down_to(each, depth - 1) for each in value]
    return {key: _down_to(member, depth - 1) for key, member in value.items()}


def _fewer_members(value: object, max_characters: int) -> str:
    if isinstance(value, Mapping):
        members = [f"{compact(key)}:{compact(member)}" for key, member in value.items()]
        opening, closing, mark = "{", "}", f'"{_MARK}":"{_MARK}"'
    elif isinstance(value, list):
        members, opening, closing, mark = [compact(each) for each in value], "[", "]", f'"{_MARK}"'
    else:
        return compact(str(value)[: max(0, max_characters // 2 - 4)] + _MARK)
    kept: list[str] = []
    left = max_characters - len(mark) - 2
    for member in members:
        left -= len(member) + 1
        if left < 0:
            break
        kept.append(member)
    return opening + ",".join([*kept, mark]) + closing
