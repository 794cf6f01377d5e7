"""A UI as an item of a tool's result, for hosts that render resources inside results (the mcp-ui convention)."""

import json
from collections.abc import Mapping
from typing import Final, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from genui_core.domain.tools.tool import ui_address
from genui_core.errors import NotAugmented

JsonSchema: TypeAlias = Mapping[str, object] | bool


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
    _check(copied, schema)
    return copied


def _check(data: object, schema: JsonSchema) -> None:
    # Only who augments results needs a validator, and loading one takes longer than all of the core.
    from jsonschema import Draft202012Validator  # noqa: PLC0415
    from jsonschema.validators import validator_for  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    kind = validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema)
    # A registry of its own keeps the validator from fetching what a `$ref` names.
    first = next(iter(kind(schema, registry=Registry()).iter_errors(data)), None)
    if first is not None:
        raise NotAugmented(f"The render data do not fit their schema: {first.json_path}: {first.message}")


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
