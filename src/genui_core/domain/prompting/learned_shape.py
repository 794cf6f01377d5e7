"""The shape of a tool's results: names, types and lengths of fields, never values (ARCHITECTURE 10)."""

import json
import math
import re
from collections.abc import Mapping
from functools import reduce

from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import PARSE_DEPTH_ERRORS
from genui_core.domain.prompting.cut_json import compact
from genui_core.domain.prompting.text_structure import (
    BUILT,
    COLUMNS,
    KINDS,
    LINES,
    MOST_COLUMNS,
    MOST_LINE_SHAPES,
    STATES,
    line_shape,
    text_shape,
)
from genui_core.domain.tools.classification import types_of
from genui_core.domain.tools.tool import cut


def data_of(result: object) -> object:
    """Return a result's structured content or the JSON in its texts; None for neither or an error."""
    if not isinstance(result, Mapping) or result.get("isError"):
        return None
    if structured := result.get("structuredContent"):
        return structured
    found = [each for each in map(_parsed, _texts_in(result)) if each is not None]
    return found if len(found) > 1 else next(iter(found), None)


def text_of(result: object) -> str:
    """Return the texts of a result, as a view gets them if there is no data; "" for an error."""
    return "" if as_object(result).get("isError") else "\n\n".join(_texts_in(as_object(result)))


def _texts_in(result: Mapping[str, object]) -> list[str]:
    content = result.get("content")
    items = map(as_object, content if isinstance(content, list) else ())
    texts = [each.get("text") for each in items if each.get("type") == "text"]
    return [each for each in texts if isinstance(each, str)]


def _parsed(text: str) -> object:
    """Return the JSON object or list in a text; a number or a word alone is a text, not data."""
    try:
        value: object = json.loads(text)
    except PARSE_DEPTH_ERRORS:
        return None
    return value if isinstance(value, dict | list) else None


_DEPTH = 6
_MOST_FIELDS = 60
_MOST_LOOKED_AT = 50
_MAX_NAME_CHARACTERS = 60

_FORMATS = (
    ("date-time", re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")),
    ("date", re.compile(r"\d{4}-\d\d-\d\d$")),
    ("uri", re.compile(r"https?://\S+$")),
    ("email", re.compile(r"[^@\s]{1,64}@[^@\s]{1,190}\.[a-z]{2,}$", re.IGNORECASE)),
)

_STATE = re.compile(r"[^\W\d_]+(?:[ _-][^\W\d_]+)?")
_MOST_STATE_CHARACTERS = 24
_MOST_STATES = 8
_MOST_BUILT = 3
_MOST_WHOLE = 999_999_999_999
_MOST_DECIMALS = 4
_DATA = re.compile(
    r"[+-]?\d[\d.,:_/ -]*$|\d{4}-\d\d|\S*[@/\\]\S*\.\S|\w+://|(?=\D*\d)[\da-f]{8}[\da-f-]*$|\S*\d{5}",
    re.IGNORECASE,
)
"""The names that are values and no names of fields: numbers, dates, addresses, paths and ids."""
_FEWEST_ROWS = 4
_SKETCHED = (STATES, BUILT, "parts", LINES, COLUMNS)
_WORDS_OF = {"boolean": "true or false", "null": "null"}
_INSIDE = {
    "json": "JSON in a text:",
    "python": "Python data in a text:",
    "text with json": "text around JSON:",
}
_MOST = ("maxItems", "maxLength", "digits", "decimals")
"""The keys of a shape whose larger number holds when two shapes are merged."""


def shape_of(value: object, depth: int = _DEPTH) -> dict[str, object]:
    """Return a JSON Schema that fits a value: names, types, formats, lengths and digits.

    The words in texts that may be names or states are all in the shape; `safe_shape` removes those that may
    be values.
    """
    if isinstance(value, Mapping):
        return _object_shape(value, depth)
    if isinstance(value, list):
        return _list_shape(value, depth)
    if isinstance(value, str):
        return _string_shape(value, depth)
    if value is None:
        return {"type": "null"}
    if isinstance(value, bool):
        return {"type": "boolean"}
    return _number_shape(value) if isinstance(value, int | float) else {}


def merged_shapes(one: object, other: object) -> dict[str, object]:
    """Return the shape of all values that fit either of two shapes."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return dict(one if isinstance(one, Mapping) else other if isinstance(other, Mapping) else {})
    types = sorted({*types_of(one), *types_of(other)})
    merged: dict[str, object] = {"type": types[0] if len(types) == 1 else types}
    if one.get("format") == other.get("format") and "format" in one:
        merged["format"] = one["format"]
    properties = _merged_properties(one, other)
    if properties:
        merged["properties"] = properties
    for part in ("items", "additionalProperties", "contentSchema"):
        if part in one or part in other:
            merged[part] = merged_shapes(one.get(part), other.get(part))
    for part in ("parts", LINES, COLUMNS):
        names = [each for shape in (one, other) if isinstance(shape.get(part), list) for each in shape[part]]
        if names:
            merged[part] = list(dict.fromkeys(names))[: MOST_LINE_SHAPES if part == LINES else MOST_COLUMNS]
    for part in _MOST:
        most = [each[part] for each in (one, other) if isinstance(each.get(part), int)]
        if most:
            merged[part] = max(most)
    return {**merged, **_merged_words(one, other)}


def _merged_words(one: Mapping[str, object], other: Mapping[str, object]) -> dict[str, object]:
    """Return the merged `BUILT` of short texts, and their `STATES` if these are still few."""
    texts = [each for each in (one, other) if "string" in types_of(each)]
    built, states = _union(texts, BUILT)[:_MOST_BUILT], _union(texts, STATES)
    is_one_of_few = all(STATES in each for each in texts) and len(states) <= _MOST_STATES
    found = {BUILT: built, STATES: states if is_one_of_few else []}
    return {part: words for part, words in found.items() if words}


def _union(shapes: list[Mapping[str, object]], part: str) -> list[str]:
    lists = [each.get(part) for each in shapes]
    return sorted({str(word) for words in lists if isinstance(words, list) for word in words})


def sketch(shape: object, max_characters: int) -> str:
    """Return an example of a shape on one line, with fewer inner levels if it would be too long.

    A number is as many zeros as it has digits at most, a text `text`; `≤` is followed by the most characters
    and `*` by the most entries.
    """
    text = ""
    for depth in range(2 * _DEPTH, 0, -1):
        text = _sketch(as_object(shape), depth, 1)
        if len(text) <= max_characters:
            return text
    return cut(text, max_characters)


def _sketch(shape: Mapping[str, object], depth: int, rows: int) -> str:
    """Return the sketch of a shape in a list of this many rows."""
    types, found = types_of(shape) if depth else set(), []
    if "array" in types:
        entries = _most(shape, "maxItems", 0)
        items = _sketch(as_object(shape["items"]), depth - 1, entries) if "items" in shape else ""
        found.append(f"[{items}]*{entries}")
    if "object" in types:
        found.append(_object_sketch(shape, depth - 1, rows))
    if "string" in types:
        found.append(_text_sketch(shape, depth - 1, rows))
    if types & {"integer", "number"}:
        decimals = f".{'0' * _most(shape, 'decimals', 1)}" if "number" in types else ""
        found.append("0" * _most(shape, "digits", 1) + decimals)
    found += [_WORDS_OF[each] for each in sorted(types & _WORDS_OF.keys())]
    return " or ".join(found) or "…"


def _most(shape: Mapping[str, object], part: str, otherwise: int) -> int:
    most = shape.get(part)
    return most if isinstance(most, int) else otherwise


def _object_sketch(shape: Mapping[str, object], depth: int, rows: int) -> str:
    members = [
        f"{name if name.isidentifier() else compact(name)}: {_sketch(as_object(member), depth, rows)}"
        for name, member in as_object(shape.get("properties")).items()
    ]
    if "additionalProperties" in shape:
        members.append(f"[each name]: {_sketch(as_object(shape['additionalProperties']), depth, rows)}")
    return "{" + ", ".join(members) + "}"


def _text_sketch(shape: Mapping[str, object], depth: int, rows: int) -> str:
    form = str(shape.get("format", "text"))
    if "contentSchema" in shape:
        return f"{_INSIDE.get(form, form)} {_sketch(as_object(shape['contentSchema']), depth, rows)}"
    length = f"≤{shape['maxLength']}" if "maxLength" in shape else ""
    name = "text" if form == "lines" else f"{form} text" if length and form != "text" else form
    words = name + length
    kinds = shape.get(KINDS)
    if isinstance(kinds, int) and 2 * kinds <= rows:
        words += f" of {kinds} {KINDS}"
    return words + "".join(f" {part} {compact(shape[part])}" for part in _SKETCHED if shape.get(part))


def _number_shape(value: float) -> dict[str, object]:
    """Return the shape of a number; one that is not finite counts as zero."""
    whole = min(abs(int(value)), _MOST_WHOLE) if isinstance(value, int) or math.isfinite(value) else 0
    shape: dict[str, object] = {"type": "integer", "digits": len(str(whole))}
    if isinstance(value, int):
        return shape
    decimals = len(f"{value:.{_MOST_DECIMALS}f}".rstrip("0").partition(".")[2])
    return {**shape, "type": "number", "decimals": max(1, decimals)}


def _string_shape(value: str, depth: int) -> dict[str, object]:
    if depth and ("\n" in value or value.lstrip()[:1] in ("{", "[", "<")):
        return text_shape(value, lambda inner: shape_of(inner, depth - 1))
    known = next((name for name, pattern in _FORMATS if pattern.match(value[:300])), None)
    if known:
        return {"type": "string", "format": known}
    shape: dict[str, object] = {"type": "string", "maxLength": len(value)}
    if len(value) <= _MOST_STATE_CHARACTERS and _STATE.fullmatch(value):
        return {**shape, STATES: [value]}
    built = line_shape(value)
    return {**shape, BUILT: [built]} if "0" in built else shape


def _object_shape(value: Mapping[str, object], depth: int) -> dict[str, object]:
    if depth == 0 or not value:
        return {"type": "object"}
    names = [name for name in value if len(name) <= _MAX_NAME_CHARACTERS]
    is_table = len(value) > _MOST_FIELDS or _are_alike(list(value.values()))
    data = [name for name in names if is_table or _DATA.match(name)]
    fields = {name: shape_of(value[name], depth - 1) for name in names if name not in data}
    shape: dict[str, object] = {"type": "object"}
    if fields or not data:
        shape["properties"] = fields
    if data:
        # Such a name is itself a value, an id or an address: only its member has a shape.
        shape["additionalProperties"] = _common_shape([value[name] for name in data], depth - 1)
    return shape


def _common_shape(values: list[object], depth: int) -> dict[str, object]:
    """Return the shape that fits the first of these values; there must be at least one value."""
    return reduce(merged_shapes, (shape_of(each, depth) for each in values[:_MOST_LOOKED_AT]))


def _are_alike(members: list[object]) -> bool:
    """Whether the members of an object are the rows of a table, whose first column is their names."""
    first = members[0]
    if len(members) < _FEWEST_ROWS or not isinstance(first, Mapping) or not first:
        return False
    return all(isinstance(each, Mapping) and each.keys() == first.keys() for each in members)


def _list_shape(value: list[object], depth: int) -> dict[str, object]:
    shape: dict[str, object] = {"type": "array", "maxItems": len(value)}
    if depth == 0 or not value:
        return shape
    return {**shape, "items": _common_shape(value, depth - 1)}


def _merged_properties(one: Mapping[str, object], other: Mapping[str, object]) -> dict[str, object]:
    first, second = as_object(one.get("properties")), as_object(other.get("properties"))
    names = [*first, *(name for name in second if name not in first)][:_MOST_FIELDS]
    return {name: merged_shapes(first.get(name), second.get(name)) for name in names}
