"""How a document is put into its page, worked out once by whoever parses it anyway, as plain data."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from attrs import frozen

from genui_core.domain.settings import HostRuntime

Edit = tuple[int, int, str]
"""What stands from one offset to another becomes a text."""

_RUNTIMES: Final[tuple[HostRuntime, ...]] = ("inline", "host")


@frozen(kw_only=True)
class DocumentPlan:
    """What of a document goes into the page, and how.

    Attributes:
        attributes: Of the html element, written so that nothing in them looks like a tag.
        begin: The offset where the content of its head begins.
        has_head: Whether the document has a head of its own, which then is not yet closed at that offset.
        uses_kit: Whether it imports the kit.
        edits: What binds these imports, by who brings ``App``; in the order of their offsets.
    """

    attributes: str
    begin: int
    has_head: bool
    uses_kit: bool
    edits: Mapping[HostRuntime, tuple[Edit, ...]]

    def rest(self, source: str, runtime: HostRuntime) -> str:
        """Return the document from the content of its head on, its imports bound."""
        for start, end, text in reversed(self.edits[runtime]):
            if start >= self.begin:
                source = source[:start] + text + source[end:]
        return source[self.begin :] if self.has_head else f"</head>{source[self.begin :]}"

    def as_data(self) -> Mapping[str, object]:
        """Return it as JSON, for stores."""
        return {
            "attributes": self.attributes,
            "begin": self.begin,
            "hasHead": self.has_head,
            "usesKit": self.uses_kit,
            "edits": {runtime: [list(each) for each in self.edits[runtime]] for runtime in _RUNTIMES},
        }


def plan_from(data: object) -> DocumentPlan | None:
    """Return a plan as it was stored, or None where that is none."""
    if not isinstance(data, Mapping):
        return None
    with suppress(KeyError, TypeError, ValueError):
        return DocumentPlan(
            attributes=str(data["attributes"]),
            begin=int(data["begin"]),
            has_head=bool(data["hasHead"]),
            uses_kit=bool(data["usesKit"]),
            edits={runtime: tuple(_edits(data["edits"][runtime])) for runtime in _RUNTIMES},
        )
    return None


def _edits(data: Iterable[tuple[object, object, object]]) -> Iterable[Edit]:
    for start, end, text in data:
        if not (isinstance(start, int) and isinstance(end, int)):
            raise TypeError("offsets are numbers")
        yield start, end, str(text)
