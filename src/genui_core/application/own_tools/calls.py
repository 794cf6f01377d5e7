"""Calls of the wrapper's own tools (requirement T3).

A call becomes work for the generation worker. The transport's thread checks the arguments and copies
what the work needs from the wrapper.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from genui_core.application.own_tools.tool_answers import Arguments, Call, failure, success
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import ToolDiff
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.tools import wrapper_tools as definitions
from genui_core.errors import GenUiError, UpstreamFailed

if TYPE_CHECKING:
    from genui_core.application.worker.generation_worker import Work, WorkerParts

Answer = dict[str, object]


def call_wrapper_tool(
    views: ToolViews,
    published_name: str,
    arguments: object,
    request_id: str,
    host_name: str = "",
    session: object = None,
) -> "Work[Answer] | Answer | None":
    """Return the work that makes the ``tools/call`` result, or the result if it is known already.

    None if the transport must list the upstream's tools again; `refresh_result` then returns the result.

    The result has text and structured content. A failure is a result with ``isError``, so that
    a model can read it and do better. The session is the host's part of its handshake, an object that no
    other session has; None without a session.
    """
    called = definitions.original_name(published_name)
    if called == definitions.REFRESH_TOOLS:
        return None
    begin = _tool_functions()[called]
    if called == definitions.VIEW:
        views.services.remember_live_host(host_name)
    about = tool_name_in(arguments)
    try:
        begun = begin(Call(views, Arguments(as_object(arguments)), request_id, session))
    except (GenUiError, RecursionError) as error:
        return _failed(views, error, request_id, about)

    async def work(parts: "WorkerParts", report: Callable[[str], None]) -> Answer:
        try:
            return success(await begun(parts, report))
        except GenUiError as error:
            return _failed(views, error, request_id, about)

    return work


def refresh_result(views: ToolViews, outcome: ToolDiff | UpstreamFailed, request_id: str) -> Answer:
    """Return the ``tools/call`` result with the changes that a new listing of the tools found."""
    if isinstance(outcome, UpstreamFailed):
        return _failed(views, outcome, request_id, None)
    return success({name: list(tools) for name, tools in outcome._asdict().items()})


def _failed(views: ToolViews, error: Exception, request_id: str, tool_name: str | None) -> Answer:
    views.services.log_failure("tools/call", error, request_id, tool_name=tool_name)
    return failure(error, request_id, tool_name)


def _tool_functions() -> "Mapping[str, Callable[[Call], Work[Answer]]]":
    """Return, by tool name, the functions that check the arguments of a call and return its work.

    The work returns the structured content of the result.
    """
    from genui_core.application.own_tools import live_view, view_reports  # noqa: PLC0415 -- they import the generation worker

    return {
        definitions.LIST: view_reports.list_all,
        definitions.INSPECT: view_reports.inspect,
        definitions.HISTORY: view_reports.history,
        definitions.PROMPT: view_reports.prompt,
        definitions.REFINE: view_reports.refine,
        definitions.REGENERATE: view_reports.regenerate,
        definitions.SUBMIT: view_reports.submit,
        definitions.ROLLBACK: view_reports.roll_back,
        definitions.VIEW: live_view.present_part,
    }


def tool_name_in(arguments: object) -> str | None:
    """Return the ``toolName`` in the arguments of a call of a wrapper's tool, if there is one."""
    named = as_object(arguments).get("toolName")
    return named if isinstance(named, str) else None
