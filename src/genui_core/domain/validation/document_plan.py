"""How to put a document into its page: plain data that the validator computes while it parses."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from operator import index, itemgetter
from typing import Any, Final

from attrs import frozen

from genui_core.domain.mcp.json_text import spliced
from genui_core.domain.settings.settings import HostRuntime

APP_PACKAGE = "@modelcontextprotocol/ext-apps"
"""Where ``App`` comes from."""
KIT_PACKAGE = "@mcp-gen-ui/kit"
"""Where ``ui`` comes from."""
Edit = tuple[int, int, str]
"""What stands from one offset to another becomes a text."""

_RUNTIMES: Final[tuple[HostRuntime, ...]] = ("inline", "host")


@frozen
class PlannedScript:
    """A script of a document that runs.

    Attributes:
        exports: The edits that take its exports away, in the order of their offsets.
    """

    start: int
    end: int
    is_module: bool
    exports: tuple[Edit, ...] = ()


@frozen(kw_only=True)
class DocumentPlan:
    """What of a document goes into the page, and how.

    Attributes:
        attributes: Of the html element, written so that nothing in them looks like a tag.
        begin: The offset where the content of its head begins.
        has_head: Whether the document has a head of its own, which then is not yet closed at that offset.
        uses_kit: Whether it imports the kit.
        edits: The edits that bind these imports, by who brings ``App``; in the order of their offsets.
        scripts: The scripts that run, in the order of their offsets.
    """

    attributes: str
    begin: int
    has_head: bool
    uses_kit: bool
    edits: Mapping[HostRuntime, tuple[Edit, ...]]
    scripts: tuple[PlannedScript, ...]

    def rest(
        self, source: str, runtime: HostRuntime, wrap: Callable[[str, PlannedScript], str] | None = None
    ) -> str:
        """Return the document from the content of its head on, its imports bound."""
        at, edits = self.begin, sorted(self.edits[runtime])
        parts = ["" if self.has_head else "</head>"]
        for each in self.scripts:
            if wrap is not None and each.start >= at:
                of_script = sorted((*_within(edits, each.start, each.end), *each.exports))
                parts.append(_edited(source, at, each.start, edits))
                parts.append(wrap(_edited(source, each.start, each.end, of_script), each))
                at = each.end
        return "".join((*parts, _edited(source, at, len(source), edits)))

    def as_data(self) -> Mapping[str, object]:
        """Return it as JSON, for stores."""
        return {
            "attributes": self.attributes,
            "begin": self.begin,
            "hasHead": self.has_head,
            "usesKit": self.uses_kit,
            "edits": {runtime: [list(each) for each in self.edits[runtime]] for runtime in _RUNTIMES},
            "scripts": [
                [each.start, each.end, each.is_module, [list(edit) for edit in each.exports]]
                for each in self.scripts
            ],
        }


def plan_from(data: Any) -> DocumentPlan | None:
    """Return a plan as it was stored, or None where that is none."""
    with suppress(KeyError, TypeError, ValueError):
        return DocumentPlan(
            attributes=str(data["attributes"]),
            begin=int(data["begin"]),
            has_head=bool(data["hasHead"]),
            uses_kit=bool(data["usesKit"]),
            edits={runtime: _edits(data["edits"][runtime]) for runtime in _RUNTIMES},
            scripts=tuple(
                PlannedScript(index(start), index(end), bool(is_module), _edits(exports))
                for start, end, is_module, exports in data["scripts"]
            ),
        )
    return None


def _edits(data: Any) -> tuple[Edit, ...]:
    return tuple((index(start), index(end), str(text)) for start, end, text in data)


def _within(edits: Sequence[Edit], start: int, end: int) -> Sequence[Edit]:
    """Return those of some sorted edits that begin in a part of a text."""
    first, last = (bisect_left(edits, at, key=itemgetter(0)) for at in (start, end))
    return edits[first:last]


def _edited(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    """Return a part of a text after those of some sorted edits that begin in it."""
    return spliced(text, _within(edits, start, end), start, end)
