"""The tools of the wrapper's own that change views: refine, regenerate, submit, roll back (SPEC §8)."""

from attrs import frozen

from genui_core.application.own_tools.tool_answers import (
    choice_argument,
    number_argument,
    success,
    switch_argument,
    text_argument,
)
from genui_core.application.own_tools.view_reports import NUMBER_WORDS, Answer, Arguments, tool_with_ui
from genui_core.application.tool_views import ToolViews
from genui_core.application.views.view_editor import Change
from genui_core.application.views.view_service import Report
from genui_core.application.worker.generation_worker import Work, WorkerParts
from genui_core.domain.tools.classification import UiType
from genui_core.domain.tools.tool import Tool
from genui_core.errors import NoModel


@frozen
class ViewChanges:
    """What may be done to views.

    Args:
        views: Whose tools they are for.
        request_id: Of the call.
    """

    _views: ToolViews
    _request_id: str

    def refine(self, arguments: Arguments) -> Work[Answer]:
        """Change a view by one more refinement."""
        tool = self._tool_for_model(arguments)
        feedback = text_argument(arguments, "feedback", "what to change, in plain words")
        facts = self._views.facts(tool)

        async def work(parts: WorkerParts, report: Report) -> Answer:
            change = await parts.editor.refine(facts, feedback, self._request_id, report)
            return self._changed(tool, change)

        return work

    def regenerate(self, arguments: Arguments) -> Work[Answer]:
        """Make a view again, even if the store holds one."""
        tool = self._tool_for_model(arguments)
        clear = switch_argument(arguments, "clearRefinements")
        wanted = choice_argument(arguments, "uiType", ("rich", "minimal"))
        facts = self._views.facts(tool)

        async def work(parts: WorkerParts, report: Report) -> Answer:
            change = await parts.editor.regenerate(
                facts,
                self._request_id,
                report,
                clear_refinements=clear,
                ui_type=None if wanted is None else UiType(wanted),
            )
            return self._changed(tool, change)

        return work

    def submit(self, arguments: Arguments) -> Work[Answer]:
        """Take in a view that somebody wrote to our prompt."""
        facts = self._views.facts(tool_with_ui(self._views, arguments))
        html = text_argument(arguments, "html", "the view, whole")

        async def work(parts: WorkerParts, report: Report) -> Answer:
            report("Checking the view")
            submission = await parts.drafts.submit(facts, html, self._request_id)
            validation = submission.report
            return success(
                {
                    "tool": facts.tool.name,
                    "status": "failed" if submission.view is None else "done",
                    "ruling": str(validation.ruling),
                    "repairs": list(validation.repairs),
                    "findings": [dict(each.as_data()) for each in validation.findings],
                    "requestId": self._request_id,
                }
            )

        return work

    def roll_back(self, arguments: Arguments) -> Work[Answer]:
        """Give a tool a view that it had before."""
        tool = tool_with_ui(self._views, arguments)
        facts = self._views.facts(tool)
        number = number_argument(arguments, "version", NUMBER_WORDS)

        async def work(parts: WorkerParts, _report: Report) -> Answer:
            version = await parts.editor.roll_back(facts, number)
            return success(
                {
                    "tool": tool.name,
                    "version": version.number,
                    "uiType": str(UiType.RICH if version.view.source else UiType.MINIMAL),
                    "refinements": list(version.refinements.feedback),
                }
            )

        return work

    def _tool_for_model(self, arguments: Arguments) -> Tool:
        tool = tool_with_ui(self._views, arguments)
        if not self._views.has_model:
            raise NoModel
        return tool

    def _changed(self, tool: Tool, change: Change) -> Answer:
        return success(
            {
                "tool": tool.name,
                "status": str(change.status),
                "uiType": str(change.ui_type),
                "seconds": round(change.seconds, 1),
                "reason": change.reason or None,
                "errorType": change.error_type,
                "requestId": self._request_id,
            }
        )
