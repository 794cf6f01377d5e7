"""Routes the requests of one host in the stdio relay: forwards, edits or answers them."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING

from genui_core.application.stdio.host_messages import ChangeNotices, ResultEditor
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
from genui_core.domain.mcp.envelope import server_info_of
from genui_core.domain.mcp.json_text import members
from genui_core.domain.mcp.jsonrpc import of_request, rpc_error
from genui_core.domain.mcp.methods import ACKNOWLEDGED, CANCELLED, LISTEN, TOOLS_CHANGED
from genui_core.domain.session.pending_requests import PASS, Decision, Forward
from genui_core.domain.session.relay import Relay
from genui_core.domain.tools.decoration import with_capabilities
from genui_core.errors import UpstreamTimeout
from genui_core.ports.event_log import Level
from genui_core.ports.host_model import Params

if TYPE_CHECKING:
    from genui_core.application.stdio.companion import Companion, PageMaker

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
            from genui_core.application.stdio.page_requests import PageRequests  # noqa: PLC0415

            page = PageRequests(self.relay.exchange, self, self.views, self.relay, self._knowledge)
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

        return Forward(ResultEditor(accepted))

    def _discover(self, params: Params) -> Forward:
        def found(result: str) -> str:
            self._upstream_told(result)
            return with_capabilities(result)

        return Forward(ResultEditor(found)) if self._peers.gets_apps(params) else PASS

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
