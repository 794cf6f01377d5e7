"""The data in a tool's result, as a view is given it (SPEC §5)."""

import json
from collections.abc import Mapping

from genui_core.domain.jsonrpc import PARSE_DEPTH_ERRORS


def data_of(result: object) -> object:
    """Return the data of a result: its structured content, or the JSON in its texts, a list of several. None where there is none.

    Args:
        result: Of a ``tools/call``, as it came; an error's has none.
    """
    if not isinstance(result, Mapping) or result.get("isError"):
        return None
    structured = result.get("structuredContent")
    if structured:
        return structured
    content = result.get("content")
    read = [_json_in(each) for each in (content if isinstance(content, list) else ())]
    found = [each for each in read if each is not None]
    return found if len(found) > 1 else next(iter(found), None)


def text_of(result: object) -> str:
    """Return the texts of a result as a view gets them where there is no data; an error's are left out."""
    if not isinstance(result, Mapping) or result.get("isError"):
        return ""
    content = result.get("content")
    texts = [
        each.get("text")
        for each in (content if isinstance(content, list) else ())
        if isinstance(each, Mapping) and each.get("type") == "text"
    ]
    return "\n\n".join(each for each in texts if isinstance(each, str))


def _json_in(item: object) -> object:
    text = item.get("text") if isinstance(item, Mapping) and item.get("type") == "text" else None
    return _parsed(text) if isinstance(text, str) else None


def _parsed(text: str) -> object:
    """A number or a word alone is a text, not data."""
    try:
        value: object = json.loads(text)
    except PARSE_DEPTH_ERRORS:
        return None
    return value if isinstance(value, dict | list) else None
