"""The rules that decide whether a tool gets a rich or a minimal view (requirement G2)."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum

from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.tools.tool import Tool

_DEPTH = 6
_SHAPED = frozenset(("array", "number", "integer"))
_FEWEST_FIELDS = 4
"""The fewest fields of a drawable object; one with fewer texts is mostly a confirmation."""
_DRAWABLE_TEXTS = frozenset(("csv", "diff", "fields", "html", "log", "python"))
"""The formats of texts with records, rows or fields; a text with JSON is as drawable as its JSON."""
_INNER = ("items", "anyOf", "oneOf", "allOf", "additionalProperties", "contentSchema")
_NAMES = ("properties", "$defs", "definitions")
_GIVES_A_LIST = re.compile(r"(?:.*[_./-])?(?:list|search|find|query)(?=[A-Z_.-]|\Z)")


class UiType(StrEnum):
    """The kind of view that a tool gets."""

    RICH = "rich"
    MINIMAL = "minimal"
    UNDETERMINED = "undetermined"


def classify(tool: Tool, learned_shape: object = None) -> UiType:
    """Return the kind of view that suits a tool's results; undetermined if no rule applies.

    What a tool does says nothing about its result: a tool that deletes items may list them.
    """
    schema = tool.definition.get("outputSchema")
    if is_drawable(learned_shape) or is_drawable(schema):
        return UiType.RICH
    if _holds_only_flags(schema):
        return UiType.MINIMAL
    return UiType.RICH if schema is None and _GIVES_A_LIST.match(tool.name) else UiType.UNDETERMINED


def classification_of(answer: str) -> UiType:
    """Return the kind of view in a model's answer of one word; any word but "rich" means minimal."""
    word = answer.strip().strip("`'\".*!").lower()
    return UiType.RICH if word == UiType.RICH else UiType.MINIMAL


def is_drawable(schema: object) -> bool:
    """Return whether results of this shape contain something to draw.

    That is a list, a number, an object inside an object, a map, four fields or more, or a text of a drawable
    format. A text alone is not enough: half of all declared outputs are ``{result: string}``.
    """
    return any(map(_is_drawable_here, _nodes(schema)))


def _is_drawable_here(node: Mapping[str, object]) -> bool:
    if not _SHAPED.isdisjoint(types_of(node)) or node.get("format") in _DRAWABLE_TEXTS or node.get("parts"):
        return True
    fields = as_object(node.get("properties")).values()
    holds_record = any(isinstance(as_object(each).get("properties"), Mapping) for each in fields)
    return len(fields) >= _FEWEST_FIELDS or (holds_record and len(fields) > 1)


def _holds_only_flags(schema: object) -> bool:
    """Return whether an output schema allows only flags and nulls; an open object may hold anything."""
    nodes = list(_nodes(schema))
    types = set().union(*map(types_of, nodes))
    is_open = not any(node.get("properties") for node in nodes) and "object" in types
    return bool(types) and types <= {"object", "boolean", "null"} and not is_open


def types_of(node: Mapping[str, object]) -> set[str]:
    """Return the types that a schema names."""
    named = node.get("type")
    return {each for each in (named if isinstance(named, list) else [named]) if isinstance(each, str)}


def _nodes(schema: object, depth: int = _DEPTH) -> Iterator[Mapping[str, object]]:
    """Yield a schema and the schemas inside of it."""
    if depth == 0:
        return
    if isinstance(schema, list):
        for each in schema:
            yield from _nodes(each, depth)
    if not isinstance(schema, Mapping):
        return
    yield schema
    for key in _INNER:
        yield from _nodes(schema.get(key), depth - 1)
    for key in _NAMES:
        for each in as_object(schema.get(key)).values():
            yield from _nodes(each, depth - 1)


class ViewState(StrEnum):
    """The state of a tool's view."""

    MINIMAL = "minimal"
    """The minimal view, because it suits the tool or because there is no model."""
    PROVISIONAL = "provisional"
    """The minimal view, while a model writes a rich view."""
    GENERATED = "generated"
    FALLBACK = "fallback"
    """The minimal view, because a generation failed."""
