"""The frame of every page: its head, its Content-Security-Policy, and the escaping of embedded texts.

The head comes first and is plain, with the kit before anything that a model or a tool wrote: some hosts
put their policy behind the first text that looks like ``<head>``, others put the whole page into a body.

The Content-Security-Policy lets only the scripts run that the wrapper put into the page. Hosts set policies
of their own. A second policy can only narrow the first, so this one never gives a view more than its host
allows.
"""

import json
import re
from binascii import b2a_base64
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final

from attrs import Factory, evolve, frozen

from genui_core.domain.settings.settings import GrantedDomains

TEMPLATE_VERSION = "1"
"""The version of the page around a view, raised when a new page cannot use stored views."""
WITHOUT_POLICY: Final = frozenset({("document", "host")})
"""The pairs of mode and ``host.runtime`` without a policy: the host adds scripts for ``App``."""
CHARSET: Final = '<meta charset="utf-8">\n'
_META: Final = '<meta http-equiv="Content-Security-Policy" content="{text}">\n'
_NO_LOOKUPS: Final = '<meta http-equiv="x-dns-prefetch-control" content="off">\n'
_CHARSET_WITHIN: Final = 1024
"""Browsers look for the charset in the first 1,024 bytes of a file."""
_BEFORE_HEAD: Final = 200
_SOURCE: Final = re.compile(r"[!#-&(-+\--:<-~]+")
"""A valid source of a directive: printable ASCII without quotes, commas and semicolons."""

_MAX_TITLE_CHARACTERS = 200
ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
"""Escapes a text as `html.escape` does, whose module takes longer to load than a page to build."""

_KIT = """\
<script type="application/json" id="mcp-gen-ui-page">{data}</script>
<script{nonce}>{script}</script>"""
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
{policy}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
{kit}
{head}</head>
<body>
{body}</body>
</html>
"""

_STYLE_END: Final = re.compile(r"<(?=/style)", re.IGNORECASE)
_SCRIPT_END: Final = re.compile(r"<(?=/script|!--)", re.IGNORECASE)
_COMMENT_END: Final = re.compile("(^|[\n\r\u2028\u2029]|[*]/)([\\s\ufeff]*)-->")
"""Finds an HTML comment end at the beginning of a line, where it begins a comment in a script."""

_SHADOWED: Final = (
    "window", "self", "globalThis", "frames", "parent", "top", "opener", "frameElement", "event", "location",
    "navigation", "McpGenUi", "addEventListener", "removeEventListener", "dispatchEvent", "postMessage",
    "open",
)  # fmt: skip
"""The global names that lead to the window; in a model's code, the kit's values shadow them."""
_NAMES: Final = json.dumps(_SHADOWED, separators=(",", ":"))
_PARAMETERS: Final = ", ".join(_SHADOWED)


@frozen
class PagePolicy:
    """The policy of the pages of one wrapper.

    Attributes:
        granted: The domains of ``security``, which widen the policy.
        is_on: ``security.pagePolicy``; without it, a page has no policy of its own.
        nonce: The nonce of scripts that a page with a live view adds later; "" for every other page.
    """

    granted: GrantedDomains = Factory(GrantedDomains)
    is_on: bool = True
    nonce: str = ""

    def head(self, scripts: Iterable[str]) -> str:
        """Return how the head of a page begins: its policy and its charset.

        The policy comes first, unless it is so long that browsers would no longer find the charset.

        Args:
            scripts: The text of every script that may run, as it stands in the page.
        """
        if not self.is_on:
            return CHARSET
        meta = _META.format(text=self.text(scripts))
        both = (meta, CHARSET) if len(meta) < _CHARSET_WITHIN - _BEFORE_HEAD else (CHARSET, meta)
        return f"{''.join(both)}{_NO_LOOKUPS}"

    def text(self, scripts: Iterable[str]) -> str:
        """Return the policy for a page with these scripts, as the value of an attribute."""
        granted = self.granted
        resources = _sources(granted.resource)
        sources = {
            "default-src": (),
            "script-src": (
                *dict.fromkeys(map(_hash_source, scripts)),
                *([f"{_NONCE}{self.nonce}'"] if self.nonce else ()),
            ),
            "style-src": ("'unsafe-inline'", *resources),
            "img-src": ("data:", *resources),
            "media-src": ("data:", *resources),
            "font-src": ("data:", *resources),
            "connect-src": _sources(granted.connect),
            "frame-src": _sources(granted.frame),
            "worker-src": (),
            "form-action": (),
            "base-uri": _sources(granted.base_uri),
        }
        text = "; ".join(f"{name} {' '.join(given) or _NONE}" for name, given in sources.items())
        return text.replace("&", "&amp;")


def policy_of(page: str) -> PagePolicy:
    """Return the policy that a page states; callers must compare its text with that of a rebuilt page."""
    meta = re.search(_STATED, page)
    if meta is None:
        return PagePolicy(is_on=False)
    directives = [each.split() for each in meta[1].replace("&amp;", "&").split(";")]
    stated = {each[0]: each[1:] for each in directives if each}

    def domains(directive: str) -> tuple[str, ...]:
        return tuple(each for each in stated.get(directive, ()) if each not in _OWN_SOURCES)

    granted = GrantedDomains(
        connect=domains("connect-src"),
        resource=domains("img-src"),
        frame=domains("frame-src"),
        base_uri=domains("base-uri"),
    )
    nonces = [each for each in stated.get("script-src", ()) if each.startswith(_NONCE)]
    return PagePolicy(granted, nonce=nonces[0][len(_NONCE) : -1] if nonces else "")


_NONE: Final = "'none'"
_NONCE: Final = "'nonce-"
_OWN_SOURCES: Final = frozenset({_NONE, "data:"})
_STATED: Final = f"<head>\n(?:{CHARSET})?" + _META.format(text='([^"<>]*)')
CLOSED: Final = _META.format(
    text=f"default-src {_NONE}; style-src 'unsafe-inline'; form-action {_NONE}; base-uri {_NONE}"
)
"""The policy of a page without any script."""


def _sources(domains: Iterable[str]) -> tuple[str, ...]:
    return tuple(each for each in domains if _SOURCE.fullmatch(each))


@lru_cache(maxsize=16)
def _hash_source(script: str) -> str:
    """Return the source that allows a script in a policy: SHA-256 over its text as HTML parsers read it."""
    text = script.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    digest = sha256(text.encode(errors="replace")).digest()
    return f"'sha256-{b2a_base64(digest, newline=False).decode()}'"


@frozen
class PageNeeds:
    """The parts of the view kit that a page needs besides the common ones.

    Attributes:
        any_schema: Forms and labels for schemas that are not plain (see `has_plain_schemas`).
        written: The code that draws views that a model wrote.
        likeness: The parts that draw a familiar object (``view/src/likeness``), which few views use.
        live: The code that replaces the present view with another one (``view/src/live``).
        chat: The code that uses the chat around the page (``view/src/chat``).
        files: The code that puts a file into a base64 field (``view/src/files``); no plain schema has one.
    """

    any_schema: bool = True
    written: bool = True
    likeness: bool = False
    live: bool = False
    chat: bool = False
    files: bool = False


ALL_NEEDS: Final = tuple(
    evolve(PageNeeds(any_schema, *more), chat=chat, files=files)
    for chat in (False, True)
    for any_schema, files in ((False, False), (True, False), (True, True))
    for more in ((False,), (True,), (True, True), (True, False, True), (True, True, True))
)
"""Every combination of parts for which the kit is built, the smallest build first."""


@frozen
class PageParts:
    """The texts of the view kit in a page.

    Attributes:
        style: The style sheet.
        script: The script.
        document_script: The script of a document that does not import the kit.
    """

    style: str
    script: str
    document_script: str

    def with_script(self, standalone_script: str) -> "PageParts":
        """Return the parts for a standalone page: each script followed by this one."""
        both = (f"{script}\n{standalone_script}" for script in (self.script, self.document_script))
        return PageParts(self.style, *both)


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
        data: The page's data, as ``page_data`` returns it.
        kit: The parts of the kit, which stand in the head.
        policy: The policy of the page.
        head: Markup that comes after the kit.
        body: Markup that comes before the scripts.
        scripts: The scripts that start the view; none may contain the end of its element.
    """
    return _PAGE.format(
        policy=policy.head((kit.script, *scripts)),
        title=title_text(title),
        style=kit.style,
        kit=kit_scripts(data, kit.script, policy.nonce),
        head=head,
        body=body + "".join(f"<script>{each}</script>\n" for each in scripts),
    )


def kit_scripts(data: str, script: str, nonce: str = "") -> str:
    """Return the script elements of the page's data and of the kit's script, which reads the data."""
    return _KIT.format(data=data, script=script, nonce=f' nonce="{nonce}"' if nonce else "")


def title_text(text: str) -> str:
    """Return a text escaped for a title, on one line and cut to 200 characters."""
    printable = "".join(each if each.isprintable() else " " for each in text[:_MAX_TITLE_CHARACTERS])
    return (printable if len(text) <= _MAX_TITLE_CHARACTERS else f"{printable}…").translate(ESCAPES)


def json_in_script(value: object) -> str:
    """Return JSON in ASCII without ``<``, so that it cannot close its element or open a comment.

    An infinite number (``1e999``), which JSON cannot express, becomes null: as a bound, it limits nothing.
    """
    try:
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        finite = json.loads(json.dumps(value), parse_constant=lambda _word: None)
        text = json.dumps(finite, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def text_in_style(style: str) -> str:
    """Return a style sheet that cannot close its element; strings and URLs in it keep their meaning."""
    return _STYLE_END.sub(r"\\3c ", style)


def shadowed_script(start: str, script: str, end: str = "", *, is_async: bool = False) -> str:
    """Return a script whose code cannot reach the window: it is the body of a function in a function.

    That holds only for a script that parses by itself: the validator refuses any other.

    Args:
        start: The function of the kit that takes the names and the outer function.
        script: The script that a model wrote.
        end: The code that follows it in the inner function.
        is_async: Whether the script may use ``await`` at its top level, as a module may.
    """
    kind = "async function" if is_async else "function"
    code = f'function ({_PARAMETERS}) {{ "use strict"; return {kind} () {{'
    return f"{start}({_NAMES}, {code}{text_in_script(script)}\n{end}}}(); }});"


def text_in_script(script: str) -> str:
    """Return a script that can neither close its element nor open an HTML comment in it.

    Strings, templates and patterns keep their meaning. Where such text stands elsewhere, the script no longer
    parses; unchanged, it would have broken its page.
    """
    return _COMMENT_END.sub(r"\1\2--\\x3e", _SCRIPT_END.sub(r"\\x3c", script))
