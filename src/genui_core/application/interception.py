"""What the stdio relay does with a host's requests: the wrapper's part of one connection."""

from collections.abc import Callable, Mapping

from attrs import define, field

from genui_core.application.answer_editors import (
    CapabilityEditor,
    ResourceListEditor,
    ToolListEditor,
)
from genui_core.application.wrapper import Wrapper
from genui_core.domain.apps_extension import (
    CLIENT_CAPABILITIES_KEY,
    AppsSetting,
    host_gets_apps,
    is_stateless,
    request_meta,
)
from genui_core.domain.jsonrpc import json_text, notification_line
from genui_core.domain.registry import ToolDiff
from genui_core.domain.relay import DEFAULT_MAX_LINE_BYTES, PASS, Forward, Ours, Relay, Ticket
from genui_core.domain.rpc_errors import rpc_error
from genui_core.domain.ui_address import ui_address
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.journal import Level

_STATELESS_FIELDS = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
"""What the 2026-07-28 generation requires of a list or read result; a view may change at any time."""


@define
class StdioInterception:
    """The wrapper's part of one host connection.

    Attributes:
        wrapper: Whose tools and views are served.
    """

    wrapper: Wrapper
    _max_line_bytes: int = DEFAULT_MAX_LINE_BYTES
    relay: Relay = field(init=False)
    _apps: bool | None = field(init=False, default=None)
    _is_stateful: bool = field(init=False, default=False)
    _upstream_has_resources: bool | None = field(init=False, default=None)
    _read_addresses: set[str] = field(init=False, factory=set)
    _routes: Mapping[str, Callable[[Mapping[str, object]], Forward | Ours]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Set up the table of the methods that are not mere traffic, and the relay that asks."""
        self._routes = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/templates/list": self._list_templates,
            "resources/read": self._read,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._subscribe,
        }
        self.relay = Relay(self, self.wrapper.identity.nonce(), self._max_line_bytes)
        if self.wrapper.settings.apps is AppsSetting.ALWAYS:
            self._apps = True

    def decide(self, method: str, params: Mapping[str, object]) -> Forward | Ours:
        """Say what becomes of a request of the host's."""
        route = self._routes.get(method)
        return PASS if route is None else route(params)

    # --- what the host gets -------------------------------------------------------------

    def _gets_apps(self, params: Mapping[str, object]) -> bool:
        """Whether the host gets UIs; the stateless generation says so with every request."""
        capabilities = request_meta(params).get(CLIENT_CAPABILITIES_KEY)
        if capabilities is not None:
            self._learn_capabilities(capabilities)
        return bool(self._apps)

    def _learn_capabilities(self, capabilities: object) -> None:
        apps = host_gets_apps(capabilities, self.wrapper.settings.apps)
        if apps != self._apps and not apps:
            self.wrapper.journal.record(
                Level.INFO, "wrapper", "pass_through", reason="the host shows no MCP Apps"
            )
        self._apps = apps

    def _initialize(self, params: Mapping[str, object]) -> Forward:
        self._is_stateful = True
        self._learn_capabilities(params.get("capabilities"))
        return self._capabilities()

    def _discover(self, params: Mapping[str, object]) -> Forward:
        self._gets_apps(params)
        return self._capabilities()

    def _capabilities(self) -> Forward:
        return Forward(CapabilityEditor(self._learn_upstream)) if self._apps else PASS

    def _learn_upstream(self, *, has_resources: bool) -> None:
        self._upstream_has_resources = has_resources

    # --- tools --------------------------------------------------------------------------

    def _list_tools(self, params: Mapping[str, object]) -> Forward:
        if not self._gets_apps(params):
            return PASS
        return Forward(ToolListEditor(self.wrapper, params.get("cursor"), self._tools_changed))

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
        stateless = {"resultType": "complete"} if is_stateless(ticket.params) else {}
        ticket.succeed(json_text({**result, **stateless}))

    def _tools_changed(self, diff: ToolDiff) -> None:
        """Tell a host of the handshake generations that its views changed, after the tools it asked for."""
        if diff.is_empty or not self._is_stateful or self.wrapper.listing_number == 1:
            return
        lines = [notification_line("notifications/resources/list_changed")]
        stale = {ui_address(name) for name in (*diff.changed, *diff.removed)}
        lines += [
            notification_line("notifications/resources/updated", {"uri": address})
            for address in sorted(self._read_addresses)
            if address.partition("?")[0] in stale
        ]
        self.relay.say_after_answer(lines)

    # --- resources ----------------------------------------------------------------------

    def _list_resources(self, params: Mapping[str, object]) -> Forward | Ours:
        if not self._gets_apps(params):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._list_all_resources))

    def _list_all_resources(self, ticket: Ticket) -> None:
        entries = {"resources": self.wrapper.resource_entries()}
        if self._upstream_has_resources is False:
            ticket.succeed(_list_result(entries, ticket.params))
        else:
            ticket.forward(
                ResourceListEditor("resources", entries["resources"], _stateless_fields(ticket.params))
            )

    def _list_templates(self, params: Mapping[str, object]) -> Forward | Ours:
        if not self._gets_apps(params):
            return PASS
        if self._upstream_has_resources is False:
            return Ours(lambda ticket: ticket.succeed(_list_result({"resourceTemplates": []}, ticket.params)))
        return Forward(ResourceListEditor("resourceTemplates", [], _stateless_fields(params)))

    def _read(self, params: Mapping[str, object]) -> Forward | Ours:
        uri = params.get("uri")
        if not isinstance(uri, str) or not uri.lower().startswith("ui://") or not self._gets_apps(params):
            return PASS
        return Ours(lambda ticket: self._with_tools(ticket, self._read_view))

    def _read_view(self, ticket: Ticket) -> None:
        uri = str(ticket.params["uri"])
        if not self.wrapper.owns(uri):
            ticket.forward()
            return
        self._read_addresses.add(uri)
        contents = self.wrapper.read_view(uri)
        fields = "".join(
            f",{json_text(key)}:{json_text(value)}" for key, value in _stateless_fields(ticket.params).items()
        )
        ticket.succeed(f'{{"contents":[{contents}]{fields}}}')

    def _subscribe(self, params: Mapping[str, object]) -> Forward | Ours:
        if not self._gets_apps(params) or not self.wrapper.owns(params.get("uri")):
            return PASS
        return Ours(lambda ticket: ticket.succeed("{}"))

    # --- knowing the tools first --------------------------------------------------------

    def _with_tools(self, ticket: Ticket, then: Callable[[Ticket], None]) -> None:
        """Go on when the upstream's tools are known, listing them first where they are not."""
        if self.wrapper.knows_all_tools:
            self._finish(ticket, then)
        else:
            self._list_own(ticket, then, cursor=None)

    def _list_own(self, ticket: Ticket, then: Callable[[Ticket], None], cursor: str | None) -> None:
        def take(message: Mapping[str, object]) -> None:
            error, result = message.get("error"), message.get("result")
            if not isinstance(result, Mapping) or not isinstance(result.get("tools"), list):
                failed = UpstreamFailed(
                    error if isinstance(error, Mapping) else {"message": "no list of tools"}
                )
                self._fail(ticket, failed)
                return
            following = result.get("nextCursor")
            self.wrapper.learn_page(result["tools"], is_first=cursor is None, is_last=not following)
            if following:
                self._list_own(ticket, then, following)
            else:
                self._finish(ticket, then)

        meta = {key: value for key, value in request_meta(ticket.params).items() if key != "progressToken"}
        params = {**({"_meta": meta} if meta else {}), **({"cursor": cursor} if cursor else {})}
        self.relay.ask_upstream("tools/list", params or None, take)

    def _finish(self, ticket: Ticket, then: Callable[[Ticket], None]) -> None:
        try:
            then(ticket)
        except GenUiError as error:
            self._fail(ticket, error)
        except Exception as error:  # noqa: BLE001 -- a fault in serving a view must not end the tools' connection
            self._fail(ticket, GenUiError(f"mcp-gen-ui failed: {error!r}"))

    def _fail(self, ticket: Ticket, error: GenUiError) -> None:
        request_id = self.wrapper.identity.request_id()
        self.wrapper.journal.record(
            Level.WARN, "relay", "request_failed", request_id=request_id, message=str(error)
        )
        ticket.fail(rpc_error(error, request_id=request_id, stateless=is_stateless(ticket.params)))


def _stateless_fields(params: Mapping[str, object]) -> Mapping[str, object]:
    return _STATELESS_FIELDS if is_stateless(params) else {}


def _list_result(listed: Mapping[str, object], params: Mapping[str, object]) -> str:
    return json_text({**listed, **_stateless_fields(params)})
