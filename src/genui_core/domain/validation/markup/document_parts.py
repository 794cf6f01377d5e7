"""The scripts of a document, and where they stand in it."""

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from genui_core.domain.validation.markup.elements import HTML, Element
from genui_core.domain.validation.markup.markup_rules import runs
from genui_core.domain.validation.markup.source import MarkupReport
from genui_core.domain.validation.markup.tags import tag_at

_WRITTEN: Final[Mapping[str, str]] = {"\n": "\r", "\ufffd": "\0"}
"""What a parser of markup reads as another character."""


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
    placed = (_placed(each, source) for each in _running(markup))
    return [each for each in placed if each is not None]


def misplaced_scripts(markup: MarkupReport, source: str) -> Iterator[int]:
    """Yield the offsets of the scripts whose text is not where the document says: no one has read what runs there."""
    for each in _running(markup):
        if _placed(each, source) is None:
            yield each.start or 0


def _running(markup: MarkupReport) -> Iterator[Element]:
    for each in markup.elements:
        if each.name == "script" and each.namespace == HTML and each.start is not None and runs(each):
            yield each


def _placed(script: Element, source: str) -> InlineScript | None:
    """Find the text of a script behind its tag; it ends where the parser ended it."""
    tag = None if script.start is None else tag_at(source, script.start)
    end = None if tag is None else _end_of(source, tag.end, script.text)
    if tag is None or end is None:
        return None
    kind = script.attributes.get("type", "").strip().lower()
    return InlineScript(source[tag.end : end], tag.end, is_module=kind == "module")


def _end_of(source: str, start: int, text: str) -> int | None:
    """Return where a text ends that begins at an offset; None where another stands there."""
    if source.startswith(text, start):
        return start + len(text)
    at = start
    for each in text:
        if each == "\n" and source.startswith("\r\n", at):
            at += 1
        elif source[at : at + 1] not in (each, _WRITTEN.get(each)):
            return None
        at += 1
    return at
