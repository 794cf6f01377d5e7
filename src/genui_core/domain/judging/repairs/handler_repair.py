"""Turns handlers that are a plain call, or only prevent what would happen, into listeners."""

import html
import re
from collections.abc import Iterator
from typing import Final

from genui_core.domain.judging.markup.attributes import is_handler
from genui_core.domain.judging.markup.document_parts import InlineScript
from genui_core.domain.judging.markup.source import MarkupReport
from genui_core.domain.judging.markup.tags import tag_at

_ARGUMENT: Final = (
    r"""(?:'[^'"\\<>\n]*'|"[^'"\\<>\n]*"|-?\d{1,15}(?:\.\d{1,15})?|true|false|null|this|event)"""
)
_PLAIN_CALL: Final = re.compile(
    rf"""\s*=\s*["']?\s*([A-Za-z_$][\w$]*)\(\s*((?:{_ARGUMENT}(?:\s*,\s*{_ARGUMENT})*)?)\s*\)\s*;?\s*["']?"""
)
_PREVENTION: Final = re.compile(
    r"""\s*=\s*["']?\s*(?:return\s+false|event\.preventDefault\(\s*\))\s*;?\s*["']?"""
)
_MARK: Final = "data-listener-"

Edit = tuple[int, int, str]


def with_listeners(source: str, markup: MarkupReport, script: InlineScript, names: frozenset[str]) -> str:
    """Let a document's script listen where a handler is as plain as a call of one of its functions."""
    edits, statements = _moved(source, markup, names)
    at = script.start + len(script.text)
    return _edited(source, [*edits, (at, at, statements)])


def with_listeners_in(
    template: str, markup: MarkupReport, script: str, names: frozenset[str]
) -> tuple[str, str]:
    """Do the same to the template and the script of a fragment, which runs when the template stands in the page."""
    edits, statements = _moved(template, markup, names)
    return _edited(template, edits), f"{script}\n{statements}".strip("\n")


def _moved(source: str, markup: MarkupReport, names: frozenset[str]) -> tuple[list[Edit], str]:
    """Return the edits that mark elements in the place of their handlers, and the statements that listen there."""
    edits: list[Edit] = []
    statements: list[str] = []
    serial = source.count(_MARK)
    for begin, end, event, listener in _listeners(source, markup, names):
        serial += 1
        edits.append((begin, end, f" {_MARK}{serial}"))
        statements.append(
            f'document.querySelector("[{_MARK}{serial}]").addEventListener("{event}", {listener});\n'
        )
    return edits, "".join(statements)


def _edited(source: str, edits: list[Edit]) -> str:
    for begin, end, text in sorted(edits, reverse=True):
        source = source[:begin] + text + source[end:]
    return source


def _listeners(
    source: str, markup: MarkupReport, names: frozenset[str]
) -> Iterator[tuple[int, int, str, str]]:
    for start in sorted({each.start for each in markup.sightings if each.rule == "handler.inline"}):
        tag = tag_at(source, start)
        for name, begin, end in tag.attributes if tag is not None else ():
            written = html.unescape(source[begin:end].strip()[len(name) :])
            listener = _listener(written, names) if is_handler(name) else ""
            if listener:
                yield begin, end, name.removeprefix("on"), listener


def _listener(written: str, names: frozenset[str]) -> str:
    """Return the function that does what a handler does; "" where the handler is not as plain as that."""
    if _PREVENTION.fullmatch(written) is not None:
        return "(event) => event.preventDefault()"
    call = _PLAIN_CALL.fullmatch(written)
    if call is None or call[1] not in names:
        return ""
    given = re.sub(_ARGUMENT, _in_listener, call[2])
    return f"({'event' if given else ''}) => {call[1]}({given})"


def _in_listener(argument: re.Match[str]) -> str:
    return "event.currentTarget" if argument[0] == "this" else argument[0]
