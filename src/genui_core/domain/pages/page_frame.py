"""What every page of a tool begins with: its head, its policy, and the texts in it that nothing can end.

The head comes first and is plain, with the kit before anything that a model or a tool wrote: some hosts
put their policy behind the first text that looks like ``<head>``, others put all of it into a body.

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

WITHOUT_POLICY: Final = frozenset({("document", "host")})
"""The mode of a view and ``host.runtime``, where its page has no policy: the host brings ``App`` in scripts of its own."""
CHARSET: Final = '<meta charset="utf-8">\n'
_META: Final = '<meta http-equiv="Content-Security-Policy" content="{text}">\n'
_NO_LOOKUPS: Final = '<meta http-equiv="x-dns-prefetch-control" content="off">\n'
_CHARSET_WITHIN: Final = 1024
"""Browsers look for the charset in the first 1,024 bytes of a file."""
_BEFORE_HEAD: Final = 200
_SOURCE: Final = re.compile(r"[!#-&(-+\--:<-~]+")
"""What one source of a directive may hold: printable ASCII without quotes, commas and semicolons."""

_MAX_TITLE_CHARACTERS = 200

_HEAD = """\
{policy}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
{kit}
"""
_KIT = """\
<script type="application/json" id="mcp-gen-ui-page">{data}</script>
<script{nonce}>{script}</script>"""
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
    "window", "self", "globalThis", "frames", "parent", "top", "opener", "frameElement", "event", "location",
    "navigation", "McpGenUi", "addEventListener", "removeEventListener", "dispatchEvent", "postMessage",
    "open",
)  # fmt: skip
"""The global names that lead to the window: code that a model wrote sees what the kit puts in their place."""
_NAMES: Final = json.dumps(_SHADOWED, separators=(",", ":"))
_PARAMETERS: Final = ", ".join(_SHADOWED)


@frozen
class PagePolicy:
    """The policy of the pages of one wrapper.

    Attributes:
        granted: The domains of ``security``; each widens the directives that it is about.
        is_on: ``security.pagePolicy``; without it, a page has no policy of its own.
        nonce: What scripts carry that a page with a live view adds later; "" for every other page.
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
    """Return the policy that a page states; its text must be compared with that of the page built again."""
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
    """Return what names a script in a policy: SHA-256 over its text as HTML parsers read it."""
    text = script.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    digest = sha256(text.encode(errors="replace")).digest()
    return f"'sha256-{b2a_base64(digest, newline=False).decode()}'"


@frozen
class PageNeeds:
    """What a page needs besides what every page has.

    Attributes:
        any_schema: Forms and labels for schemas that are not plain (``plain_schema``).
        written: What views that a model wrote are drawn with.
        likeness: The parts that draw a thing as people know it (``view/src/likeness``), which few views name.
        live: What puts another view in the place of the present one (``view/src/live``).
        chat: What a page does with the chat around it (``view/src/chat``).
        files: What puts a file into a field for base64 (``view/src/files``); no plain schema has one.
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
"""Every combination, the smallest build first."""


@frozen
class PageParts:
    """The part of a view kit that a page carries.

    Attributes:
        style: The style sheet.
        script: The script.
        document_script: The script of a document that does not import the kit.
    """

    style: str
    script: str
    document_script: str

    def with_script(self, standalone_script: str) -> "PageParts":
        """Return the parts of a page that leaves the wrapper: each script followed by this one."""
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
        kit=kit_scripts(data, kit.script, policy.nonce),
    )
    started = "".join(f"<script>{each}</script>\n" for each in scripts)
    return _PAGE.format(head=begun + head, body=body + started)


def kit_scripts(data: str, script: str, nonce: str = "") -> str:
    """Return the script elements that make the kit's global: the page's data, and a script of the kit, which reads it."""
    return _KIT.format(data=data, script=script, nonce=f' nonce="{nonce}"' if nonce else "")


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
