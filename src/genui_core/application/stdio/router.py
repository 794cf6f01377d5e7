"""Routes the requests of one host in the stdio relay: forwards, edits or answers them."""

from collections.abc import Callable, Collection, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from genui_core.application.requests.host_request import Forward, HostRequest, error_for_host
from genui_core.application.requests.request_router import RequestRouter
from genui_core.application.stdio.answer_run import AnswerRun, RelayedModel, RelayWaits, Wait, upstream_answer
from genui_core.application.stdio.supervision import StdioSession, Supervision
from genui_core.application.stdio.upstream_changes import ChangeNotices, RelayListings
from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.envelope import is_stateless, request_meta
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import Params, Result
from genui_core.domain.mcp.methods import ACKNOWLEDGED, CANCELLED, LISTEN
from genui_core.domain.session.exchange import PASS, Decision, Forwarding
from genui_core.domain.session.relay import Relay
from genui_core.ports.change_notifier import ChangeNotifier

if TYPE_CHECKING:
    from genui_core.application.stdio.companion import Companion, PageMaker

Answer = Callable[[HostRequest, Forward], Coroutine[Wait, Any, Result]]
"""Returns the result of a request; a coroutine."""


class StdioRouter(ChangeNotifier):
    """One stdio host's session: decides which requests the relay forwards, edits or answers.

    Args:
        views: The tools and their views.
        make_page: Makes the companion page; None where there is none.
    """

    def __init__(self, views: ToolViews, make_page: "PageMaker | None" = None) -> None:
        """Create the parts, and the table of methods that the request router does not decide alone."""
        self.views = views
        self._make_page = make_page
        self._session = StdioSession()
        self._companion: Companion | None = None
        limits = views.settings.upstream
        self.relay = Relay(self, views.identity.nonce(), limits.max_line_bytes, limits.call_timeout_ms)
        self._notices = ChangeNotices(self.relay, self._session)
        self._listings = RelayListings(views, self.relay, self._session, self._notices)
        self._requests = RequestRouter(views, self._listings, RelayWaits(self.relay))
        self._shows_views = self._requests.gets_apps(None)
        self.supervision = Supervision(
            views, self.relay, self._session, self._notices.upstream_lost, self._upstream_back
        )
        self._routes: Mapping[str, Callable[[str, Params], Decision]] = {
            "initialize": self._initialize,
            "tools/list": self._list_tools,
            "tools/call": self._call,
            "resources/read": self._decide_at_address,
            "resources/subscribe": self._decide_at_address,
            "resources/unsubscribe": self._decide_at_address,
            "logging/setLevel": self._set_log_level,
            LISTEN: self._listen,
        }

    def close(self) -> None:
        """Close the companion page, if there is one."""
        if self._companion is not None:
            self._companion.close()

    # --- called by the relay ------------------------------------------------------------

    def decide(self, method: str, params: Params) -> Decision:
        """Decide whether to forward or answer a request from the host."""
        if not self.relay.exchange.link.has_spoken:
            self.supervision.expect_first_line(method)
        return self._routes.get(method, self._decide)(method, params)

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
            self._listings.changed()
        return line

    def first_word(self) -> None:
        """Handle the first line of an upstream since its start."""
        self.supervision.first_word()
        self._listings.refresh_periodically()

    def request_failed(
        self, error: Mapping[str, object], method: str, tool_name: str | None
    ) -> Mapping[str, object]:
        """Log a request that fails with an error of the wrapper; return the error with the request's own id."""
        data = as_object(error.get("data"))
        code = data.get("errorType") or error.get("code")
        logged = {"code": code, "message": error.get("message"), "stack": None}
        request_id = self.views.services.log_failure(method, logged, tool_name=tool_name)
        named = {} if tool_name is None else {"toolName": tool_name}
        return {**error, "data": {**data, "requestId": request_id, **named}}

    # --- decisions ----------------------------------------------------------------------

    def _decide(self, method: str, params: Params) -> Decision:
        """Decide about a request as the request router does."""
        if self._requests.passes(method, params, gets_apps=self._gets_apps(params)):
            return PASS
        return self._run(self._requests.take_part, method, params)

    def _run(self, answer: Answer, method: str, params: Params) -> Decision:
        request = self._request(method, params)
        failed = partial(error_for_host, self.views, request)
        return AnswerRun(answer(request, upstream_answer), failed).decide()

    def _request(self, method: str, params: Params) -> HostRequest:
        """Return a request of the host as the request router gets it."""
        stateless, handshake = self._read_meta(params), self._session.handshake
        model = RelayedModel(self.relay)
        return HostRequest(method, params, model=model, handshake=handshake, stateless=stateless)

    def _read_meta(self, params: Params) -> bool:
        """Return whether a request is stateless; store its ``_meta`` for the wrapper's own requests."""
        stateless = "_meta" in params and is_stateless(params)
        if stateless:
            meta = request_meta(params)
            self._session.meta = {key: each for key, each in meta.items() if key != "progressToken"}
        return stateless

    def _initialize(self, method: str, params: Params) -> Decision:
        self._session.begin(params)
        self._shows_views = self._requests.gets_apps(params.get("capabilities"))
        self.relay.exchange.in_flight.forget_edits()

        async def answer(request: HostRequest, forward: Forward) -> Result:
            result = await self._requests.answer(request, forward)
            self._session.initialize = params
            return result

        return self._run(answer, method, params)

    def _list_tools(self, method: str, params: Params) -> Decision:
        companion = self._companion_of(params)
        if companion is None:
            return self._decide(method, params)
        return self._run(companion.list_tools, method, params)

    def _call(self, method: str, params: Params) -> Decision:
        companion = self._companion_of(params)
        if companion is None:
            return self._decide_call(method, params)
        if str(params.get("name")).startswith("_ui_"):
            return self._run(companion.call, method, params)
        decision = self._decide_call(method, params)
        return companion.watch_call(params, decision) if isinstance(decision, Forwarding) else decision

    def _decide_call(self, method: str, params: Params) -> Decision:
        name = params.get("name")
        if "_meta" not in params and self.views.passes_call(name):
            return PASS  # the usual call: nothing to edit, to learn, or to store about the host
        is_learned_from = not self.views.edits_call(name) and self._gets_apps(params)
        learning = self.views.learning_from(name) if is_learned_from else None
        if learning is None:
            return self._decide(method, params)
        self.relay.later(0, partial(self.views.call_begins, str(name)))  # after the call was written
        return Forwarding(see=learning.watcher(str(name), self.views.worker.run))

    def _decide_at_address(self, method: str, params: Params) -> Decision:
        """Decide about a read or a subscription; store what the host follows, here or at the upstream."""
        decision = self._decide(method, params)
        if decision is PASS:
            self._session.upstream_state.note(method, params)
        else:
            self._notices.followed.follow(params["uri"])
        return decision

    def _listen(self, method: str, params: Params) -> Decision:
        async def opened(request: HostRequest, forward: Forward) -> Result:
            views = await self._requests.listened_views(request, forward)
            ended: Result = await Wait(lambda pending, _resume: self._notices.open_stream(pending, views))
            return ended

        return self._run(opened, method, params) if self._gets_apps(params) else PASS

    def _set_log_level(self, method: str, params: Params) -> Forwarding:
        self._session.upstream_state.note(method, params)
        return PASS

    def _gets_apps(self, params: Params) -> bool:
        """Whether the host gets views; a host of the modern era says so in every request."""
        if "_meta" not in params:
            return self._shows_views
        return self._requests.gets_apps(self._request("", params).capabilities)

    def _companion_of(self, params: Params) -> "Companion | None":
        """Return the companion page if the host that sends a request gets its tools (``companion.mode``)."""
        mode = self.views.settings.companion.mode
        if self._make_page is None or mode == "never" or (mode == "onDemand" and self._gets_apps(params)):
            return None
        if self._companion is None:
            from genui_core.application.stdio.companion import Companion, PageRequests  # noqa: PLC0415 -- few hosts want it

            page = PageRequests(self.views, self.relay, self._session, self._listings)
            self._companion = Companion(self.views, self._requests, page.host, self._make_page)
        return self._companion

    # --- changes ------------------------------------------------------------------------

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Notify the host that the views of these tools changed, if it shows views."""
        if self._gets_apps({}) or not self._session.is_stateful:
            for line in self._notices.views_changed(tool_names):
                self.relay.exchange.to_host.say(line)

    def _upstream_back(self, result: Params) -> None:
        """Read the greeting and the tools of a restarted upstream, which may be another version."""
        self._requests.meet_upstream(result)
        if self.views.tools.knows_all_tools:
            self._listings.refresh(lambda _outcome: None)
