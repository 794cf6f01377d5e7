"""The page of a view that is a whole document: what the model wrote, with what it imports put in.

No host resolves the imports, so the page brings a script that sets a global, and the document's own
scripts read from that. What parses documents has worked out a plan before, in a process of its own.
"""

import re
from collections.abc import Iterator
from typing import Final

from genui_core.domain.document_plan import DocumentPlan
from genui_core.domain.page_frame import PageParts, kit_scripts, shadowed_script
from genui_core.domain.page_policy import CHARSET, PagePolicy
from genui_core.domain.settings import HostRuntime

_PAGE: Final = """\
<!DOCTYPE html>
<html{attributes}>
<head>
{policy}{brought}{rest}"""
# The document's own style stands in no layer, and so it holds where both say something.
_STYLE: Final = "<style>@layer mcp-gen-ui{{{style}}}</style>\n"
_PREPARE: Final = "McpGenUi.prepareDocument();"
_PREPARED: Final = f"<script>{_PREPARE}</script>\n"
_DEFAULT_POLICY: Final = PagePolicy()
_TAG: Final = re.compile(
    r"""<!--(?:-?>|.*?(?:--!?>|\Z))"""
    r"""|<(?P<name>[a-z][^\s/>]*+)(?P<attributes>(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*+)?)?)*+)[\s/]*+>""",
    re.DOTALL | re.IGNORECASE,
)
"""A comment, or a start tag."""
_WITH_TEXT: Final = frozenset(
    {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"}
)
"""The elements whose content is text up to their end tag."""
_ATTRIBUTE: Final = re.compile(r"""([^\s/>][^\s/>=]*+)(?:\s*+=\s*+("[^"]*"|'[^']*'|[^\s>]*+))?""")
_EXPORT: Final = re.compile(
    r"(?P<before>^|[;}])(?P<space>[ \t]*)export(?:"
    r"[ \t]*(?P<list>\{[\w$\s,]*\})"
    r"|[ \t]+(?=(?:const|let|var|async|function|class)\b)"
    r"|[ \t]+default[ \t]+(?:"
    r"(?P<declared>(?=(?:async[ \t]+)?function(?:[ \t]+|[ \t]*\*[ \t]*)[\w$]|class[ \t]+(?!extends\b)[\w$]))"
    r"|(?P<unnamed>(?:async[ \t]+)?function[ \t]*\*?(?=[ \t]*\()|class(?=[ \t]*\{|[ \t]+extends\b))"
    r"|(?P<value>(?=async(?:[ \t]*\(|[ \t]+(?!function\b)[\w$]+[ \t]*=>)|(?!(?:async|function|class)\b)[\w$({\[\"'`+!~-]))))",
    re.MULTILINE,
)
"""What exports something, which nobody imports: a module is the body of a function.

Each is replaced by a statement of its kind, so that what follows is read as it was: a slash that began a pattern does
not divide. What is none of these stays, and the script does not parse.
"""
_EXPORTED: Final = "default_of_the_module"
_RUN: Final = re.compile(r"|module|(text|application)/(x-)?(java|ecma)script")
"""The kinds of scripts that browsers run, less some that nobody writes any more."""


def document_page(
    data: str,
    kit: PageParts,
    source: str,
    runtime: HostRuntime = "inline",
    plan: DocumentPlan | None = None,
    policy: PagePolicy = _DEFAULT_POLICY,
) -> str:
    """Return the page of a document.

    Its head comes first and is plain, whatever the document begins with: hosts look for it to put their
    policy there, and nothing that a model wrote may stand before that.

    Args:
        data: What ``page_data`` returned.
        kit: What is put in.
        source: The document.
        runtime: ``host`` leaves the import of ``App`` to a host that resolves it.
        plan: How the document goes in; without one the document is parsed here and now.
        policy: The policy of the page. A page whose ``App`` the host brings has none: the host brings it in
            scripts of its own.
    """
    if plan is None:
        from genui_core.domain.judging.document_planning import document_plan  # noqa: PLC0415 -- brings parsers

        plan = document_plan(source)
    brought = _brought(data, kit, with_kit=plan.uses_kit, with_runtime=runtime == "inline")
    rest = plan.rest(source, runtime)
    head = CHARSET
    if runtime == "inline" and policy.is_on:
        rest, scripts = _with_shadowed_scripts(rest)
        head = policy.head((kit.script if plan.uses_kit else kit.document_script, _PREPARE, *scripts))
    return _PAGE.format(attributes=plan.attributes, policy=head, brought=brought, rest=rest)


def _with_shadowed_scripts(markup: str) -> tuple[str, list[str]]:
    """Return a document whose scripts see no way to the window, and these scripts.

    It does not parse as browsers do. A script that it misses is none that the policy allows, and does not run.
    """
    parts: list[str] = []
    scripts: list[str] = []
    kept = 0
    for start, end, kind in _scripts(markup):
        text = _EXPORT.sub(_unexported, markup[start:end]) if kind == "module" else markup[start:end]
        script = shadowed_script("McpGenUi.run", text, is_async=kind == "module")
        parts += (markup[kept:start], script)
        scripts.append(script)
        kept = end
    return "".join((*parts, markup[kept:])), scripts


def _scripts(markup: str) -> Iterator[tuple[int, int, str]]:
    """Yield where the text of each script stands, and the kind of script."""
    at = 0
    while (tag := _TAG.search(markup, at)) is not None:
        at = tag.end()
        name = (tag["name"] or "").lower()
        if name in _WITH_TEXT:
            closing = re.compile(rf"</{name}(?=[\s/>])|\Z", re.IGNORECASE).search(markup, at)
            end = len(markup) if closing is None else closing.start()
            if name == "script" and _RUN.fullmatch(kind := _kind_of(tag["attributes"])):
                yield at, end, kind
            at = end


def _unexported(export: re.Match[str]) -> str:
    if export["list"] is not None:
        statement = ";"
    elif export["unnamed"] is not None:
        statement = f"{export['unnamed']} {_EXPORTED} "
    else:
        statement = "" if export["value"] is None else f"const {_EXPORTED} = "
    return f"{export['before']}{export['space']}{statement}"


def _kind_of(attributes: str) -> str:
    """Return the kind of a script, in lower case; "" for the usual one."""
    given = next((each for each in _ATTRIBUTE.finditer(attributes) if each[1].lower() == "type"), None)
    return "" if given is None else (given[2] or "").strip("\"'").strip().lower()


def _brought(data: str, kit: PageParts, *, with_kit: bool, with_runtime: bool) -> str:
    """Return what makes packages importable."""
    if not (with_kit or with_runtime):
        return ""
    style = _STYLE.format(style=kit.style) if with_kit else ""
    scripts = kit_scripts(data, kit.script if with_kit else kit.document_script)
    return f"{style}{scripts}\n" + (_PREPARED if with_runtime else "")
