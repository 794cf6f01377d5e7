"""One page of a list result, looked at once."""

from collections.abc import Mapping
from typing import NamedTuple

from genui_core.domain.mcp.json_text import Element, Member, elements, members


class ListPage(NamedTuple):
    """A page of ``tools/list``, ``resources/list`` or the like.

    Attributes:
        text: The JSON text of the result.
        elements: What is listed, each with its place in the text.
        end: Where the list ends in the text.
        next_cursor: Where the next page is, or None after the last.
        parts: The members of the result, by key.
    """

    text: str
    elements: tuple[Element, ...]
    end: int
    next_cursor: str | None
    parts: Mapping[str, Member]

    @property
    def meta(self) -> object:
        """The ``_meta`` of the result, or None."""
        return self.parts["_meta"].value if "_meta" in self.parts else None

    @property
    def is_last(self) -> bool:
        """Whether no other page follows."""
        return self.next_cursor is None


def list_page(text: str, key: str) -> ListPage:
    """Return the page in the JSON text of a result.

    Raises:
        ValueError: The text is no result that lists anything under that key.
    """
    parts = {each.key: each for each in members(text)}
    if key not in parts:
        raise ValueError(f"the result lists no {key}")
    following = parts.get("nextCursor")
    cursor = following.value if following is not None else None
    listed = parts[key]
    next_cursor = cursor if isinstance(cursor, str) and cursor else None
    return ListPage(text, tuple(elements(text, listed.start)), listed.end, next_cursor, parts)
