"""What `_ui_view` answers an open page: the view that its tool has now, as a part that the page can take."""

from collections.abc import Mapping

from attrs import evolve

from genui_core.application.own_tools.tool_answers import number_argument, success, text_argument
from genui_core.application.own_tools.view_reports import tool_with_ui
from genui_core.application.tool_views import ToolViews
from genui_core.application.views.view_service import Report
from genui_core.application.worker.generation_worker import Work, WorkerParts
from genui_core.domain.pages.generated_page import BuiltParts, parts_for
from genui_core.domain.pages.minimal_view import view_version
from genui_core.domain.pages.page_frame import shadowed_script
from genui_core.domain.tools.tool import Tool
from genui_core.domain.tools.wrapper_tool_schemas import LONGEST_WAIT_MS
from genui_core.domain.validation.extraction import Fragment
from genui_core.errors import InvalidArguments


def live_part(tool: Tool, fragment: Fragment, kit: BuiltParts) -> dict[str, str]:
    """Return a validated view as an open page takes it: its style, template and script.

    With them go the pieces of the kit that an open page may not have. The script gives the page the function
    that draws the view.
    """
    needed = parts_for(tool, kit, fragment.text, is_written=True)
    plain = evolve(needed, needs=evolve(needed.needs, likeness=False))
    shadowed = shadowed_script("McpGenUi.fragment", f"\n{fragment.script}", "return render;\n")
    return {
        "style": needed.style.removeprefix(plain.style) + fragment.style,
        "template": fragment.template,
        "script": f"{needed.script.removesuffix(plain.script)}\n{shadowed}",
    }


def present_part(views: ToolViews, arguments: Mapping[str, object]) -> Work[dict[str, object]]:
    """Return the view of a tool if the page has another; wait for it if one is being made.

    The answer has no part if the page has this view, if the tool has the minimal view, and if the view is a
    document, which no open page can take.

    Raises:
        UnknownTool: There is no tool of that name.
        InvalidArguments: An argument is wrong, or the tool gets no UI.
    """
    tool = tool_with_ui(views, arguments)
    have = text_argument(arguments, "have", "the version of the view on the page")
    wait_ms = number_argument(arguments, "waitMs", "a number of milliseconds") if "waitMs" in arguments else 0
    if not 0 <= wait_ms <= LONGEST_WAIT_MS:
        raise InvalidArguments(f"waitMs must be from 0 to {LONGEST_WAIT_MS}, not {wait_ms}.")
    facts = views.facts(tool)

    async def work(parts: WorkerParts, _report: Report) -> dict[str, object]:
        view = await parts.waits.next_view(facts, have, wait_ms / 1000)
        source = "" if view is None else view.source
        version = view_version(source)
        answer: dict[str, object] = {
            "tool": tool.name,
            "version": version,
            "state": "pending" if parts.waits.is_pending(tool) else "written" if source else "minimal",
        }
        fragment = None if view is None or version == have else view.fragment
        if fragment is None:
            return success(answer)
        related = list(views.pages.tool_pages.related(tool, view))
        return success({**answer, **live_part(tool, fragment, views.services.kit), "related": related})

    return work
