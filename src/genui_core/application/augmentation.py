"""``augment_with_ui``: a UI inside a tool's result, as a plain function (SPEC §16)."""

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from genui_core.application.defaults.built_in import SilentEventLog, SystemClock
from genui_core.domain.tools.embedded_ui import JsonSchema, checked_render_data, embedded_ui
from genui_core.errors import GenUiError, NotAugmented
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level

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
