"""The scripts of a document, and where they stand in it."""

import re
from typing import Final

from attrs import frozen

from genui_core.domain.judging.markup.elements import HTML
from genui_core.domain.judging.markup.markup_rules import runs
from genui_core.domain.judging.markup.source import MarkupReport
from genui_core.domain.judging.markup.tags import tag_at

_END: Final = re.compile(r"</script[\s/>]", re.IGNORECASE)


@frozen
class InlineScript:
    """A script that stands in a document.

    Attributes:
        text: The script.
        start: Its offset in the document.
        is_module: Whether it is a module.
    """

    text: str
    start: int
    is_module: bool

    def replaced(self, document: str, text: str) -> str:
        """Return the document with another script in its place."""
        return document[: self.start] + text + document[self.start + len(self.text) :]


def inline_scripts(markup: MarkupReport, source: str) -> list[InlineScript]:
    """Return the scripts that run and stand in the document, in their order."""
    found: list[InlineScript] = []
    for each in markup.elements:
        if each.name != "script" or each.namespace != HTML or each.start is None or not runs(each):
            continue
        tag = tag_at(source, each.start)
        if tag is None:
            continue
        closing = _END.search(source, tag.end)
        text = source[tag.end : closing.start() if closing is not None else len(source)]
        kind = each.attributes.get("type", "").strip().lower()
        found.append(InlineScript(text, tag.end, is_module=kind == "module"))
    return found
