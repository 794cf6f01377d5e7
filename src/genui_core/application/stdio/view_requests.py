"""A host's requests for resources, as far as they are views."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from attrs import define

from genui_core.application.requests.served_request import ServedRequest, arrived
from genui_core.application.stdio.answer_editors import MissingResourceEditor, ResourceListEditor
from genui_core.application.stdio.host_session import HostSession
from genui_core.application.stdio.listen_streams import ChangeNotices
from genui_core.application.stdio.peers import Params, Peers
from genui_core.application.stdio.request_answers import RequestAnswers
from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.envelope import cacheable_fields, call_fields, is_stateless
from genui_core.domain.mcp.jsonrpc import json_text
from genui_core.domain.session.pending_requests import PASS, Forward, Ours, PendingRequest
from genui_core.domain.tools.ui_address import resource_not_found, tool_name_of

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView


@define(eq=False)
class ViewRequests:
    """Lists, reads and subscribes: what is in our table is served, all else is the upstream's."""

    _views: ToolViews
    _peers: Peers
    _answers: RequestAnswers
    _notices: ChangeNotices
    _session: HostSession

    def list_resources(self, params: Params) -> Forward | Ours:
        """Decide about ``resources/list``: the upstream's, with our views after them."""
        return self._answers.ours(self._list_all) if self._peers.gets_apps(params) else PASS

    def list_templates(self, params: Params) -> Forward | Ours:
        """Decide about ``resources/templates/list``: none where the upstream has no resources."""
        if not self._peers.gets_apps(params):
            return PASS
        if not self._peers.upstream_lacks("resources"):
            return Forward(ResourceListEditor("resourceTemplates", [], is_stateless(params)))
        nothing = json_text({"resourceTemplates": [], **_cacheable(params)})
        return Ours(lambda pending: pending.succeed(nothing))

    def read(self, params: Params) -> Forward | Ours:
        """Decide about ``resources/read``."""
        return self._answers.ours(self._read_view) if self._may_be_ours(params) else PASS

    def subscribe(self, params: Params) -> Forward | Ours:
        """Decide about ``resources/subscribe``; what goes to the upstream is remembered for the next one."""
        if self._may_be_ours(params):
            return self._answers.ours(self._answer_subscription)
        self._session.subscribed(params)
        return PASS

    def unsubscribe(self, params: Params) -> Forward | Ours:
        """Decide about ``resources/unsubscribe``."""
        if self._may_be_ours(params):
            return self._answers.ours(self._answer_subscription)
        self._session.unsubscribed(params)
        return PASS

    def listen(self, params: Params) -> Forward | Ours:
        """Decide about ``subscriptions/listen``."""
        return self._answers.ours(self._notices.streams.open) if self._peers.gets_apps(params) else PASS

    def _may_be_ours(self, params: Params) -> bool:
        uri = params.get("uri")
        return isinstance(uri, str) and uri[:5].lower() == "ui://" and self._peers.gets_apps(params)

    def _forward(self, pending: PendingRequest, uri: str) -> None:
        """Ask the upstream about a ``ui://`` address; one without resources knows no such method."""
        is_read = pending.method == "resources/read"
        if not self._views.tools.knows_all_tools or not (is_read or self._peers.upstream_lacks("resources")):
            pending.forward()
            return
        missing = resource_not_found(uri)
        pending.forward(MissingResourceEditor(partial(self._answers.logged_failure, missing, pending)))

    def _list_all(self, pending: PendingRequest) -> None:
        entries = self._views.resource_entries()
        if self._peers.upstream_lacks("resources"):
            pending.succeed(json_text({"resources": entries, **_cacheable(pending.params)}))
        else:
            pending.forward(ResourceListEditor("resources", entries, is_stateless(pending.params)))

    def _read_view(self, pending: PendingRequest) -> None:
        uri = str(pending.params["uri"])
        if not self._views.tools.owns(uri):
            self._forward(pending, uri)
            return
        self._notices.followed.follow(uri)
        served = arrived(self._views, "resources/read", tool_name_of(uri))
        work = self._views.view_work(uri, served.id)
        if work is None:
            self._answer_read(pending, uri, served)
        else:
            self._answers.have_made(
                pending,
                work,
                then=lambda view: self._answer_made(pending, uri, view, served),
                otherwise=lambda _pending: self._answer_read(pending, uri, served),
                request_id=served.id,
            )
            self._limit_wait(pending, uri, served)

    def _limit_wait(self, pending: PendingRequest, uri: str, served: ServedRequest) -> None:
        """Serve the minimal view in time although the view worker has not answered: it may still be loading."""
        within_s = self._views.serves_within_s
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
        pending.succeed_in_pieces(b'{"contents":[', *contents, f"]{fields}}}".encode())

    def _answer_subscription(self, pending: PendingRequest) -> None:
        uri = str(pending.params["uri"])
        if not self._views.tools.owns(uri):
            self._forward(pending, uri)
            return
        self._notices.followed.follow(uri)
        pending.succeed(json_text(call_fields(stateless=is_stateless(pending.params))))


def _cacheable(params: Params) -> Mapping[str, object]:
    return cacheable_fields(stateless=is_stateless(params))
