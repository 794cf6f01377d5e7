"""The page of a view that is a whole document: what the model wrote, with what it imports put in.

No host resolves the imports, so the page brings a script that sets a global, and the document's own
scripts read from that.
"""

import re
from collections.abc import Mapping
from html import escape
from typing import Final

from genui_core.domain.judging.markup.document_parts import InlineScript, inline_scripts
from genui_core.domain.judging.markup.elements import Element
from genui_core.domain.judging.markup.source import MarkupReport, read_markup
from genui_core.domain.judging.markup.tags import tag_at
from genui_core.domain.judging.script.bound_imports import imported_packages, with_bound_imports
from genui_core.domain.judging.script.imports import APP_PACKAGE, KIT_PACKAGE
from genui_core.domain.page_frame import PageParts, kit_scripts
from genui_core.domain.settings import HostRuntime

_GLOBAL: Final = "globalThis.McpGenUi"
_PAGE: Final = """\
<!DOCTYPE html>
<html{attributes}>
<head>
<meta charset="utf-8">
{brought}{rest}"""
# The document's own style stands in no layer, and so it holds where both say something.
_STYLE: Final = "<style>@layer mcp-gen-ui{{{style}}}</style>\n"
_PREPARED: Final = "<script>McpGenUi.prepareDocument();</script>\n"
_DOCTYPE: Final = re.compile(r"\s*<!doctype[^>]*>", re.IGNORECASE)
_ATTRIBUTE_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


def document_page(data: str, kit: PageParts, source: str, runtime: HostRuntime = "inline") -> str:
    """Return the page of a document.

    Its head comes first and is plain, whatever the document begins with: hosts look for it to put their
    policy there, and nothing that a model wrote may stand before that.

    Args:
        data: What ``page_data`` returned.
        kit: What is put in.
        source: The document.
        runtime: ``host`` leaves the import of ``App`` to a host that resolves it.
    """
    markup = read_markup(source, document=True)
    modules = [each for each in inline_scripts(markup, source) if each.is_module]
    imported = frozenset[str]().union(*(imported_packages(each.text) for each in modules))
    packages = imported & {KIT_PACKAGE} | ({APP_PACKAGE} if runtime == "inline" else frozenset())
    return _PAGE.format(
        attributes=_html_attributes(markup),
        brought=_brought(data, kit, packages),
        rest=_rest(source, markup, modules, packages),
    )


def _brought(data: str, kit: PageParts, packages: frozenset[str]) -> str:
    """Return what makes packages importable."""
    if not packages:
        return ""
    with_kit = KIT_PACKAGE in packages
    style = _STYLE.format(style=kit.style) if with_kit else ""
    scripts = kit_scripts(data, kit.script if with_kit else kit.document_script)
    return f"{style}{scripts}\n" + (_PREPARED if APP_PACKAGE in packages else "")


def _rest(source: str, markup: MarkupReport, modules: list[InlineScript], packages: frozenset[str]) -> str:
    """Return the document from the content of its head on, its imports bound."""
    head = _written(markup, "head")
    begin = _end_of(source, head) or _end_of(source, _written(markup, "html")) or _end_of_doctype(source)
    for each in reversed(modules):
        source = each.replaced(source, with_bound_imports(each.text, packages, _GLOBAL))
    return source[begin:] if head is not None else f"</head>{source[begin:]}"


def _html_attributes(markup: MarkupReport) -> str:
    """Return the attributes of the html element, written so that nothing in them looks like a tag."""
    whole = _written(markup, "html")
    given: Mapping[str, str] = {} if whole is None else whole.attributes
    named = {name: value for name, value in given.items() if _ATTRIBUTE_NAME.fullmatch(name)}
    return "".join(f' {name}="{escape(value)}"' for name, value in ({"lang": "en"} | named).items())


def _written(markup: MarkupReport, name: str) -> Element | None:
    return next((each for each in markup.elements if each.name == name and each.start is not None), None)


def _end_of(source: str, element: Element | None) -> int:
    tag = None if element is None or element.start is None else tag_at(source, element.start)
    return 0 if tag is None else tag.end


def _end_of_doctype(source: str) -> int:
    doctype = _DOCTYPE.match(source)
    return 0 if doctype is None else doctype.end()
