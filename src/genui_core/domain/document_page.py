"""The page of a view that is a whole document: what the model wrote, with what it imports put in.

No host resolves the imports, so the page brings a script that sets a global, and the document's own
scripts read from that. What parses documents has worked out a plan before, in a process of its own.
"""

from typing import Final

from genui_core.domain.document_plan import DocumentPlan
from genui_core.domain.page_frame import PageParts, kit_scripts
from genui_core.domain.settings import HostRuntime

_PAGE: Final = """\
<!DOCTYPE html>
<html{attributes}>
<head>
<meta charset="utf-8">
{brought}{rest}"""
# The document's own style stands in no layer, and so it holds where both say something.
_STYLE: Final = "<style>@layer mcp-gen-ui{{{style}}}</style>\n"
_PREPARED: Final = "<script>McpGenUi.prepareDocument();</script>\n"


def document_page(
    data: str, kit: PageParts, source: str, runtime: HostRuntime = "inline", plan: DocumentPlan | None = None
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
    """
    if plan is None:
        from genui_core.domain.judging.document_planning import document_plan  # noqa: PLC0415 -- brings parsers

        plan = document_plan(source)
    brought = _brought(data, kit, with_kit=plan.uses_kit, with_runtime=runtime == "inline")
    return _PAGE.format(attributes=plan.attributes, brought=brought, rest=plan.rest(source, runtime))


def _brought(data: str, kit: PageParts, *, with_kit: bool, with_runtime: bool) -> str:
    """Return what makes packages importable."""
    if not (with_kit or with_runtime):
        return ""
    style = _STYLE.format(style=kit.style) if with_kit else ""
    scripts = kit_scripts(data, kit.script if with_kit else kit.document_script)
    return f"{style}{scripts}\n" + (_PREPARED if with_runtime else "")
