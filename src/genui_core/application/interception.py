"""What the stdio relay does with a host's requests: the wrapper's part of one connection."""

from collections.abc import Callable, Mapping

from attrs import define, field

from genui_core.application.answer_editors import (
    CapabilityEditor,
    ResourceListEditor,
    ToolListEditor,
)
from genui_core.application.tool_question import ToolQuestion
from genui_core.application.wrapper import Wrapper
from genui_core.domain.apps_extension import (
    CLIENT_CAPABILITIES_KEY,
    host_gets_apps,
    is_stateless,
    request_meta,
)
from genui_core.domain.envelope import cacheable_fields, call_fields
from genui_core.domain.jsonrpc import json_text, notification_line
from genui_core.domain.paged_listings import PagedListings
from genui_core.domain.registry import ToolDiff
from genui_core.domain.relay import DEFAULT_MAX_LINE_BYTES, PASS, Forward, Ours, Relay, Ticket
from genui_core.domain.rpc_errors import rpc_error
from genui_core.domain.ui_address import ui_address
from genui_core.errors import GenUiError
from genui_core.ports.journal import Level

_MOST_FOLLOWED = 1000


@define
class StdioInterception:
    """The wrapper's part of one host connection.

    Attributes:
        wrapper: Whose tools and views are served.
    """

    wrapper: Wrapper
    _max_line_bytes: int = DEFAULT_MAX_LINE_BYTES
    relay: Relay = field(init=False)
    _apps: bool = field(init=False)
    _is_stateful: bool = field(init=False, default=False)
    _upstream_can: Mapping[str, object] | None = field(init=False, default=None)
    _followed: dict[str, None] = field(init=False, factory=dict)
    _listings: PagedListings = field(init=False)
    _waiting_for_tools: list[Callable[[], None]] = field(init=False, factory=list)
    _routes: Mapping[str, Callable[[Mapping[str, object]], Forward | Ours]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Set up the table of the methods that are not mere traffic, and the relay that asks."""
        self._routes = {
            "initialize": self._initialize,
            "server/discover": self._announce,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/templates/list": self._list_templates,
            "resources/read": self._read,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._subscribe,
        }
        self._listings = PagedListings(self.wrapper.begin_listing)
        self.relay = Relay(self, self.wrapper.identity.nonce(), self._max_line_bytes)
        self._apps = host_gets_apps(None, self.wrapper.settings.apps)

    def decide(self, method: str, params: Mapping[str, object]) -> Forward | Ours:
        """Say what becomes of a request of the host's."""
        route = self._routes.get(method)
        return PASS if route is None else route(params)

    # --- what the host gets -------------------------------------------------------------

    def _gets_apps(self, params: Mapping[str, object]) -> bool:
        """Whether the host gets UIs; the stateless generation says so with every request."""
        if not is_stateless(params):
            return self._apps
        return host_gets_apps(request_meta(params).get(CLIENT_CAPABILITIES_KEY), self.wrapper.settings.apps)

    def _initialize(self, params: Mapping[str, object]) -> Forward:
        self._is_stateful = True
        self.relay.forget_edits()
        self._apps = host_gets_apps(params.get("capabilities"), self.wrapper.settings.apps)
        if not self._apps:
            reason = "the host shows no MCP Apps"
            self.wrapper.journal.record(Level.INFO, "wrapper", "pass_through", reason=reason)
        return self._announce(params)

    def _announce(self, params: Mapping[str, object]) -> Forward:
        return Forward(CapabilityEditor(self._learn_upstream)) if self._gets_apps(params) else PASS

    def _learn_upstream(self, capabilities: Mapping[str, object]) -> None:
        self._upstream_can = capabilities

    def _upstream_lacks(self, capability: str) -> bool:
        """Whether the upstream has said that it has no such capability."""
        return self._upstream_can is not None and capability not in self._upstream_can

    # --- tools --------------------------------------------------------------------------

    def _list_tools(self, params: Mapping[str, object]) -> Forward:
        if not self._gets_apps(params):
            return PASS
        return Forward(
            ToolListEditor(self.wrapper, self._listings, params.get("cursor"), self._tools_changed)
        )

    def _call_tool(self, params: Mapping[str, object]) -> Forward | Ours:
        name = params.get("name")
        if not isinstance(name, str) or not name.startswith("_ui_") or not self._gets_apps(params):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._call_own_tool))

    def _call_own_tool(self, ticket: Ticket) -> None:
        name, arguments = ticket.params["name"], ticket.params.get("arguments")
        if name not in self.wrapper.tools.definitions():
            ticket.forward()
            return
        result = self.wrapper.tools.call(name, arguments if isinstance(arguments, Mapping) else {})
        ticket.succeed(json_text({**result, **call_fields(stateless=is_stateless(ticket.params))}))

    def _tools_changed(self, diff: ToolDiff) -> None:
        """Tell a host of the handshake generations that its views changed, after the tools it asked for."""
        if diff.is_empty or not self._is_stateful or self.wrapper.listing_number == 1:
            return
        lines = [notification_line("notifications/resources/list_changed")]
        stale = {ui_address(name) for name in (*diff.changed, *diff.removed)}
        lines += [
            notification_line("notifications/resources/updated", {"uri": address})
            for address in self._followed
            if address.partition("?")[0] in stale
        ]
        self.relay.say_after_answer(lines)

    # --- resources ----------------------------------------------------------------------

    def _list_resources(self, params: Mapping[str, object]) -> Forward | Ours:
        if not self._gets_apps(params):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._list_all_resources))

    def _list_all_resources(self, ticket: Ticket) -> None:
        entries = self.wrapper.resource_entries()
        if self._upstream_lacks("resources"):
            ticket.succeed(json_text({"resources": entries, **_cacheable(ticket.params)}))
        else:
            ticket.forward(ResourceListEditor("resources", entries, _cacheable(ticket.params)))

    def _list_templates(self, params: Mapping[str, object]) -> Forward | Ours:
        if not self._gets_apps(params):
            return PASS
        if self._upstream_lacks("resources"):
            return Ours(
                lambda ticket: ticket.succeed(json_text({"resourceTemplates": [], **_cacheable(params)}))
            )
        return Forward(ResourceListEditor("resourceTemplates", [], _cacheable(params)))

    def _read(self, params: Mapping[str, object]) -> Forward | Ours:
        if not self._gets_apps(params) or not _is_ui(params.get("uri")):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._read_view))

    def _read_view(self, ticket: Ticket) -> None:
        uri = str(ticket.params["uri"])
        if not self.wrapper.owns(uri):
            ticket.forward()
            return
        self._follow(uri)
        contents = self.wrapper.read_view(uri)
        fields = "".join(
            f",{json_text(key)}:{json_text(value)}" for key, value in _cacheable(ticket.params).items()
        )
        ticket.succeed(f'{{"contents":[{contents}]{fields}}}')

    def _follow(self, uri: str) -> None:
        """Remember an address whose reader is to be told when its view changes; the newest thousand."""
        self._followed[uri] = None
        if len(self._followed) > _MOST_FOLLOWED:
            del self._followed[next(iter(self._followed))]

    def _subscribe(self, params: Mapping[str, object]) -> Forward | Ours:
        if not self._gets_apps(params) or not _is_ui(params.get("uri")):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._answer_subscription))

    def _answer_subscription(self, ticket: Ticket) -> None:
        uri = str(ticket.params["uri"])
        if not self.wrapper.owns(uri):
            ticket.forward()
            return
        self._follow(uri)
        ticket.succeed(json_text(call_fields(stateless=is_stateless(ticket.params))))

    # --- knowing the tools first --------------------------------------------------------

    def _with_tools(self, ticket: Ticket, then: Callable[[Ticket], None]) -> None:
        """Go on when the upstream's tools are known; where they are not, one listing serves all who wait."""
        if self.wrapper.knows_all_tools or self._upstream_lacks("tools"):
            self._finish(ticket, then)
            return
        self._waiting_for_tools.append(lambda: self._finish(ticket, then))
        if len(self._waiting_for_tools) == 1:
            meta = {
                key: value for key, value in request_meta(ticket.params).items() if key != "progressToken"
            }
            question = ToolQuestion(self.wrapper, self.relay, meta, self._tools_known)
            question.ask()

    def _tools_known(self) -> None:
        """Serve who waited, also when the upstream did not say: what is not known to be ours goes to it."""
        waiting, self._waiting_for_tools = self._waiting_for_tools, []
        for serve in waiting:
            serve()

    def _finish(self, ticket: Ticket, then: Callable[[Ticket], None]) -> None:
        try:
            then(ticket)
        except GenUiError as error:
            self._fail(ticket, error)
        except Exception as error:  # noqa: BLE001 -- a fault in serving a view must not end the connection
            self._fail(ticket, GenUiError(f"mcp-gen-ui failed: {error!r}"))

    def _fail(self, ticket: Ticket, error: GenUiError) -> None:
        request_id = self.wrapper.identity.request_id()
        self.wrapper.journal.record(
            Level.WARN, "relay", "request_failed", request_id=request_id, message=str(error)
        )
        ticket.fail(rpc_error(error, request_id=request_id, stateless=is_stateless(ticket.params)))


def _is_ui(uri: object) -> bool:
    return isinstance(uri, str) and uri[:5].lower() == "ui://"


def _cacheable(params: Mapping[str, object]) -> Mapping[str, object]:
    return cacheable_fields(stateless=is_stateless(params))
