"""The page of a view that a model wrote: a fragment in the frame of the kit, or a whole document (design VIEW).

What is stored is what the model wrote; kit and frame come around it whenever it is served.
"""

from genui_core.domain.document_page import document_page
from genui_core.domain.document_plan import DocumentPlan
from genui_core.domain.minimal_view import minimal_page
from genui_core.domain.page_frame import PageParts, json_in_script, shadowed_script, text_in_style, tool_page
from genui_core.domain.page_policy import PagePolicy
from genui_core.domain.settings import GenerationMode, HostRuntime
from genui_core.domain.tool import Tool
from genui_core.domain.validation.extraction import Fragment, fragment_in

_STYLE = "<style>{style}</style>\n"
_TEMPLATE = """\
<script type="application/json" id="mcp-gen-ui-template">{template}</script>
"""
_START = "McpGenUi.startFragmentView();"
_DEFAULT_POLICY = PagePolicy()


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
    """
    if not source:
        return minimal_page(tool, data, kit, policy)
    if mode == "document":
        return document_page(data, kit, source, runtime, plan, policy)
    return fragment_page(tool, data, kit, source, policy)


def fragment_page(
    tool: Tool, data: str, kit: PageParts, source: str, policy: PagePolicy = _DEFAULT_POLICY
) -> str:
    """Return the page of a fragment; the minimal UI where the source holds none."""
    fragment = fragment_in(source)
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
