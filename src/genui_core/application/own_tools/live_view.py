"""What `_ui_view` answers an open page: the view that its tool has now, as a part that the page can take."""

from collections.abc import Mapping

from genui_core.application.own_tools.tool_answers import number_argument, success, text_argument
from genui_core.application.own_tools.view_reports import tool_with_ui
from genui_core.application.tool_views import ToolViews
from genui_core.application.views.view_service import Report
from genui_core.application.worker.generation_worker import Work, WorkerParts
from genui_core.domain.pages.live_part import LivePart
from genui_core.domain.pages.minimal_view import view_version
from genui_core.errors import InvalidArguments

LONGEST_WAIT_MS = 20_000
"""How long a page may wait for one answer."""


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
        part = LivePart.of(tool, fragment, views.services.kit)
        return success({**answer, **part.data, "related": related})

    return work
