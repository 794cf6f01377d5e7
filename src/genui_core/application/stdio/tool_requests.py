"""A host's requests about tools: the upstream's are tied to their views, the wrapper's own are answered."""

from attrs import define, field

from genui_core.application.own_tools.wrapper_tools import WrapperTools, tool_meant
from genui_core.application.requests.served_request import ServedRequest, arrived
from genui_core.application.stdio.answer_editors import CallResultEditor, ToolListEditor
from genui_core.application.stdio.listen_streams import ChangeNotices
from genui_core.application.stdio.peers import Params, Peers
from genui_core.application.stdio.request_answers import RequestAnswers
from genui_core.application.stdio.tool_knowledge import Outcome, ToolKnowledge
from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.envelope import call_fields, is_stateless
from genui_core.domain.mcp.jsonrpc import json_text
from genui_core.domain.session.pending_requests import PASS, Forward, Ours, PendingRequest
from genui_core.domain.session.relay import Relay
from genui_core.domain.session.upstream_answers import AnswerEditor
from genui_core.domain.tools.paged_listings import PagedListings
from genui_core.domain.tools.registry import ToolDiff
from genui_core.domain.tools.wrapper_tools import published
from genui_core.errors import GenUiError


@define(eq=False)
class ToolRequests:
    """Lists tools and calls those that are ours."""

    _views: ToolViews
    _relay: Relay
    _peers: Peers
    _answers: RequestAnswers
    _knowledge: ToolKnowledge
    _notices: ChangeNotices
    _listings: PagedListings = field(init=False)
    _own_tools: WrapperTools = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Begin with no listing under way."""
        self._listings = PagedListings(self._views.tools.begin_listing)
        self._own_tools = WrapperTools(self._views)

    def list_tools(self, params: Params) -> Forward:
        """Decide about ``tools/list``."""
        if not self._peers.gets_apps(params):
            return PASS
        cursor, age_mark = params.get("cursor"), self._knowledge.age_mark
        return Forward(
            ToolListEditor(
                self._views,
                self._listings,
                self._knowledge,
                cursor,
                age_mark,
                self._host_saw_change,
                is_stateless(params),
            )
        )

    def call(self, params: Params) -> Forward | Ours:
        """Decide about ``tools/call``."""
        name = params.get("name")
        if not isinstance(name, str):
            return PASS
        is_ours, views = name.startswith("_ui_"), self._views
        if not (
            is_ours
            or views.settings.stamp_results
            or "_meta" in params
            or views.learning_from(name) is not None
        ):
            return PASS  # the call that comes all day: nothing to edit, to learn, or to note of the host
        if not self._peers.gets_apps(params):
            return PASS
        if is_ours:
            return self._answers.ours(self._call_own_tool)
        if self._views.settings.stamp_results:
            return self._answers.ours(self._call)
        watcher = self._watcher(name, None)
        return PASS if watcher is None else Forward(watcher)

    def _watcher(self, name: str, editor: AnswerEditor | None) -> AnswerEditor | None:
        """Return what edits the result of a call, and has it seen where there is something to learn from it."""
        learning = self._views.learning_from(name)
        if learning is None:
            return editor
        from genui_core.application.worker.shape_learning import ResultWatcher  # noqa: PLC0415 -- for models alone

        return ResultWatcher(name, learning, self._views.worker, editor)

    def _call(self, pending: PendingRequest) -> None:
        """Let a call go on; its result says where its view is, where the setting wants that."""
        name = str(pending.params["name"])
        meta = self._views.result_meta(name)
        pending.forward(self._watcher(name, None if meta is None else CallResultEditor(meta)))

    def _call_own_tool(self, pending: PendingRequest) -> None:
        name, arguments = str(pending.params["name"]), pending.params.get("arguments")
        if name not in published(self._views.tools.active_tools):
            self._call(pending)
        elif self._own_tools.refreshes(name):
            served = arrived(self._views, "tools/call", None)
            self._knowledge.refresh(lambda outcome: self._answer_refresh(pending, outcome, served))
        else:
            arguments = arguments if isinstance(arguments, dict) else {}
            self._answer_ourselves(pending, name, arguments)

    def _answer_ourselves(self, pending: PendingRequest, name: str, arguments: Params) -> None:
        served = arrived(self._views, "tools/call", tool_meant(arguments))

        def answer(result: Params) -> None:
            served.ended()
            self._answer(pending, result)

        try:
            begun = self._own_tools.call(name, arguments, served.id)
        except GenUiError:
            served.ended()
            raise
        if isinstance(begun, dict):
            answer(begun)
        else:
            self._answers.have_made(pending, begun, answer, request_id=served.id)

    def _answer_refresh(self, pending: PendingRequest, outcome: Outcome, served: ServedRequest) -> None:
        served.ended()
        self._answer(pending, self._own_tools.refreshed(outcome, served.id))

    def _answer(self, pending: PendingRequest, result: Params) -> None:
        pending.succeed(json_text({**result, **call_fields(stateless=is_stateless(pending.params))}))

    def _host_saw_change(self, diff: ToolDiff) -> None:
        """Tell the host that views changed, right after the tools it asked for; the first it sees may soon be read."""
        if self._views.tools.listing_number > 1:
            self._relay.say_after_answer(self._notices.lines(diff, knows_tools=True))
        elif self._views.has_model:
            self._relay.later(0, self._views.worker.get_ready)  # when the answer was written
