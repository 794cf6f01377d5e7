"""The page of a view that a model wrote: a fragment in the frame of the kit, or a whole document (design VIEW).

What is stored is what the model wrote; kit and frame come around it whenever it is served.
"""

from typing import Final

from genui_core.domain.pages.minimal_view import minimal_page
from genui_core.domain.pages.page_frame import (
    CHARSET,
    PageParts,
    PagePolicy,
    json_in_script,
    kit_scripts,
    shadowed_script,
    text_in_style,
    tool_page,
)
from genui_core.domain.settings.settings import GenerationMode, HostRuntime
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.document_plan import DocumentPlan, PlannedScript
from genui_core.domain.validation.extraction import Fragment, fragment_in

_DEFAULT_POLICY = PagePolicy()
_PAGE: Final = """\
<!DOCTYPE html>
<html{attributes}>
<head>
{policy}{brought}{rest}"""
# The document's own style stands in no layer, and so it holds where both say something.
_DOCUMENT_STYLE: Final = "<style>@layer mcp-gen-ui{{{style}}}</style>\n"
_PREPARE: Final = "McpGenUi.prepareDocument();"
_PREPARED: Final = f"<script>{_PREPARE}</script>\n"


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
    style = _DOCUMENT_STYLE.format(style=kit.style) if with_kit else ""
    scripts = kit_scripts(data, kit.script if with_kit else kit.document_script)
    return f"{style}{scripts}\n" + (_PREPARED if with_runtime else "")


_STYLE = "<style>{style}</style>\n"
_TEMPLATE = """\
<script type="application/json" id="mcp-gen-ui-template">{template}</script>
"""
_START = "McpGenUi.startFragmentView();"


def view_page(
    tool: Tool,
    data: str,
    kit: PageParts,
    source: str,
    mode: GenerationMode,
    *,
    runtime: HostRuntime = "inline",
    plan: DocumentPlan | None = None,
    policy: PagePolicy = _DEFAULT_POLICY,
    fragment: Fragment | None = None,
) -> str:
    """Return the one self-contained HTML file that hosts show for a tool, whatever its view is.

    Args:
        tool: The tool.
        data: What ``page_data`` returned.
        kit: What the page is made of.
        source: What a model wrote, as it is stored; "" for the minimal UI.
        mode: What that is.
        runtime: ``host.runtime``: who brings ``App`` to a document, the page or a host that resolves the import.
        plan: How a document goes in; without one it is parsed here and now.
        policy: The policy of the page.
        fragment: The fragment in the source, if the caller has read it; without one it is read here and now.
    """
    if not source:
        return minimal_page(tool, data, kit, policy)
    if mode == "document":
        return document_page(data, kit, source, runtime, plan, policy)
    return fragment_page(tool, data, kit, fragment or fragment_in(source), policy)


def fragment_page(
    tool: Tool, data: str, kit: PageParts, fragment: Fragment | None, policy: PagePolicy = _DEFAULT_POLICY
) -> str:
    """Return the page of a fragment; the minimal UI without one."""
    if fragment is None:
        return minimal_page(tool, data, kit, policy)
    return tool_page(
        tool.title,
        data,
        kit,
        policy=policy,
        head=_STYLE.format(style=text_in_style(fragment.style)),
        body=_TEMPLATE.format(template=json_in_script(fragment.template)),
        scripts=_scripts(fragment),
    )


def _scripts(fragment: Fragment) -> tuple[str, str]:
    """A script that does not parse is alone in its element: the view starts all the same, and says so."""
    return (
        shadowed_script("McpGenUi.fragment", f"\n{fragment.script}", "return render;\n"),
        _START,
    )
