"""A host's requests for tools and views: forwarded, forwarded with an edit, or answered by the wrapper."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from attrs import field, frozen

from genui_core.application.own_tools.calls import call_wrapper_tool, refreshed, tool_meant
from genui_core.application.services import ServedRequest
from genui_core.application.stdio.host_messages import (
    ChangeNotices,
    call_result_editor,
    resource_list_editor,
    tool_list_editor,
)
from genui_core.application.stdio.request_answers import PeerCapabilities, RequestAnswers, ToolKnowledge
from genui_core.application.stdio.supervision import HostSession
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import PagedListings, ToolDiff
from genui_core.domain.mcp.envelope import cacheable_fields, call_fields, is_stateless
from genui_core.domain.mcp.jsonrpc import json_text
from genui_core.domain.session.pending_requests import PASS, Decision, Forward, PendingRequest
from genui_core.domain.session.relay import Relay
from genui_core.domain.session.upstream_answers import AnswerEditor, answer_to_unknown
from genui_core.domain.tools.tool import means_missing, resource_not_found, tool_name_of
from genui_core.errors import GenUiError
from genui_core.ports.host_model import Params

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView
    from genui_core.application.stdio.companion import Companion
    from genui_core.application.worker.shape_learning import ResultWatcher


@frozen(eq=False)
class ToolRequests:
    """Lists tools and calls those that are ours."""

    _views: ToolViews
    _relay: Relay
    _peers: PeerCapabilities
    _answers: RequestAnswers
    _knowledge: ToolKnowledge
    _notices: ChangeNotices
    _companion: "Callable[[], Companion] | None" = None
    _listings: PagedListings = field(init=False)

    @_listings.default
    def _(self) -> PagedListings:
        return PagedListings(self._views.tools.begin_listing)

    def list_tools(self, params: Params) -> Forward:
        """Decide about ``tools/list``."""
        gets_apps = self._peers.gets_apps(params)
        companion = self._companion_of(params)
        if not gets_apps and companion is None:
            return PASS

        def own_tools() -> list[dict[str, object]]:
            ours = self._views.listed_own_tools if gets_apps else []
            return ours if companion is None else [*ours, *companion.tools.values()]

        changed = self._host_saw_change if gets_apps else None
        views, knowledge = self._views, self._knowledge
        return Forward(tool_list_editor(views, self._listings, knowledge, params, own_tools, changed))

    def call(self, params: Params) -> Decision:
        """Decide about ``tools/call``."""
        companion = self._companion_of(params)
        if companion is None:
            return self._decide(params)
        if str(params.get("name")).startswith("_ui_"):
            return self._answers.ours(partial(self._call_companion, companion))
        decision = self._decide(params)
        return companion.watched(params, decision) if isinstance(decision, Forward) else decision

    def _companion_of(self, params: Params) -> "Companion | None":
        """Return the companion page if the host that sent a request gets its tools (``companion.mode``)."""
        mode = self._views.settings.companion.mode
        if (
            self._companion is None
            or mode == "never"
            or (mode == "onDemand" and self._peers.gets_apps(params))
        ):
            return None
        return self._companion()

    def _call_companion(self, companion: "Companion", pending: PendingRequest) -> None:
        if pending.params["name"] in companion.tools:
            companion.call(pending)
        elif self._peers.gets_apps(pending.params):
            self._call_own_tool(pending)
        else:
            pending.forward()

    def _decide(self, params: Params) -> Decision:
        name = params.get("name")
        if not isinstance(name, str):
            return PASS
        is_ours, views = name.startswith("_ui_"), self._views
        if "_meta" not in params and views.passes_call(name):
            return PASS  # the call that comes all day: nothing to edit, to learn, or to note of the host
        if not self._peers.gets_apps(params):
            return self._answers.ours(self._call) if views.embeds_views else PASS
        if is_ours:
            return self._answers.ours(self._call_own_tool)
        if views.edits_results:
            return self._answers.ours(self._call)
        watcher = self._watcher(name)
        return PASS if watcher is None else Forward(see=watcher.see)

    def _watcher(self, name: str) -> "ResultWatcher | None":
        """Return what has the result of a call looked at, where there is something to learn from it."""
        learning = self._views.learning_from(name)
        if learning is None:
            return None
        from genui_core.application.worker.shape_learning import ResultWatcher  # noqa: PLC0415 -- for models alone

        self._relay.later(0, partial(self._views.call_begins, name))  # when the call was written
        return ResultWatcher(name, learning, self._views.worker)

    def _call(self, pending: PendingRequest) -> None:
        """Let a call go on; its result gains its view, or says where that is, where a setting wants that."""
        name, views = str(pending.params["name"]), self._views
        gets_apps = self._peers.gets_apps(pending.params)
        arguments = pending.params.get("arguments")
        watcher, edits = self._watcher(name), None
        if views.edits_results:
            edits = call_result_editor(views, name, arguments, gets_apps=gets_apps)
        pending.forward(edits if watcher is None else watcher.before(edits or AnswerEditor()))

    def _call_own_tool(self, pending: PendingRequest) -> None:
        name, arguments = str(pending.params["name"]), pending.params.get("arguments")
        if name not in self._views.own_tools:
            self._call(pending)
            return
        served = self._views.begin_request("tools/call", tool_meant(arguments))

        def answer(result: Params) -> None:
            served.ended()
            self._answers.succeed(pending, result)

        try:
            host_name, session = self._peers.host_name(pending.params), self._peers.handshake
            begun = call_wrapper_tool(self._views, name, arguments, served.id, host_name, session)
        except GenUiError:
            served.ended()
            raise
        if begun is None:
            self._knowledge.refresh(lambda outcome: answer(refreshed(self._views, outcome, served.id)))
        elif isinstance(begun, dict):
            answer(begun)
        else:
            self._answers.answer_with(pending, begun, answer, request_id=served.id)

    def _host_saw_change(self, diff: ToolDiff) -> None:
        """Tell the host that views changed, right after the tools it asked for; the first it sees may soon be read."""
        if self._views.tools.listing_number > 1:
            names = (*diff.changed, *diff.removed)
            if not diff.is_empty:
                self._relay.exchange.after_answer += self._notices.views_changed(names, knows_tools=True)
        elif self._views.has_model:
            self._relay.later(0, self._views.worker.get_ready)  # when the answer was written


@frozen(eq=False)
class ViewRequests:
    """Lists, reads and subscribes: what is in our table is served, all else is the upstream's."""

    _views: ToolViews
    _peers: PeerCapabilities
    _answers: RequestAnswers
    _notices: ChangeNotices
    _session: HostSession

    def list_resources(self, params: Params) -> Decision:
        """Decide about ``resources/list``: the upstream's, with our views after them."""
        return self._answers.ours(self._list_all) if self._peers.gets_apps(params) else PASS

    def list_templates(self, params: Params) -> Decision:
        """Decide about ``resources/templates/list``: none where the upstream has no resources."""
        if not self._peers.gets_apps(params):
            return PASS
        if not self._peers.upstream_lacks("resources"):
            return Forward(resource_list_editor("resourceTemplates", [], stateless=is_stateless(params)))
        nothing = json_text({"resourceTemplates": [], **_cacheable(params)})
        return lambda pending: pending.succeed(nothing)

    def read(self, params: Params) -> Decision:
        """Decide about ``resources/read``."""
        return self._answers.ours(self._read_view) if self._may_be_ours(params) else PASS

    def subscribe(self, params: Params) -> Decision:
        """Decide about ``resources/subscribe``; what goes to the upstream is remembered for the next one."""
        return self._subscription(params, self._session.subscribed)

    def unsubscribe(self, params: Params) -> Decision:
        """Decide about ``resources/unsubscribe``."""
        return self._subscription(params, self._session.unsubscribed)

    def _subscription(self, params: Params, remember: Callable[[Params], object]) -> Decision:
        if self._may_be_ours(params):
            return self._answers.ours(self._answer_subscription)
        remember(params)
        return PASS

    def listen(self, params: Params) -> Decision:
        """Decide about ``subscriptions/listen``."""
        return self._answers.ours(self._notices.open_stream) if self._peers.gets_apps(params) else PASS

    def _may_be_ours(self, params: Params) -> bool:
        uri = params.get("uri")
        return isinstance(uri, str) and uri[:5].lower() == "ui://" and self._peers.gets_apps(params)

    def _forward(self, pending: PendingRequest, uri: str) -> None:
        """Ask the upstream about a ``ui://`` address; one without resources knows no such method."""
        knows, lacks = self._views.tools.knows_all_tools, self._peers.upstream_lacks("resources")
        if means_missing(uri, pending.method, knows_all_tools=knows, lacks_resources=lacks):
            missing = partial(self._answers.logged_failure, resource_not_found(uri), pending)
            pending.forward(AnswerEditor(replace_error=answer_to_unknown(missing)))
        else:
            pending.forward()

    def _list_all(self, pending: PendingRequest) -> None:
        entries = self._views.resource_entries()
        if self._peers.upstream_lacks("resources"):
            pending.succeed(json_text({"resources": entries, **_cacheable(pending.params)}))
        else:
            stateless = is_stateless(pending.params)
            pending.forward(resource_list_editor("resources", entries, stateless=stateless))

    def _read_view(self, pending: PendingRequest) -> None:
        uri = str(pending.params["uri"])
        if not self._views.tools.owns(uri):
            self._forward(pending, uri)
            return
        self._notices.followed.follow(uri)
        served = self._views.begin_request("resources/read", tool_name_of(uri))
        host_name = self._peers.host_name(pending.params)
        work = self._views.view_work(uri, served.id, host_name)
        if work is None:
            self._answer_read(pending, uri, served)
        else:
            within_s = self._views.serves_within_s(host_name)
            self._answers.answer_with(
                pending,
                work,
                then=lambda view: self._answer_made(pending, uri, view, served),
                otherwise=lambda _pending: self._answer_read(pending, uri, served),
                request_id=served.id,
            )
            self._limit_wait(pending, uri, served, within_s)

    def _limit_wait(
        self, pending: PendingRequest, uri: str, served: ServedRequest, within_s: float | None
    ) -> None:
        """Serve the minimal view in time although the view worker has not answered: it may still be loading."""
        if within_s is None or not pending.is_open:
            return

        def serve_provisionally() -> None:
            self._views.show_provisional(uri)
            self._answer_read(pending, uri, served)

        pending.later(within_s, serve_provisionally)

    def _answer_made(
        self, pending: PendingRequest, uri: str, view: "PresentView", served: ServedRequest
    ) -> None:
        if pending.is_open:
            self._views.show_view(uri, view)
            self._answer_read(pending, uri, served)
        else:
            self._views.land_view(uri, view)

    def _answer_read(self, pending: PendingRequest, uri: str, served: ServedRequest) -> None:
        if not pending.is_open:
            return
        served.ended()
        contents = self._views.read_view(uri)
        fields = "".join(
            f",{json_text(key)}:{json_text(value)}" for key, value in _cacheable(pending.params).items()
        )
        pending.succeed((b'{"contents":[', *contents, f"]{fields}}}".encode()))

    def _answer_subscription(self, pending: PendingRequest) -> None:
        uri = str(pending.params["uri"])
        if not self._views.tools.owns(uri):
            self._forward(pending, uri)
            return
        self._notices.followed.follow(uri)
        pending.succeed(json_text(call_fields(stateless=is_stateless(pending.params))))


def _cacheable(params: Params) -> Mapping[str, object]:
    return cacheable_fields(stateless=is_stateless(params))
