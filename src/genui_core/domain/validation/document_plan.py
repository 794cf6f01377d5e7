"""The plan that puts a document into its page; the validator makes it while it parses."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

from attrs import frozen

from genui_core.domain.mcp.json_text import spliced
from genui_core.domain.settings.settings import HostRuntime

APP_PACKAGE = "@modelcontextprotocol/ext-apps"
"""The package that exports ``App``."""
KIT_PACKAGE = "@mcp-gen-ui/kit"
"""The package that exports ``ui``."""
Edit = tuple[int, int, str]
"""The start offset, the end offset, and the text that replaces what is between them."""


@frozen
class PlannedScript:
    """An inline script of a document, which browsers run.

    Attributes:
        exports: The edits that remove its exports, in the order of their offsets.
    """

    start: int
    end: int
    is_module: bool
    exports: tuple[Edit, ...] = ()


@frozen(kw_only=True)
class DocumentPlan:
    """The parts of a document that go into the page, and the edits to them.

    Attributes:
        attributes: The attributes of the html element, escaped so that they contain no tag.
        begin: The offset where the content of the head begins.
        has_head: Whether the document has a head element, which is still open at that offset.
        uses_kit: Whether a script imports the view kit.
        edits: For each host runtime, the edits that replace the imports, in the order of their offsets.
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
        """Return the document from the content of its head on, with its imports replaced."""
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
    """Return the sorted edits that begin between two offsets."""
    first, last = (bisect_left(edits, at, key=itemgetter(0)) for at in (start, end))
    return edits[first:last]


def _edited(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    """Return a part of a text after the sorted edits that begin in it."""
    return spliced(text, _within(edits, start, end), start, end)
