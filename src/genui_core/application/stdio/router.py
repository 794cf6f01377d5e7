"""Routes the requests of one host in the stdio relay, and of its companion page: forwards, edits or answers them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, partial
from json import loads
from typing import TYPE_CHECKING

from attrs import frozen

from genui_core.application.stdio.host_messages import ChangeNotices
from genui_core.application.stdio.host_requests import ToolRequests, ViewRequests
from genui_core.application.stdio.request_answers import (
    PeerCapabilities,
    RequestAnswers,
    ToolKnowledge,
)
from genui_core.application.stdio.supervision import HostSession, Supervision
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import ToolDiff
from genui_core.domain.logging.redaction import logged_error_object
from genui_core.domain.mcp.envelope import AppsSetting, server_info_of
from genui_core.domain.mcp.json_text import as_object, members
from genui_core.domain.mcp.jsonrpc import json_text, of_request, rpc_error
from genui_core.domain.mcp.methods import ACKNOWLEDGED, CANCELLED, LISTEN, TOOLS_CHANGED
from genui_core.domain.session.exchange import Step, Then
from genui_core.domain.session.pending_requests import PASS, Decision, Forward, PendingRequest
from genui_core.domain.session.relay import Relay
from genui_core.domain.session.upstream_answers import AnswerEditor, AnswerEdits
from genui_core.domain.tools.decoration import with_capabilities
from genui_core.errors import UpstreamTimeout
from genui_core.ports.event_log import Level
from genui_core.ports.host_model import Params

if TYPE_CHECKING:
    from genui_core.application.stdio.companion import Companion, PageHost, PageMaker

_CALL_TIMEOUT_S = 600.0
"""How long the upstream may take to answer a request of the companion page."""
_HEARD = frozenset((CANCELLED, TOOLS_CHANGED, ACKNOWLEDGED))


class StdioRouter:
    """One stdio host's session: decides which requests the relay forwards, edits or answers.

    Args:
        views: The tools and their views.
        make_page: Makes the companion page; None where there is none.

    Attributes:
        heard_methods: The upstream's notifications that the wrapper reads.
    """

    def __init__(self, views: ToolViews, make_page: "PageMaker | None" = None) -> None:
        """Make the parts, and the table of the methods that are not just forwarded."""
        self.views = views
        self._make_page = make_page
        self.heard_methods = _HEARD
        self._session = HostSession()
        self._companion: Companion | None = None
        settings = views.settings
        limit_ms = settings.upstream.call_timeout_ms
        self.relay = Relay(
            self,
            views.identity.nonce(),
            settings.upstream.max_line_bytes,
            None if limit_ms is None else limit_ms / 1000,
        )
        self._peers = PeerCapabilities(settings.apps)
        self._knowledge = ToolKnowledge(views, self.relay, self._peers, self._found_change)
        self._notices = ChangeNotices(self.relay, views.tools.owns)
        self._answers = RequestAnswers(views, self.relay, self._peers, self._knowledge)
        self.supervision = Supervision(
            views, self.relay, self._session, self._notices.upstream_lost, self._upstream_back
        )
        self._routes = self._all_routes()

    def _all_routes(self) -> Mapping[str, Callable[[Params], Decision]]:
        peers, answers, notices = self._peers, self._answers, self._notices
        make_page = self._make_page
        companion = None if make_page is None else partial(self._companion_page, make_page)
        tools = ToolRequests(self.views, self.relay, peers, answers, self._knowledge, notices, companion)
        views = ViewRequests(self.views, peers, answers, notices, self._session)
        return {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "tools/list": tools.list_tools,
            "tools/call": tools.call,
            "resources/list": views.list_resources,
            "resources/templates/list": views.list_templates,
            "resources/read": views.read,
            "resources/subscribe": views.subscribe,
            "resources/unsubscribe": views.unsubscribe,
            "logging/setLevel": self._set_log_level,
            LISTEN: views.listen,
        }

    def close(self) -> None:
        """Close the companion page, if there is one."""
        if self._companion is not None:
            self._companion.close()

    def _companion_page(self, make_page: "PageMaker") -> "Companion":
        if self._companion is None:
            from genui_core.application.stdio.companion import Companion  # noqa: PLC0415 -- few hosts want it

            page = PageRequests(self.views, self.relay, self._knowledge)
            self._companion = Companion(self.views, self._answers, page.host, make_page)
        return self._companion

    # --- called by the relay ------------------------------------------------------------

    def decide(self, method: str, params: Params) -> Decision:
        """Decide whether to forward or answer a request from the host."""
        route = self._routes.get(method)
        if route is None:
            return PASS
        if not self.supervision.has_spoken:
            self.supervision.expect_word(method)
        return route(params)

    def host_said(self, method: str, params: Params) -> None:
        """Handle a notification from the host."""
        if method == "notifications/initialized":
            self._session.is_initialized = True
        elif method == CANCELLED:
            self._notices.end_stream(params.get("requestId"))

    def upstream_said(self, method: str, params: Params, line: bytes) -> bytes:
        """Return the line that the host gets for a notification from the upstream."""
        if method == ACKNOWLEDGED:
            return self._notices.acknowledged(params, line)
        if method == CANCELLED:
            self._notices.end_stream(params.get("requestId"), at_upstream=True)
        else:
            self._knowledge.upstream_changed()
        return line

    def first_word(self) -> None:
        """Record that the upstream sent its first line."""
        self.supervision.first_word()
        self._knowledge.refresh_periodically()

    def overdue(self, method: str) -> Mapping[str, object]:
        """Return the error for a request that the upstream has not answered in time."""
        error = UpstreamTimeout(method, self.views.settings.upstream.call_timeout_ms or 0)
        return rpc_error(error, request_id="")

    def request_failed(
        self, error: Mapping[str, object], method: str, tool_name: str | None
    ) -> Mapping[str, object]:
        """Log a request that fails with an error of the wrapper; return the error with the request's own id."""
        request_id = self.views.services.log_failure(method, logged_error_object(error), tool_name=tool_name)
        return of_request(error, request_id, tool_name)

    # --- the handshake ------------------------------------------------------------------

    def _initialize(self, params: Params) -> Forward:
        self._notices.is_stateful = True
        self._session.reset()
        self.relay.exchange.in_flight.forget_edits()
        self._peers.store_handshake(params)
        serves_apps = self._peers.serves_apps
        if not serves_apps:
            reason = "the host shows no MCP Apps"
            self.views.event_log.record(Level.INFO, "wrapper", "pass_through", reason=reason)

        def accepted(result: str) -> str:
            self._session.initialize = params
            self._upstream_told(result)
            return with_capabilities(result) if serves_apps else result

        return Forward(AnswerEditor(accepted))

    def _discover(self, params: Params) -> Forward:
        def found(result: str) -> str:
            self._upstream_told(result)
            return with_capabilities(result)

        return Forward(AnswerEditor(found)) if self._peers.gets_apps(params) else PASS

    def _upstream_told(self, result: str) -> None:
        """Learn what the upstream says of itself."""
        told = {each.key: each.value for each in members(result)}
        self._peers.upstream_told(told.get("capabilities"))
        self.views.tools.know_upstream(server_info_of(told))

    def _set_log_level(self, params: Params) -> Forward:
        self._session.log_level = params
        return PASS

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Notify the host that the views of these tools changed, if it shows views."""
        if self._peers.serves_apps or not self._notices.is_stateful:
            for line in self._notices.views_changed(tool_names):
                self.relay.say_to_host(line)

    # --- changes of the tools ------------------------------------------------------------

    def _upstream_back(self, result: Params) -> None:
        """Read what a restarted upstream says: it may be another version."""
        capabilities = result.get("capabilities")
        if isinstance(capabilities, Mapping):
            self._peers.upstream_told(capabilities)
        if self.views.tools.knows_all_tools:
            self._knowledge.refresh(lambda _outcome: None)

    def _found_change(self, diff: ToolDiff) -> None:
        if self.views.tools.listing_number > 1 and not diff.is_empty:
            self.views_changed((*diff.changed, *diff.removed))


@frozen(slots=False)
class PageRequests:
    """The companion page's requests, decided as those of a host that shows MCP Apps; the session's host sees none of it."""

    _views: ToolViews
    _relay: Relay
    _knowledge: ToolKnowledge

    def host(self) -> "PageHost":
        """Return the wrapper as the page sees it."""
        from genui_core.application.stdio.companion import PageHost  # noqa: PLC0415 -- few hosts want it

        def post(step: Step) -> None:
            self._relay.post(step)

        def ask(method: str, params: Params, then: Then) -> None:
            post(lambda: self._begin(method, params, then))

        return PageHost(ask, post, self._views.tools.upstream_name, self._views.has_model)

    @cached_property
    def _routes(self) -> Mapping[str, Callable[[Params], Decision]]:
        views, relay, knowledge = self._views, self._relay, self._knowledge
        peers = PeerCapabilities(AppsSetting.ALWAYS)
        answers = RequestAnswers(views, relay, peers, knowledge)
        notices = ChangeNotices(relay, views.tools.owns)
        return {
            "tools/list": lambda _params: answers.ours(self._list),
            "tools/call": ToolRequests(views, relay, peers, answers, knowledge, notices).call,
            "resources/read": ViewRequests(views, peers, answers, notices, HostSession()).read,
        }

    def _list(self, pending: PendingRequest) -> None:
        """List the upstream's tools, each with its view, and the wrapper's own."""
        listed = [each.definition for each in self._views.tools.active_tools.values()]
        pending.succeed(
            json_text({"tools": [*map(self._views.tied, listed), *self._views.own_tools.values()]})
        )

    def _begin(self, method: str, params: Params, then: Then) -> None:
        request_id = self._relay.exchange.own.new_id()
        self._relay.requests.hold(request_id)
        own = {key: value for key, value in params.items() if key != "_meta"}
        meta = self._knowledge.peers.meta
        asked = {**own, "_meta": meta} if meta else own
        line = json_text(asked).encode()
        pending = _PageRequest(request_id, method, asked, line, self._relay.requests, self._relay, then)
        route = self._routes.get(method)
        decision = PASS if route is None else route(asked)
        if isinstance(decision, Forward):
            pending.forward(decision.edit)
        else:
            decision(pending)


@frozen(eq=False)
class _PageRequest(PendingRequest):
    """A request of the companion page, answered with a message and not on the wire; its line has the params alone."""

    _relay: Relay
    _then: Then

    def succeed(self, result: str | Iterable[bytes]) -> None:
        """Answer with the JSON text of a result, whole or in pieces."""
        text = result if isinstance(result, str) else b"".join(result)
        self._answer(lambda: {"result": loads(text)})

    def fail(self, error: Params) -> None:
        """Answer with an error."""
        self._answer(lambda: {"error": error})

    def tell(self, method: str, params: Params) -> None:
        """Say nothing: no one hears of progress."""

    def forward(self, edit: AnswerEditor | None = None, line: bytes | None = None) -> None:
        """Ask the upstream."""
        if not self._requests.settle(self.request_id):
            return
        self._requests.hold(self.request_id)

        def edited(message: Params) -> Params:
            if edit is None:
                return message
            return as_object(loads(AnswerEdits().edited(json_text(message).encode(), self.request_id, edit)))

        def answered(message: Params) -> None:
            self._answer(lambda: edited(message))

        self._relay.ask_upstream(self.method, loads(line or self.line), answered, _CALL_TIMEOUT_S)

    def _answer(self, message: Callable[[], Params]) -> None:
        if self._requests.settle(self.request_id):
            self._then(message())
