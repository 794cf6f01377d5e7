"""The page of a view that is a whole document: what the model wrote, with what it imports put in.

No host resolves the imports, so the page brings a script that sets a global, and the document's own
scripts read from that. What parses documents has worked out a plan before, in a process of its own.
"""

from typing import Final

from genui_core.domain.document_plan import DocumentPlan, PlannedScript
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
        policy: The policy of the page, if such a page has one.
    """
    if plan is None:
        from genui_core.domain.validation.document_planning import document_plan  # noqa: PLC0415 -- brings parsers

        plan = document_plan(source)
    brought = _brought(data, kit, with_kit=plan.uses_kit, with_runtime=runtime == "inline")
    if not policy.is_in("document", runtime):
        return _PAGE.format(
            attributes=plan.attributes, policy=CHARSET, brought=brought, rest=plan.rest(source, runtime)
        )
    scripts: list[str] = []

    def shadowed(script: str, planned: PlannedScript) -> str:
        scripts.append(shadowed_script("McpGenUi.run", script, is_async=planned.is_module))
        return scripts[-1]

    rest = plan.rest(source, runtime, shadowed)
    head = policy.head((kit.script if plan.uses_kit else kit.document_script, _PREPARE, *scripts))
    return _PAGE.format(attributes=plan.attributes, policy=head, brought=brought, rest=rest)


def _brought(data: str, kit: PageParts, *, with_kit: bool, with_runtime: bool) -> str:
    """Return what makes packages importable."""
    if not (with_kit or with_runtime):
        return ""
    style = _STYLE.format(style=kit.style) if with_kit else ""
    scripts = kit_scripts(data, kit.script if with_kit else kit.document_script)
    return f"{style}{scripts}\n" + (_PREPARED if with_runtime else "")
