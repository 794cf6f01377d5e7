"""Names and strings as they are meant: without their escapes."""

import re
from typing import Final

from genui_core.domain.validation.script.tree import Node, ScriptTree

_ESCAPE = re.compile(
    r"\\(u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[0-7]{1,3}|\r\n|.)", re.DOTALL | re.IGNORECASE
)
_SHORT: Final = dict(
    zip("ntrbfv\n\r\u2028\u2029", ["\n", "\t", "\r", "\b", "\f", "\v", "", "", "", ""], strict=True)
)
_LAST_CHARACTER: Final = 0x10FFFF


def unescaped(text: str) -> str:
    """Return what a string literal, a template or a name means."""
    return _ESCAPE.sub(_meaning, text) if "\\" in text else text


def name_of(tree: ScriptTree, node: Node) -> str:
    """Return the name that an identifier or a property stands for."""
    if node.name is None:
        node.name = unescaped(tree.text(node))
    return node.name


def _meaning(escape: re.Match[str]) -> str:
    what = escape[1]
    if what[0] in "xu" and len(what) > 1:
        return _character(int(what[1:].strip("{}"), 16))
    if what[0] in "01234567":
        return _character(int(what, 8))
    return _SHORT.get(what, "" if what == "\r\n" else what)


def _character(code: int) -> str:
    return chr(code) if code <= _LAST_CHARACTER else "\ufffd"
