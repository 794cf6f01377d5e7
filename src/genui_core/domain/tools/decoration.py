"""The edits the wrapper makes in the upstream's answers, as splices in their JSON text.

Whatever is not added stays the very characters that the upstream sent (SPEC W3, W4).
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from genui_core.domain.mcp.json_text import (
    Edit,
    ListPage,
    Member,
    as_object,
    insertion,
    member,
    members,
    spliced,
)
from genui_core.domain.mcp.jsonrpc import json_text

_RESOURCES = {"subscribe": True, "listChanged": True}
_TOOLS = {"listChanged": True}
_NO_HINTS: Mapping[str, object] = MappingProxyType({})


def announced_capabilities(present: object) -> dict[str, dict[str, bool]]:
    """Return what a server with these capabilities must announce besides to serve views that change (SPEC U6).

    With its view a tool's address changes, so tools change too; a server without tools stays without.
    """
    has_tools = isinstance(present, Mapping) and "tools" in present
    return {"tools": _TOOLS, "resources": _RESOURCES} if has_tools else {"resources": _RESOURCES}


def merged(base: Mapping[str, object], addition: Mapping[str, object]) -> dict[str, object]:
    """Return an object with an addition merged in, nested objects member by member; what is added wins."""
    result = dict(base)
    for key, value in addition.items():
        present = result.get(key)
        both = isinstance(value, Mapping) and isinstance(present, Mapping)
        result[key] = merged(present, value) if both else value  # type: ignore[arg-type]
    return result


def tool_meta(address: str) -> dict[str, object]:
    """Return what a wrapped tool gains in its ``_meta``: the address, under every name hosts look for."""
    return {"ui": {"resourceUri": address}, "ui/resourceUri": address, "openai/outputTemplate": address}


def with_capabilities(result: str) -> str:
    """Announce resources, their subscription and what may change in an ``initialize`` or discovery result.

    Raises:
        ValueError: The text is no such result.
    """
    capabilities = member(result, "capabilities")
    announced = announced_capabilities(capabilities.value if capabilities else None)
    return spliced(
        result, _with_fields(result, len(result.rstrip()), "capabilities", capabilities, announced)
    )


def with_result_meta(result: str, addition: Mapping[str, object]) -> str:
    """Return a call's result with the wrapper's fields merged into its ``_meta``; it must be an object."""
    meta = member(result, "_meta")
    return spliced(result, _with_fields(result, len(result.rstrip()), "_meta", meta, addition))


def with_content_item(result: str, item: Mapping[str, object]) -> str:
    """Return a call's result with an item after its content; a result without a list of content stays as it is."""
    content = member(result, "content")
    if content is None or not isinstance(content.value, list):
        return result
    return spliced(result, [insertion(result, content.end, json_text(item))])


def with_tool_addresses(
    page: ListPage,
    address_of: Callable[[Mapping[str, object]], str | None],
    own_tools: Iterable[Mapping[str, object]],
    hints: Mapping[str, object] = _NO_HINTS,
) -> str:
    """Return a page of ``tools/list`` with each tool tied to its view, and tools of the wrapper's own appended.

    Args:
        page: The page.
        address_of: Gives a tool's UI address, or None for a tool to be left as it is.
        own_tools: The definitions to append.
        hints: The cache hints of a page that gains something.
    """
    edits: list[Edit] = []
    for element in page.elements:
        address = address_of(element.value) if isinstance(element.value, Mapping) else None
        if address is not None:
            meta = member(page.text, "_meta", element.start) if "_meta" in as_object(element.value) else None
            edits += _with_fields(page.text, element.end, "_meta", meta, tool_meta(address))
    return _with_edits(page, edits + _appended(page, own_tools), hints)


def with_resources(
    page: ListPage, entries: Iterable[Mapping[str, object]], hints: Mapping[str, object] = _NO_HINTS
) -> str:
    """Return a page of ``resources/list`` with entries appended, and these cache hints if there are any."""
    return _with_edits(page, _appended(page, entries), hints)


def _with_edits(page: ListPage, edits: list[Edit], hints: Mapping[str, object]) -> str:
    """Return the page after the edits; the cache hints replace the upstream's only where something changes."""
    return spliced(page.text, edits + _replaced(page, hints)) if edits else page.text


def _replaced(page: ListPage, values: Mapping[str, object]) -> list[Edit]:
    """Return the edits that set members of the result."""
    edits = [
        Edit(page.parts[key].start, page.parts[key].end, json_text(value))
        for key, value in values.items()
        if key in page.parts and page.parts[key].value != value
    ]
    absent = {key: value for key, value in values.items() if key not in page.parts}
    return [*edits, _added(page.text, len(page.text.rstrip()), absent)] if absent else edits


def _appended(page: ListPage, additions: Iterable[Mapping[str, object]]) -> list[Edit]:
    text = ",".join(map(json_text, additions))
    return [insertion(page.text, page.end, text)] if text else []


def _with_fields(
    text: str, end: int, key: str, present: Member | None, addition: Mapping[str, object]
) -> list[Edit]:
    """Return the edits that put fields into a member of the object that ends there, or add the member."""
    return [_added(text, end, {key: addition})] if present is None else _merged(text, present, addition)


def _merged(text: str, parent: Member, addition: Mapping[str, object]) -> list[Edit]:
    """Return the edits that merge an addition into an object, nested objects member by member."""
    if not isinstance(parent.value, Mapping):
        return [Edit(parent.start, parent.end, json_text(addition))]
    present = {each.key: each for each in members(text, parent.start)}
    edits: list[Edit] = []
    for key, value in addition.items():
        target = present.get(key)
        if target is None or target.value == value:
            continue
        if isinstance(value, Mapping):
            edits += _merged(text, target, value)
        else:
            edits.append(Edit(target.start, target.end, json_text(value)))
    absent = {key: value for key, value in addition.items() if key not in present}
    return [*edits, _added(text, parent.end, absent)] if absent else edits


def _added(text: str, end: int, fields: Mapping[str, object]) -> Edit:
    return insertion(text, end, json_text(fields)[1:-1])
