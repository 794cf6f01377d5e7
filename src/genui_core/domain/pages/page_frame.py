"""What every page of a tool begins with, and the texts that stand in it where nothing can end them.

The head comes first and is plain, with the kit before anything that a model or a tool wrote: some hosts
put their policy behind the first text that looks like ``<head>``, others put all of it into a body.
"""

import json
import re
from collections.abc import Sequence
from typing import Final, Protocol

from attrs import frozen

from genui_core.domain.pages.page_policy import PagePolicy

_MAX_TITLE_CHARACTERS = 200

_HEAD = """\
{policy}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
{kit}
"""
_KIT = """\
<script type="application/json" id="mcp-gen-ui-page">{data}</script>
<script>{script}</script>"""
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
{head}</head>
<body>
{body}</body>
</html>
"""

_STYLE_END: Final = re.compile(r"<(?=/style)", re.IGNORECASE)
_SCRIPT_END: Final = re.compile(r"<(?=/script|!--)", re.IGNORECASE)
_COMMENT_END: Final = re.compile("(^|[\n\r\u2028\u2029]|[*]/)([\\s\ufeff]*)-->")
"""Where an end of an HTML comment makes a comment in a script: at the beginning of a line."""

_SHADOWED: Final = (
    "window",
    "self",
    "globalThis",
    "frames",
    "parent",
    "top",
    "opener",
    "frameElement",
    "event",
    "location",
    "navigation",
    "McpGenUi",
    "addEventListener",
    "removeEventListener",
    "dispatchEvent",
    "postMessage",
    "open",
)
"""The global names that lead to the window: code that a model wrote sees what the kit puts in their place."""
_NAMES: Final = json.dumps(_SHADOWED, separators=(",", ":"))
_PARAMETERS: Final = ", ".join(_SHADOWED)


@frozen
class PageNeeds:
    """What a page needs besides what every page has.

    Attributes:
        any_schema: Forms and labels for schemas that are not plain (``plain_schema``).
        written: What views that a model wrote are drawn with.
    """

    any_schema: bool = True
    written: bool = True


ALL_NEEDS: Final = tuple(
    PageNeeds(any_schema, written) for any_schema in (False, True) for written in (False, True)
)
"""Every combination, the smallest build first."""


class PageParts(Protocol):
    """The part of a view kit that a page carries."""

    @property
    def style(self) -> str:
        """The style sheet."""
        ...

    @property
    def script(self) -> str:
        """The script."""
        ...

    @property
    def document_script(self) -> str:
        """The script of a document that does not import the kit."""
        ...


def tool_page(
    title: str,
    data: str,
    kit: PageParts,
    *,
    policy: PagePolicy,
    head: str = "",
    body: str = "",
    scripts: Sequence[str],
) -> str:
    """Return a page with the frame that the kit draws around a tool.

    Args:
        title: Any text.
        data: What ``page_data`` returned.
        kit: What stands in the head.
        policy: The policy of the page.
        head: Markup that comes after the kit.
        body: Markup that comes before the scripts.
        scripts: The scripts that start the view, none of which can end its element.
    """
    begun = _HEAD.format(
        policy=policy.head((kit.script, *scripts)),
        title=title_text(title),
        style=kit.style,
        kit=kit_scripts(data, kit.script),
    )
    started = "".join(f"<script>{each}</script>\n" for each in scripts)
    return _PAGE.format(head=begun + head, body=body + started)


def kit_scripts(data: str, script: str) -> str:
    """Return the script elements that make the kit's global: the page's data, and a script of the kit, which reads it."""
    return _KIT.format(data=data, script=script)


def title_text(text: str) -> str:
    """Return a text for a title, of a length that fits one."""
    from html import escape  # noqa: PLC0415 -- brings a table of all entities, which no list of tools needs

    printable = "".join(each if each.isprintable() else " " for each in text[:_MAX_TITLE_CHARACTERS])
    return escape(printable if len(text) <= _MAX_TITLE_CHARACTERS else f"{printable}…")


def json_in_script(value: object) -> str:
    """Return JSON of nothing but ASCII, without ``<``: no byte of it can close its element or open a comment.

    A number beyond all numbers (``1e999``), for which JSON has no word, is null: it bounds nothing.
    """
    try:
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        finite = json.loads(json.dumps(value), parse_constant=lambda _word: None)
        text = json.dumps(finite, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def text_in_style(style: str) -> str:
    """Return a style sheet that cannot close its element; in strings and addresses it says the same."""
    return _STYLE_END.sub(r"\\3c ", style)


def shadowed_script(start: str, script: str, end: str = "", *, is_async: bool = False) -> str:
    """Return a script whose code sees no way to the window: it is the body of a function in a function.

    That holds for a script that parses by itself, and only for that: the validator refuses any other.

    Args:
        start: The function of the kit that takes the names and the outer function.
        script: What a model wrote.
        end: What follows it in the inner function.
        is_async: Whether the script may wait at its top, as a module may.
    """
    kind = "async function" if is_async else "function"
    code = f'function ({_PARAMETERS}) {{ "use strict"; return {kind} () {{'
    return f"{start}({_NAMES}, {code}{text_in_script(script)}\n{end}}}(); }});"


def text_in_script(script: str) -> str:
    """Return a script that can neither close its element nor open a comment in it, in HTML's way of comments.

    In strings, templates and patterns it says the same. Elsewhere it no longer parses, where it would have
    broken its page.
    """
    return _COMMENT_END.sub(r"\1\2--\\x3e", _SCRIPT_END.sub(r"\\x3c", script))
