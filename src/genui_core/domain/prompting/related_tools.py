"""Which other tools a view may call: those that read, and fit what a result holds (SPEC §4)."""

import re
from collections.abc import Iterable, Mapping

from genui_core.domain.tool import Tool, only_reads

MOST_RELATED = 5
_DEPTH = 6


def related_tools(tool: Tool, others: Iterable[Tool], learned_shape: object = None) -> tuple[Tool, ...]:
    """Return at most five tools that only read and go with this one, by name.

    A tool goes with it when it requires an argument that is named like a field of the result, or
    when the two share the stem of their names: ``list_orders``, ``get_order``.
    """
    fields = _field_names(tool.definition.get("outputSchema")) | _field_names(learned_shape)
    stem = _stem(tool.name)
    fitting = (
        other
        for other in others
        if other.name != tool.name
        and only_reads(other)
        and (_required(other) & fields or (stem and _stem(other.name) == stem))
    )
    return tuple(sorted(fitting, key=lambda each: each.name)[:MOST_RELATED])


def _required(tool: Tool) -> set[str]:
    schema = tool.definition.get("inputSchema")
    required = schema.get("required") if isinstance(schema, Mapping) else None
    return {each for each in required if isinstance(each, str)} if isinstance(required, list) else set()


def _field_names(schema: object, depth: int = _DEPTH) -> set[str]:
    if depth == 0 or not isinstance(schema, Mapping | list):
        return set()
    if isinstance(schema, list):
        return set().union(*(_field_names(each, depth - 1) for each in schema))
    properties = schema.get("properties")
    members = properties if isinstance(properties, Mapping) else {}
    inner = [*members.values(), *(schema.get(key) for key in ("items", "anyOf", "oneOf", "allOf", "$defs"))]
    return set(members).union(*(_field_names(each, depth - 1) for each in inner))


def _stem(name: str) -> str:
    """Return the last word of a name in the singular: ``list_orders`` and ``getOrder`` give ``order``."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
    last = words[-1].lower() if len(words) > 1 else ""
    return last.removesuffix("s")
