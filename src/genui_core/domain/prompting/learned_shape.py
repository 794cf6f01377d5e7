"""The shape of results that passed by: names and types of their fields, never their values (ARCHITECTURE 10)."""

import json
import re
from collections.abc import Mapping
from functools import reduce

from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import PARSE_DEPTH_ERRORS
from genui_core.domain.prompting.text_structure import LINES, MOST_LINE_SHAPES, MOST_NAMES, NAMES, text_shape
from genui_core.domain.tools.classification import types_of


def data_of(result: object) -> object:
    """Return the structured content of a result, or the JSON in its texts; None for neither or an error."""
    if not isinstance(result, Mapping) or result.get("isError"):
        return None
    if structured := result.get("structuredContent"):
        return structured
    found = [each for each in map(_parsed, _texts_in(result)) if each is not None]
    return found if len(found) > 1 else next(iter(found), None)


def text_of(result: object) -> str:
    """Return the texts of a result as a view gets them where there is no data; an error's are left out."""
    return "" if as_object(result).get("isError") else "\n\n".join(_texts_in(as_object(result)))


def _texts_in(result: Mapping[str, object]) -> list[str]:
    content = result.get("content")
    items = map(as_object, content if isinstance(content, list) else ())
    texts = [each.get("text") for each in items if each.get("type") == "text"]
    return [each for each in texts if isinstance(each, str)]


def _parsed(text: str) -> object:
    """A number or a word alone is a text, not data."""
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

_TEXT_PARTS = ("format", "contentSchema", "parts", LINES, *NAMES)
_DATA = re.compile(
    r"[+-]?\d[\d.,:_/ -]*$|\d{4}-\d\d|\S*[@/\\]\S*\.\S|\w+://|(?=\D*\d)[\da-f]{8}[\da-f-]*$|\S*\d{5}",
    re.IGNORECASE,
)
"""A name that is a number, a date, an address, a path or an id, and no field's."""
_FEWEST_ROWS = 4


def shape_of(value: object, depth: int = _DEPTH) -> dict[str, object]:
    """Return a JSON Schema that fits a value and tells nothing of it but names, types, formats and lengths.

    The names of parts of texts are all there; `told_shape` leaves out those that may be values.
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
    return {"type": "integer" if isinstance(value, int) else "number"}


def merged_shapes(one: object, other: object) -> dict[str, object]:
    """Return the shape that fits whatever either of two fits."""
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
    for part in ("parts", LINES, *NAMES):
        names = [each for shape in (one, other) if isinstance(shape.get(part), list) for each in shape[part]]
        if names:
            merged[part] = list(dict.fromkeys(names))[: MOST_LINE_SHAPES if part == LINES else MOST_NAMES]
    lengths = [each["maxItems"] for each in (one, other) if isinstance(each.get("maxItems"), int)]
    if lengths:
        merged["maxItems"] = max(lengths)
    return merged


def beyond_schema(shape: object, schema: object) -> object:
    """Return what a shape tells beyond a declared schema; None where that is nothing.

    Lengths, and types that the schema has too, are nothing new.
    """
    return _beyond(shape, schema, schema, _DEPTH)


def _beyond(shape: object, schema: object, root: object, depth: int) -> object:
    if not isinstance(shape, Mapping):
        return None
    least: object = shape
    for declared in _alternatives(schema, root, depth):
        rest = _beyond_one(shape, declared, root, depth)
        if not rest:
            return None
        least = rest if len(str(rest)) < len(str(least)) else least
    return least


def _beyond_one(
    shape: Mapping[str, object], declared: Mapping[str, object], root: object, depth: int
) -> Mapping[str, object]:
    """Return what a shape tells beyond one of the schemas that it may be of."""
    if not types_of(shape) <= {*types_of(declared), "null"}:
        return shape
    rest: dict[str, object] = {
        key: shape[key] for key in _TEXT_PARTS if key in shape and shape[key] != declared.get(key)
    }
    names = as_object(shape.get("properties"))
    known = as_object(declared.get("properties"))
    told = {name: _beyond(each, known.get(name), root, depth - 1) for name, each in names.items()}
    inner: dict[str, object] = {
        "properties": {name: each for name, each in told.items() if each is not None} or None
    }
    for key in ("items", "additionalProperties"):
        inner[key] = _beyond(shape.get(key), declared.get(key), root, depth - 1)
    return {**rest, **{key: each for key, each in inner.items() if each is not None}}


def _alternatives(schema: object, root: object, depth: int) -> list[Mapping[str, object]]:
    """Return the schemas that a value may be of, with their references resolved."""
    if not isinstance(schema, Mapping) or depth <= 0:
        return []
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return _alternatives(_at(root, reference), root, depth - 1)
    found = [schema] if types_of(schema) or "properties" in schema else []
    for key in ("anyOf", "oneOf", "allOf"):
        several = schema.get(key)
        for each in several if isinstance(several, list) else ():
            found += _alternatives(each, root, depth - 1)
    return found


def _at(root: object, reference: str) -> object:
    place = root
    for name in reference.removeprefix("#/").split("/"):
        place = as_object(place).get(name)
    return place


def _string_shape(value: str, depth: int) -> dict[str, object]:
    if depth and ("\n" in value or value.lstrip()[:1] in ("{", "[", "<")):
        return text_shape(value, lambda inner: shape_of(inner, depth - 1))
    known = next((name for name, pattern in _FORMATS if pattern.match(value[:300])), None)
    return {"type": "string", "format": known} if known else {"type": "string"}


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
        # What such names are is a value, such as an id or an address: only what they lead to is a shape.
        shape["additionalProperties"] = _common_shape([value[name] for name in data], depth - 1)
    return shape


def _common_shape(values: list[object], depth: int) -> dict[str, object]:
    """Return the shape that fits the first of these values, of which there is one at least."""
    return reduce(merged_shapes, (shape_of(each, depth) for each in values[:_MOST_LOOKED_AT]))


def _are_alike(members: list[object]) -> bool:
    """Whether these are the rows of a table, so that their names are the first column."""
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
