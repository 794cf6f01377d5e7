"""A UI as an item of a tool's result, for hosts that render resources inside results (the mcp-ui convention, requirement P3)."""

import json
from collections.abc import Mapping
from typing import Final, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from genui_core.application.services import SilentEventLog, SystemClock
from genui_core.domain.tools.tool import ui_address
from genui_core.errors import GenUiError, NotAugmented
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level

JsonSchema: TypeAlias = Mapping[str, object] | bool
UiRegistry: TypeAlias = Mapping[str, tuple[JsonSchema, str]]
"""By tool name: the JSON Schema of its render data, and the HTML of its UI or the URL of one."""

_Result = TypeVar("_Result", bound=Mapping[str, object])


def augment_with_ui(
    result: _Result,
    *,
    tool_name: str,
    render_data: object,
    registry: UiRegistry | None = None,
    event_log: EventLog | None = None,
    clock: Clock | None = None,
) -> _Result | dict[str, object]:
    """Return a tool's result with the tool's UI in it, for hosts that render resources inside results.

    It never raises and never changes its arguments. Where the tool has no UI in the registry, or anything
    is wrong with the data, the schema or the UI, the result is returned as it is, and the event log told why.

    Args:
        result: As JSON: ``{"content": [...], ...}``. Of an object of the SDK, that is
            ``result.model_dump(mode="json", by_alias=True, exclude_none=True)``.
        tool_name: Whose result it is.
        render_data: What the UI is to show; any JSON value that fits the schema.
        registry: The UIs there are; none where nothing is given.
        event_log: Logs what was not added, and why.
        clock: For the address of the UI, which is ``ui://TOOL/TIMESTAMP``.
    """
    try:
        entry = None if registry is None else registry.get(tool_name)
        if entry is None:
            return result
        schema, page = entry
        data = checked_render_data(render_data, schema)
        now = (clock or SystemClock()).now()
        return _with_item(result, embedded_ui(tool_name, page, data, int(now.timestamp() * 1000)))
    except Exception as error:  # noqa: BLE001 -- a UI is an extra: no result may be lost for it
        reason = str(error) if isinstance(error, GenUiError) else repr(error)
        (event_log or SilentEventLog()).record(
            Level.WARN, "wrapper", "ui_not_added", tool_name=tool_name, reason=reason
        )
        return result


def _with_item(result: Mapping[str, object], item: dict[str, object]) -> dict[str, object]:
    content = result.get("content", [])
    if not isinstance(content, list | tuple):
        raise NotAugmented("The content of the result is no list")
    return {**result, "content": [*content, item]}


def checked_render_data(data: object, schema: JsonSchema) -> object:
    """Return a copy of the data as they will be on the wire.

    A schema of draft 2020-12 unless it says another one itself. What it refers to must be in it: nothing
    is ever fetched.

    Raises:
        NotAugmented: It is not.
        jsonschema.SchemaError: The schema is none.
        referencing.exceptions.Unresolvable: The schema refers to what is not in it.
    """
    try:
        copied = json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise NotAugmented(f"The render data are no JSON: {error}") from error
    wrong = misfit(copied, schema)
    if wrong is not None:
        raise NotAugmented(f"The render data do not fit their schema: {wrong}")
    return copied


def misfit(data: object, schema: object) -> str | None:
    """Return where and how data first miss their schema, or None; raises as `checked_render_data`."""
    # Only who augments results needs a validator, and loading one takes longer than all of the core.
    from jsonschema import Draft202012Validator  # noqa: PLC0415
    from jsonschema.validators import validator_for  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    kind = validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema)
    # A registry of its own keeps the validator from fetching what a `$ref` names.
    first = next(iter(kind(schema, registry=Registry()).iter_errors(data)), None)
    return None if first is None else f"{first.json_path}: {first.message}"


INITIAL_RENDER_DATA: Final = "mcpui.dev/ui-initial-render-data"
"""Where such a host looks for the data that it hands to the view."""

_WAIT: Final = "waitForRenderData"


def embedded_ui(tool_name: str, page: str, render_data: object, at_ms: int) -> dict[str, object]:
    """Return the item.

    Args:
        tool_name: Any text; it is the first part of the resource's address.
        page: HTML, or the http(s) URL of a page.
        render_data: What the view is to show.
        at_ms: Now, in milliseconds since 1970; the second part of the address.

    Raises:
        NotAugmented: The page is neither.
    """
    mime_type, text = _written(page)
    resource = {
        "uri": f"{ui_address(tool_name)}/{at_ms}",
        "mimeType": mime_type,
        "text": text,
        "_meta": {INITIAL_RENDER_DATA: render_data},
    }
    return {"type": "resource", "resource": resource}


def _written(page: str) -> tuple[str, str]:
    if "<" in page:
        return "text/html", page
    url = urlsplit(page.strip())
    if url.scheme not in ("http", "https") or not url.hostname:
        raise NotAugmented(f"A UI is HTML, or an http or https URL, and not {page[:100]!r}")
    others = [(name, value) for name, value in parse_qsl(url.query, keep_blank_values=True) if name != _WAIT]
    query = urlencode([*others, (_WAIT, "true")])
    return "text/uri-list", urlunsplit(url._replace(query=query))
