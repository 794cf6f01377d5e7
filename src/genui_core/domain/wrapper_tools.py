"""The tools of the wrapper's own, as hosts see them (SPEC §8)."""

from collections.abc import Collection, Mapping

LIST = "_ui_list"
INSPECT = "_ui_inspect"
REFRESH_TOOLS = "_ui_refresh_tools"

_READ_ONLY = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_UI_TYPE = {"type": "string", "enum": ["rich", "minimal", "undetermined"]}


def _object(properties: Mapping[str, object], required: Collection[str] | None = None) -> dict[str, object]:
    names = list(properties if required is None else required)
    return {
        "type": "object",
        "properties": dict(properties),
        "required": names,
        "additionalProperties": False,
    }


_LISTED = _object(
    {
        "name": {"type": "string", "title": "Tool"},
        "uiType": {**_UI_TYPE, "title": "Kind of UI"},
        "cached": {"type": "boolean", "title": "Cached"},
        "refinements": {"type": "integer", "minimum": 0, "title": "Refinements"},
        "enabled": {"type": "boolean", "title": "Has a UI"},
    }
)
_INSPECTED = _object(
    {
        "tool": {"type": "string", "title": "Tool"},
        "uiType": {**_UI_TYPE, "title": "Kind of UI"},
        "enabled": {"type": "boolean", "title": "Has a UI"},
        "resourceUri": {**_TEXT_OR_NULL, "title": "UI address"},
        "cached": {"type": "boolean", "title": "Cached"},
        "cacheKey": {"type": "string", "title": "Cache key"},
        "generatedAt": {**_TEXT_OR_NULL, "title": "Generated at"},
        "generationDurationMs": {"type": ["number", "null"], "title": "Generation took (ms)"},
        "llmModel": {**_TEXT_OR_NULL, "title": "Model"},
        "promptVersion": {"type": "string", "title": "Prompt version"},
        "templateVersion": {"type": "string", "title": "Template version"},
        "refinementHistory": {"type": "array", "items": {"type": "object"}, "title": "Refinements"},
        "inputSchema": {"type": "object", "title": "Input schema"},
        "findings": {"type": "array", "items": {"type": "object"}, "title": "Findings"},
        "fallbackReason": {**_TEXT_OR_NULL, "title": "Why the minimal UI"},
        "requestId": {**_TEXT_OR_NULL, "title": "Request id"},
    }
)
_NAMES = {"type": "array", "items": {"type": "string"}}
_REFRESHED = _object(
    {
        "added": {**_NAMES, "title": "Added"},
        "removed": {**_NAMES, "title": "Removed"},
        "changed": {**_NAMES, "title": "Changed"},
        "unchanged": {**_NAMES, "title": "Unchanged"},
    }
)
_NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}

_DEFINITIONS: tuple[dict[str, object], ...] = (
    {
        "name": LIST,
        "title": "List UIs",
        "description": "Lists every tool of this server with the state of its interactive UI.",
        "inputSchema": _NO_ARGUMENTS,
        "outputSchema": _object({"tools": {"type": "array", "items": _LISTED}}),
        "annotations": _READ_ONLY,
    },
    {
        "name": INSPECT,
        "title": "Inspect a UI",
        "description": "Tells all there is to know about one tool's interactive UI: its kind, address, cache key and history.",
        "inputSchema": _object(
            {
                "toolName": {
                    "type": "string",
                    "title": "Tool",
                    "description": "The name of the tool, as listed.",
                }
            }
        ),
        "outputSchema": _INSPECTED,
        "annotations": _READ_ONLY,
    },
    {
        "name": REFRESH_TOOLS,
        "title": "Refresh the tools",
        "description": "Asks this server anew which tools it has, and tells which were added, removed or changed since the last time.",
        "inputSchema": _NO_ARGUMENTS,
        "outputSchema": _REFRESHED,
        "annotations": _READ_ONLY,
    },
)


def published(upstream_names: Collection[str]) -> dict[str, dict[str, object]]:
    """Return the definitions by the name they are published under.

    A name that the upstream uses itself stays the upstream's; ours yields to a longer one
    (SPEC W12).
    """
    definitions = {}
    for definition in _DEFINITIONS:
        name = str(definition["name"])
        while name in upstream_names or name in definitions:
            name += "_of_wrapper"
        definitions[name] = {**definition, "name": name}
    return definitions


def original_name(published_name: str) -> str:
    """Return the name of the wrapper tool that is published under a possibly longer one."""
    return published_name.replace("_of_wrapper", "")
