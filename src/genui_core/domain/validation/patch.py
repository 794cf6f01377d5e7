"""Applies a model's search/replace blocks to the view it was asked to change.

A block is three marker lines around two texts::

    <<<<<<< SEARCH
    text that stands exactly once in the view
    =======
    text that takes its place
    >>>>>>> REPLACE

Every search text is looked up in the view as the model saw it, so the order of the blocks has no meaning.
Either all blocks are applied or none is.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from genui_core.domain.validation.extraction import END_MARKER, without_thoughts
from genui_core.domain.validation.finding import Block, Finding
from genui_core.domain.validation.rule_match import RuleMatch, SourceText
from genui_core.domain.validation.rules import MAX_BYTES

SEARCH: Final = "<<<<<<< SEARCH"
DIVIDER: Final = "======="
REPLACE: Final = ">>>>>>> REPLACE"
_MARKERS: Final = (SEARCH, DIVIDER, REPLACE)
_MAX_BLOCKS: Final = 100
_END = re.compile(rf"{re.escape(END_MARKER)}\s*\Z")
_NEWLINE = re.compile(r"\r\n?")
_MARKER_LINE = re.compile(rf"^(?:{'|'.join(map(re.escape, _MARKERS))})[ \t]*$", re.MULTILINE)
_VIEW_LINE = re.compile(r"^[ \t]*<(?:style|template|script|!doctype|html)\b", re.MULTILINE | re.IGNORECASE)
_START = re.compile(rf"{_VIEW_LINE.pattern}|^{SEARCH}[ \t]*$", re.MULTILINE | re.IGNORECASE)


@frozen
class Change:
    """One block."""

    search: str
    replacement: str
    start: int


@frozen
class _Place:
    start: int
    end: int
    change: Change


def patchable_source(source: str, *, document: bool) -> str:
    """Return a view as a model may patch it; "" where blocks could not say what they mean.

    Args:
        source: The view as it is stored.
        document: Whether the answer is read as a document. A view of the other kind is not patched.
    """
    text = _NEWLINE.sub("\n", source)
    shown = text if document else _END.sub("", text)
    is_document = text.lstrip().lower().startswith(("<!doctype", "<html"))
    return "" if is_document is not document or _MARKER_LINE.search(text) else shown


def patched(answer: str, source: str) -> str | tuple[Finding, ...] | None:
    """Return the view after the blocks of an answer, or why they cannot be applied.

    Args:
        answer: All that the model wrote.
        source: The view, as `patchable_source` returns it.

    Returns:
        The changed view, the findings where a block is broken or fits no single place, or None where the
        answer holds no block: it may hold a whole view.
    """
    text = _NEWLINE.sub("\n", answer)
    if len(text) > 2 * MAX_BYTES:
        return None
    text = without_thoughts(text, _START)
    first = _START.search(text)
    if first is None or not first[0].startswith(SEARCH):
        return None
    said = SourceText(text, Block.DOCUMENT)
    changes, broken_at = _changes_in(text, first.start())
    if broken_at is not None:
        return (said.finding(RuleMatch("patch.form", broken_at, len(text))),)
    places, rule_matches = _places(changes, source)
    if rule_matches:
        return said.findings(rule_matches)
    return _applied(places, source)


def _changes_in(text: str, start: int) -> tuple[list[Change], int | None]:
    """Return the blocks from an offset on, and where one of them is broken."""
    changes: list[Change] = []
    markers = list(_MARKER_LINE.finditer(text, start))
    at = 0
    while at < len(markers):
        opening = markers[at]
        kinds = [each[0].rstrip() for each in markers[at : at + 3]]
        if kinds[0] == DIVIDER:  # an underline in the words between two blocks
            at += 1
            continue
        if kinds != [SEARCH, DIVIDER, REPLACE] or len(changes) == _MAX_BLOCKS:
            return changes, opening.start()
        _, middle, closing = markers[at : at + 3]
        change = Change(_between(text, opening, middle), _between(text, middle, closing), opening.start())
        if not change.search.strip():
            return changes, opening.start()
        changes.append(change)
        at += 3
    return changes, None


def _between(text: str, one: re.Match[str], other: re.Match[str]) -> str:
    return text[one.end() + 1 : max(one.end() + 1, other.start() - 1)]


def _places(changes: list[Change], source: str) -> tuple[list[_Place], list[RuleMatch]]:
    """Return where each search text stands, in the order of the view, and which have no single place."""
    places: list[_Place] = []
    rule_matches: list[RuleMatch] = []
    for each in changes:
        at = source.find(each.search)
        if at < 0:
            rule_matches.append(_rule_match("patch.missing", each))
        elif source.find(each.search, at + 1) >= 0:
            rule_matches.append(_rule_match("patch.ambiguous", each))
        else:
            places.append(_Place(at, at + len(each.search), each))
    places.sort(key=lambda each: each.start)
    rule_matches.extend(_overlaps(places))
    if not rule_matches and all(each.search == each.replacement for each in changes):
        rule_matches.append(_rule_match("patch.unchanged", changes[0]))
    return places, rule_matches


def _overlaps(places: list[_Place]) -> Iterator[RuleMatch]:
    for one, other in itertools.pairwise(places):
        if other.start < one.end:
            yield _rule_match("patch.overlapping", other.change)


def _applied(places: list[_Place], source: str) -> str:
    kept: list[str] = []
    at = 0
    for each in places:
        kept += (source[at : each.start], each.change.replacement)
        at = each.end
    return "".join((*kept, source[at:]))


def _rule_match(rule: str, change: Change) -> RuleMatch:
    start = change.start + len(SEARCH) + 1
    return RuleMatch(rule, start, start + len(change.search))
