"""Whether a tool deserves a rich view: by rule where a rule knows (SPEC §4)."""

from collections.abc import Mapping
from enum import StrEnum

from genui_core.domain.tool import Tool

_DEPTH = 6
_SHAPED = frozenset(("array", "number", "integer"))


class UiType(StrEnum):
    """What kind of view a tool gets."""

    RICH = "rich"
    MINIMAL = "minimal"
    UNDETERMINED = "undetermined"


def classify(tool: Tool, learned_shape: object = None) -> UiType:
    """Return what the definition and the results seen so far tell; undetermined where they do not.

    A list or a number in the output is something to draw. A tool that destroys, and one whose
    output is declared and says next to nothing, is served best by the plain view. An output that
    is only a text says nothing either way: half of all declared outputs are ``{result: string}``.
    """
    if _is_destructive(tool):
        return UiType.MINIMAL
    schema = tool.definition.get("outputSchema")
    if _has_shape(schema) or _has_shape(learned_shape):
        return UiType.RICH
    types = _types_of(schema)
    says_little = types and types <= {"object", "boolean", "null"}
    return UiType.MINIMAL if says_little else UiType.UNDETERMINED


def classification_of(answer: str) -> UiType:
    """Read a model's one word; whatever is neither of the two means minimal."""
    word = answer.strip().strip("`'\".*!").lower()
    return UiType.RICH if word == UiType.RICH else UiType.MINIMAL


def _is_destructive(tool: Tool) -> bool:
    annotations = tool.definition.get("annotations")
    return isinstance(annotations, Mapping) and annotations.get("destructiveHint") is True


def _has_shape(schema: object) -> bool:
    return not _SHAPED.isdisjoint(_types_of(schema))


def _types_of(schema: object, depth: int = _DEPTH) -> set[str]:
    """Every type that a schema names, in whatever place."""
    if depth == 0:
        return set()
    if isinstance(schema, list):
        return set().union(*(_types_of(each, depth) for each in schema))
    if not isinstance(schema, Mapping):
        return set()
    named = schema.get("type")
    types = {each for each in (named if isinstance(named, list) else [named]) if isinstance(each, str)}
    inner = [schema.get(key) for key in ("items", "anyOf", "oneOf", "allOf", "additionalProperties")]
    for key in ("properties", "$defs", "definitions"):
        members = schema.get(key)
        inner += members.values() if isinstance(members, Mapping) else ()
    return types.union(*(_types_of(each, depth - 1) for each in inner))
