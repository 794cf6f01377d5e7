"""How to put a document into its page, which the validator works out while it parses."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

from attrs import frozen

from genui_core.domain.mcp.json_text import spliced
from genui_core.domain.settings.settings import HostRuntime

APP_PACKAGE = "@modelcontextprotocol/ext-apps"
"""Where ``App`` comes from."""
KIT_PACKAGE = "@mcp-gen-ui/kit"
"""Where ``ui`` comes from."""
Edit = tuple[int, int, str]
"""What stands from one offset to another becomes a text."""


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


def _within(edits: Sequence[Edit], start: int, end: int) -> Sequence[Edit]:
    """Return those of some sorted edits that begin in a part of a text."""
    first, last = (bisect_left(edits, at, key=itemgetter(0)) for at in (start, end))
    return edits[first:last]


def _edited(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    """Return a part of a text after those of some sorted edits that begin in it."""
    return spliced(text, _within(edits, start, end), start, end)
