"""Finds a view, or the search/replace blocks that change one, in a model's answer (requirement V1).

Prose, fences and thoughts may stand around a view. A search/replace block is the marker line `SEARCH`, a
text that stands exactly once in the view, the line `DIVIDER`, the new text, and the line `REPLACE`.

Each search text is looked up in the view that the model saw, so the order of the blocks does not matter.
Either all blocks are applied or none is.
"""

import itertools
import re
from operator import itemgetter
from typing import Final

from attrs import evolve, frozen

from genui_core.domain.mcp.json_text import spliced
from genui_core.domain.settings.llm_settings import GenerationMode
from genui_core.domain.validation.finding import MAX_BYTES, Block, Finding, ValidationReport
from genui_core.domain.validation.rule_match import RuleMatch, SourceText

END_MARKER = "<!--end-->"

_THOUGHTS = re.compile(r"<(think|thinking|reasoning|scratchpad)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_OPENING = re.compile(r"<(style|template|script)(\s[^<>]*)?>", re.IGNORECASE)
_TEMPLATE_TAG = re.compile(r"<(/?)template\b[^<>]*>", re.IGNORECASE)
_DOCUMENT = re.compile(r"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_ENDING = re.compile(r"<(/?script)\b|</html\s*>", re.IGNORECASE)
_FENCE = re.compile(r"^\s*```[\w-]*\s*$", re.MULTILINE)


@frozen(kw_only=True)
class Fragment:
    """The three blocks of a fragment, without their tags.

    Attributes:
        missing: The names of blocks that the answer lacks or does not finish.
    """

    style: str = ""
    template: str = ""
    script: str = ""
    missing: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The fragment as the wrapper stores it and shows it to the model."""
        return (
            f"<style>\n{self.style}\n</style>\n"
            f"<template>\n{self.template}\n</template>\n"
            f"<script>\n{self.script}\n</script>\n{END_MARKER}\n"
        )


def fragment_in(answer: str) -> Fragment | None:
    """Return the first fragment in an answer, or None if the answer has no template and no script.

    An unfinished block goes to the end of the answer, and its name is in ``missing``.
    """
    text = _FENCE.sub("", without_thoughts(answer, _OPENING))
    blocks: dict[str, str] = {}
    broken: list[str] = []
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        name = opening[1].lower()
        between = text[at : opening.start()]
        if name in blocks or (blocks and END_MARKER in between):
            break
        end, after = _end_of(name, text, opening.end())
        blocks[name] = text[opening.end() : end].strip("\n")
        if after is None:
            broken.append(name)
            break
        at = after
    if "script" not in blocks and "template" not in blocks:
        return None
    absent = [name for name in ("template", "script") if name not in blocks]
    return Fragment(missing=(*broken, *absent), **blocks)


def fragment_of(answer: str, repairing: ValidationReport | None) -> Fragment | None:
    """Return the fragment in an answer; if the answer repairs one block, the earlier view with that block."""
    found = fragment_in(answer)
    if repairing is None or repairing.broken is None:
        return found
    whole, name = fragment_in(repairing.source), repairing.broken.value
    block = block_in(answer, name)
    if block is None or whole is None:
        return None
    if found is not None and not found.missing:
        return found
    cut = f"</{name}" not in answer.lower()
    missing = {each for each in whole.missing if each != name} | ({name} if cut else set())
    return evolve(whole, missing=tuple(missing), **{name: block})


def round_trips(fragment: Fragment) -> bool:
    """Tell whether extraction finds the same fragment in its text; a repair may have removed an end tag."""
    found = fragment_in(fragment.text)
    return found is not None and _parts_of(found) == _parts_of(fragment)


def _parts_of(fragment: Fragment) -> tuple[str, ...]:
    return (fragment.style.strip(), fragment.template.strip(), fragment.script.strip())


def document_in(answer: str) -> str | None:
    """Return the first HTML document in an answer, or None if there is none.

    An unfinished document goes to the end of the answer, or to the next document.
    """
    text = without_thoughts(answer, _DOCUMENT)
    opening = _DOCUMENT.search(text)
    if opening is None:
        return None
    closing = _end_of_document(text, opening.start())
    following = _DOCUMENT.search(text, opening.end() + 200)
    if closing is not None:
        return text[opening.start() : closing]
    end = following.start() if following is not None else len(text)
    return text[opening.start() : end].rstrip().removesuffix("```").rstrip()


def block_in(answer: str, name: str) -> str | None:
    """Return the content of the first block of a name in an answer, or None if there is none."""
    text = _FENCE.sub("", without_thoughts(answer, _OPENING))
    opening = next((each for each in _OPENING.finditer(text) if each[1].lower() == name), None)
    if opening is None:
        return None
    end, _ = _end_of(name, text, opening.end())
    return text[opening.end() : end].strip("\n")


def without_thoughts(answer: str, view: re.Pattern[str]) -> str:
    """Return an answer without the thoughts before its view; the view may contain the same tags as text."""
    kept: list[str] = []
    at = 0
    while (thought := _THOUGHTS.search(answer, at)) is not None:
        if view.search(answer, at, thought.start()) is not None:
            break
        kept.append(answer[at : thought.start()])
        at = thought.end()
    return "".join((*kept, answer[at:]))


def _end_of_document(text: str, start: int) -> int | None:
    """Return the offset after the first ``</html>`` outside scripts, or else after the first one."""
    first: int | None = None
    in_script = False
    for tag in _ENDING.finditer(text, start):
        if tag[1] is not None:
            in_script = tag[1][0] != "/"
        elif not in_script:
            return tag.end()
        else:
            first = first or tag.end()
    return first


def _end_of(name: str, text: str, start: int) -> tuple[int, int | None]:
    """Return where a block's content ends, and where its end tag ends; None if it has no end tag."""
    if name == "template":
        return _end_of_template(text, start)
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, start)
    return (len(text), None) if closing is None else (closing.start(), closing.end())


def _end_of_template(text: str, start: int) -> tuple[int, int | None]:
    """Return the same for a template, which may contain templates."""
    depth = 1
    for tag in _TEMPLATE_TAG.finditer(text, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.start(), tag.end()
    return len(text), None


@frozen(kw_only=True)
class ValidationContext:
    """The settings of one validation.

    Attributes:
        callable_tools: The names of the tools that the view may call.
        nonce: The code of the prompt's fences, which no view may contain.
        strict: ``security.strict``: whether code made from text is an error or only a warning.
        repairing: The report on the earlier view, if the wrapper asked the model to repair one block
            of it. The answer replaces that block before validation.
        page_policy: Whether the page sets a Content-Security-Policy, which blocks pictures that a script
            loads from outside.
    """

    mode: GenerationMode
    callable_tools: frozenset[str]
    nonce: str
    strict: bool = True
    repairing: ValidationReport | None = None
    page_policy: bool = True


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
    """One search/replace block, and the offset of its first marker line in the answer."""

    search: str
    replacement: str
    start: int


def patchable_source(source: str, *, document: bool) -> str:
    """Return the text of a view that search/replace blocks apply to, or "" if the view cannot be patched.

    Args:
        source: The view as it is stored.
        document: Whether answers are documents. A view of the other kind, or with a marker line, gives "".
    """
    text = _NEWLINE.sub("\n", source)
    shown = text if document else _END.sub("", text)
    is_document = text.lstrip().lower().startswith(("<!doctype", "<html"))
    return "" if is_document is not document or _MARKER_LINE.search(text) else shown


def patched(answer: str, source: str) -> str | tuple[Finding, ...] | None:
    """Return the view after the search/replace blocks of an answer, or why they cannot be applied.

    Args:
        answer: The whole answer of the model.
        source: The view, as `patchable_source` returns it.

    Returns:
        The changed view; the findings, if a block is broken or has no single place; None if the answer
        has no block, in which case it may contain a whole view.
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
    return spliced(source, [(at, at + len(each.search), each.replacement) for at, each in places])


def _changes_in(text: str, start: int) -> tuple[list[Change], int | None]:
    """Return the blocks after an offset up to the first broken one, and the offset of that one or None."""
    changes: list[Change] = []
    markers = list(_MARKER_LINE.finditer(text, start))
    at = 0
    while at < len(markers):
        opening = markers[at]
        kinds = [each[0].rstrip() for each in markers[at : at + 3]]
        if kinds[0] == DIVIDER:  # a model may underline a heading between two blocks
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


def _places(changes: list[Change], source: str) -> tuple[list[tuple[int, Change]], list[RuleMatch]]:
    """Return each block with its offset, in the order of the view, and a match for each misplaced block."""
    places: list[tuple[int, Change]] = []
    rule_matches: list[RuleMatch] = []
    for each in changes:
        at = source.find(each.search)
        if at < 0:
            rule_matches.append(_rule_match("patch.missing", each))
        elif source.find(each.search, at + 1) >= 0:
            rule_matches.append(_rule_match("patch.ambiguous", each))
        else:
            places.append((at, each))
    places.sort(key=itemgetter(0))
    for (start, one), (next_start, other) in itertools.pairwise(places):
        if next_start < start + len(one.search):
            rule_matches.append(_rule_match("patch.overlapping", other))
    if not rule_matches and all(each.search == each.replacement for each in changes):
        rule_matches.append(_rule_match("patch.unchanged", changes[0]))
    return places, rule_matches


def _rule_match(rule: str, change: Change) -> RuleMatch:
    start = change.start + len(SEARCH) + 1
    return RuleMatch(rule, start, start + len(change.search))
