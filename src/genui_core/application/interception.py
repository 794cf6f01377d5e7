"""What the stdio relay does with a host's requests: the wrapper's part of one connection."""

from collections.abc import Callable, Mapping

from attrs import define, field

from genui_core.application.answer_editors import CapabilityEditor, ResourceListEditor, ToolListEditor
from genui_core.application.change_notices import ChangeNotices
from genui_core.application.host_session import HostSession
from genui_core.application.listen_streams import ACKNOWLEDGED, ListenStreams
from genui_core.application.supervision import Supervision
from genui_core.application.tool_knowledge import Outcome, PeriodicRefresh, ToolKnowledge
from genui_core.application.wrapper import Wrapper
from genui_core.domain.apps_extension import (
    CLIENT_CAPABILITIES_KEY,
    host_gets_apps,
    is_stateless,
    request_meta,
)
from genui_core.domain.envelope import cacheable_fields, call_fields
from genui_core.domain.jsonrpc import json_text
from genui_core.domain.paged_listings import PagedListings
from genui_core.domain.registry import ToolDiff
from genui_core.domain.relay import Relay
from genui_core.domain.relay_decisions import PASS, Forward, Ours, Ticket
from genui_core.domain.rpc_errors import rpc_error
from genui_core.errors import GenUiError, UpstreamTimeout
from genui_core.ports.journal import Level

Params = Mapping[str, object]

CANCELLED = "notifications/cancelled"
TOOLS_CHANGED = "notifications/tools/list_changed"
_HEARD = frozenset((CANCELLED, TOOLS_CHANGED, ACKNOWLEDGED))


@define
class StdioInterception:
    """The wrapper's part of one host connection.

    Attributes:
        wrapper: Whose tools and views are served.
        relay: What moves the messages.
        supervision: What keeps the upstream running.
        heard_methods: The notifications of the upstream's that concern us.
    """

    wrapper: Wrapper
    relay: Relay = field(init=False)
    supervision: Supervision = field(init=False)
    heard_methods: frozenset[str] = field(init=False, default=_HEARD)
    _apps: bool = field(init=False)
    _upstream_can: Params | None = field(init=False, default=None)
    _session: HostSession = field(init=False, factory=HostSession)
    _listings: PagedListings = field(init=False)
    _knowledge: ToolKnowledge = field(init=False)
    _periodic: PeriodicRefresh = field(init=False)
    _notices: ChangeNotices = field(init=False)
    _routes: Mapping[str, Callable[[Params], Forward | Ours]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Set up the table of the methods that are not mere traffic, and the parts that serve them."""
        settings = self.wrapper.settings
        timeout_ms = settings.upstream.call_timeout_ms
        self.relay = Relay(
            self,
            self.wrapper.identity.nonce(),
            settings.upstream.max_line_bytes,
            None if timeout_ms is None else timeout_ms / 1000,
        )
        self._apps = host_gets_apps(None, settings.apps)
        self._listings = PagedListings(self.wrapper.begin_listing)
        self._notices = ChangeNotices(ListenStreams(self.relay, self.wrapper.owns))
        self._knowledge = ToolKnowledge(self.wrapper, self.relay, self._found_changed)
        self._periodic = PeriodicRefresh(self.wrapper, self.relay, self._knowledge)
        self.supervision = Supervision(
            self.wrapper, self.relay, self._session, self._notices.streams.upstream_lost, self._upstream_back
        )
        self._routes = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/templates/list": self._list_templates,
            "resources/read": self._read,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._unsubscribe,
            "subscriptions/listen": self._listen,
            "logging/setLevel": self._set_log_level,
        }

    # --- what the relay asks ------------------------------------------------------------

    def decide(self, method: str, params: Params) -> Forward | Ours:
        """Say what becomes of a request of the host's."""
        route = self._routes.get(method)
        return PASS if route is None else route(params)

    def host_said(self, method: str, params: Params) -> None:
        """Take note of a notification of the host's."""
        if method == "notifications/initialized":
            self._session.is_initialized = True
        elif method == CANCELLED:
            self._notices.streams.end(params.get("requestId"))

    def upstream_said(self, method: str, params: Params, line: bytes) -> bytes:
        """Return the line to give to the host for a notification of the upstream's."""
        if method == ACKNOWLEDGED:
            return self._notices.streams.acknowledged(params, line)
        if method == CANCELLED:
            self._notices.streams.end_at_upstream(params.get("requestId"))
            return line
        self._knowledge.upstream_changed()
        return line

    def first_word(self) -> None:
        """Take note that the upstream lives."""
        self.supervision.first_word()
        self._periodic.start()

    def overdue(self, method: str) -> Mapping[str, object]:
        """Return the error for a request that the upstream has not answered in time."""
        error = UpstreamTimeout(method, self.wrapper.settings.upstream.call_timeout_ms or 0)
        return rpc_error(error, request_id=self._record_failure(error))

    # --- what the host gets -------------------------------------------------------------

    def _gets_apps(self, params: Params) -> bool:
        """Whether the host gets UIs; the stateless generation says so with every request."""
        if not is_stateless(params):
            return self._apps
        meta = request_meta(params)
        self._knowledge.meta = {key: value for key, value in meta.items() if key != "progressToken"}
        return host_gets_apps(meta.get(CLIENT_CAPABILITIES_KEY), self.wrapper.settings.apps)

    def _initialize(self, params: Params) -> Forward:
        self.supervision.expect_word("initialize")
        self._notices.is_stateful = True
        self._session.begin_anew()
        self.relay.forget_edits()
        self._apps = host_gets_apps(params.get("capabilities"), self.wrapper.settings.apps)
        if not self._apps:
            reason = "the host shows no MCP Apps"
            self.wrapper.journal.record(Level.INFO, "wrapper", "pass_through", reason=reason)

        def accepted(capabilities: Params) -> None:
            self._session.begin(params)
            self._learn_upstream(capabilities)

        return Forward(CapabilityEditor(accepted, self._apps))

    def _discover(self, params: Params) -> Forward:
        self.supervision.expect_word("server/discover")
        return Forward(CapabilityEditor(self._learn_upstream)) if self._gets_apps(params) else PASS

    def _learn_upstream(self, capabilities: Params) -> None:
        self._upstream_can = capabilities

    def _upstream_lacks(self, capability: str) -> bool:
        """Whether the upstream has said that it has no such capability."""
        return self._upstream_can is not None and capability not in self._upstream_can

    def _upstream_back(self, result: Params) -> None:
        """An upstream was started again: it may be another version of itself."""
        capabilities = result.get("capabilities")
        if isinstance(capabilities, Mapping):
            self._learn_upstream(capabilities)
        if self.wrapper.knows_all_tools:
            self._knowledge.refresh(lambda _outcome: None)

    # --- tools --------------------------------------------------------------------------

    def _list_tools(self, params: Params) -> Forward:
        self.supervision.expect_word("tools/list")
        if not self._gets_apps(params):
            return PASS
        return Forward(
            ToolListEditor(
                self.wrapper,
                self._listings,
                self._knowledge,
                params.get("cursor"),
                self._knowledge.age_mark,
                self._host_saw_change,
            )
        )

    def _call_tool(self, params: Params) -> Forward | Ours:
        name = params.get("name")
        if not isinstance(name, str) or not name.startswith("_ui_") or not self._gets_apps(params):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._call_own_tool))

    def _call_own_tool(self, ticket: Ticket) -> None:
        name, arguments = str(ticket.params["name"]), ticket.params.get("arguments")
        if name not in self.wrapper.tools.definitions():
            ticket.forward()
        elif self.wrapper.tools.refreshes(name):
            self._knowledge.refresh(lambda outcome: self._answer_refresh(ticket, outcome))
        else:
            arguments = arguments if isinstance(arguments, Mapping) else {}
            self._answer_call(ticket, self.wrapper.tools.call(name, arguments))

    def _answer_refresh(self, ticket: Ticket, outcome: Outcome) -> None:
        self._answer_call(ticket, self.wrapper.tools.refreshed(outcome))

    def _answer_call(self, ticket: Ticket, result: Params) -> None:
        ticket.succeed(json_text({**result, **call_fields(stateless=is_stateless(ticket.params))}))

    def _host_saw_change(self, diff: ToolDiff) -> None:
        """Tell the host that views changed, right after the tools it asked for."""
        if self.wrapper.listing_number > 1:
            self.relay.say_after_answer(self._notices.lines(diff, knows_tools=True))

    def _found_changed(self, diff: ToolDiff) -> None:
        """Tell the host what a listing of our own has found."""
        if self.wrapper.listing_number > 1:
            for line in self._notices.lines(diff, knows_tools=False):
                self.relay.say_to_host(line)

    # --- resources ----------------------------------------------------------------------

    def _list_resources(self, params: Params) -> Forward | Ours:
        if not self._gets_apps(params):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._list_all_resources))

    def _list_all_resources(self, ticket: Ticket) -> None:
        entries = self.wrapper.resource_entries()
        if self._upstream_lacks("resources"):
            ticket.succeed(json_text({"resources": entries, **_cacheable(ticket.params)}))
        else:
            ticket.forward(ResourceListEditor("resources", entries, _cacheable(ticket.params)))

    def _list_templates(self, params: Params) -> Forward | Ours:
        if not self._gets_apps(params):
            return PASS
        if self._upstream_lacks("resources"):
            return Ours(
                lambda ticket: ticket.succeed(json_text({"resourceTemplates": [], **_cacheable(params)}))
            )
        return Forward(ResourceListEditor("resourceTemplates", [], _cacheable(params)))

    def _read(self, params: Params) -> Forward | Ours:
        if not self._gets_apps(params) or not _is_ui(params.get("uri")):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._read_view))

    def _read_view(self, ticket: Ticket) -> None:
        uri = str(ticket.params["uri"])
        if not self.wrapper.owns(uri):
            ticket.forward()
            return
        self._notices.follow(uri)
        contents = self.wrapper.read_view(uri)
        fields = "".join(
            f",{json_text(key)}:{json_text(value)}" for key, value in _cacheable(ticket.params).items()
        )
        ticket.succeed(f'{{"contents":[{contents}]{fields}}}')

    def _subscribe(self, params: Params) -> Forward | Ours:
        if not self._gets_apps(params) or not _is_ui(params.get("uri")):
            self._session.subscribed(params)
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._answer_subscription))

    def _unsubscribe(self, params: Params) -> Forward | Ours:
        if not self._gets_apps(params) or not _is_ui(params.get("uri")):
            self._session.unsubscribed(params)
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._answer_subscription))

    def _answer_subscription(self, ticket: Ticket) -> None:
        uri = str(ticket.params["uri"])
        if not self.wrapper.owns(uri):
            ticket.forward()
            return
        self._notices.follow(uri)
        ticket.succeed(json_text(call_fields(stateless=is_stateless(ticket.params))))

    def _listen(self, params: Params) -> Forward | Ours:
        if not self._gets_apps(params):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._notices.streams.open))

    def _set_log_level(self, params: Params) -> Forward:
        self._session.log_level = params
        return PASS

    # --- knowing the tools first --------------------------------------------------------

    def _with_tools(self, ticket: Ticket, then: Callable[[Ticket], None]) -> None:
        """Go on when the upstream's tools are known."""
        if self._upstream_lacks("tools"):
            self._finish(ticket, then)
        else:
            self._knowledge.when_known(lambda: self._finish(ticket, then))

    def _finish(self, ticket: Ticket, then: Callable[[Ticket], None]) -> None:
        try:
            then(ticket)
        except GenUiError as error:
            self._fail(ticket, error)
        except Exception as error:  # noqa: BLE001 -- a fault in serving a view must not end the connection
            self._fail(ticket, GenUiError(f"mcp-gen-ui failed: {error!r}"))

    def _fail(self, ticket: Ticket, error: GenUiError) -> None:
        request_id = self._record_failure(error)
        ticket.fail(rpc_error(error, request_id=request_id, stateless=is_stateless(ticket.params)))

    def _record_failure(self, error: GenUiError) -> str:
        request_id = self.wrapper.identity.request_id()
        self.wrapper.journal.record(
            Level.WARN, "relay", "request_failed", request_id=request_id, message=str(error)
        )
        return request_id


def _is_ui(uri: object) -> bool:
    return isinstance(uri, str) and uri[:5].lower() == "ui://"


def _cacheable(params: Params) -> Mapping[str, object]:
    return cacheable_fields(stateless=is_stateless(params))
