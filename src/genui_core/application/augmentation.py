"""Adds a UI to a tool's result, for hosts that render resources in results (mcp-ui, requirement P3)."""

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
"""For each tool name: the JSON Schema of the render data, and the UI's HTML or URL."""

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
    """Return a tool's result with the tool's UI added, for hosts that render resources in results.

    It never raises and never changes its arguments. If the tool has no UI in the registry, it returns the
    result as it is. If the data, the schema or the UI is invalid, it does the same and logs the reason.

    Args:
        result: The result as JSON: ``{"content": [...], ...}``. For an object of the SDK, pass
            ``result.model_dump(mode="json", by_alias=True, exclude_none=True)``.
        tool_name: The tool that returned the result.
        render_data: The data that the UI shows; any JSON value that fits the schema.
        registry: The UIs by tool name; by default there are none.
        event_log: Receives an event with the reason if an invalid UI is not added.
        clock: Gives the timestamp in the UI's address, ``ui://TOOL/TIMESTAMP``.
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
        raise NotAugmented("The result's content is not a list")
    return {**result, "content": [*content, item]}


def checked_render_data(data: object, schema: JsonSchema) -> object:
    """Return a copy of the data as JSON carries them, checked against the schema.

    The schema is of draft 2020-12 unless it names another draft. Its references must point inside it:
    nothing is fetched.

    Raises:
        NotAugmented: The data are not JSON, or do not fit the schema.
        jsonschema.SchemaError: The schema is invalid.
        referencing.exceptions.Unresolvable: A reference in the schema points outside it.
    """
    try:
        copied = json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise NotAugmented(f"The render data are not JSON: {error}") from error
    wrong = misfit(copied, schema)
    if wrong is not None:
        raise NotAugmented(f"The render data do not fit their schema: {wrong}")
    return copied


def misfit(data: object, schema: object) -> str | None:
    """Return where and how data first violate the schema, or None; an invalid schema raises an error."""
    # Imported here: few programs need a validator, and loading one takes longer than all of the core.
    from jsonschema import Draft202012Validator  # noqa: PLC0415
    from jsonschema.validators import validator_for  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    kind = validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema)
    # An empty registry keeps the validator from fetching what a `$ref` names.
    first = next(iter(kind(schema, registry=Registry()).iter_errors(data)), None)
    return None if first is None else f"{first.json_path}: {first.message}"


INITIAL_RENDER_DATA: Final = "mcpui.dev/ui-initial-render-data"
"""The ``_meta`` key of the render data, which the host passes to the view."""

_WAIT: Final = "waitForRenderData"


def embedded_ui(tool_name: str, page: str, render_data: object, at_ms: int) -> dict[str, object]:
    """Return the content item that holds a UI, for a tool's result.

    Args:
        tool_name: Any text; it is the first part of the resource's address.
        page: HTML, or the http(s) URL of a page.
        render_data: The data that the view shows.
        at_ms: Now, in milliseconds since 1970; the second part of the address.

    Raises:
        NotAugmented: The page is neither HTML nor such a URL.
    """
    mime_type, text = _mime_type_and_text(page)
    resource = {
        "uri": f"{ui_address(tool_name)}/{at_ms}",
        "mimeType": mime_type,
        "text": text,
        "_meta": {INITIAL_RENDER_DATA: render_data},
    }
    return {"type": "resource", "resource": resource}


def _mime_type_and_text(page: str) -> tuple[str, str]:
    if "<" in page:
        return "text/html", page
    url = urlsplit(page.strip())
    if url.scheme not in ("http", "https") or not url.hostname:
        raise NotAugmented(f"A UI must be HTML, or an http or https URL, not {page[:100]!r}")
    others = [(name, value) for name, value in parse_qsl(url.query, keep_blank_values=True) if name != _WAIT]
    query = urlencode([*others, (_WAIT, "true")])
    return "text/uri-list", urlunsplit(url._replace(query=query))
