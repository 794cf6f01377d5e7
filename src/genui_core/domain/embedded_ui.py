"""A UI as an item of a tool's result, for hosts that render resources inside results (the mcp-ui convention)."""

from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from genui_core.domain.ui_address import ui_address
from genui_core.errors import NotAugmented

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
