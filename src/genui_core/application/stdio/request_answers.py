"""Answers the host's requests to the wrapper, once the upstream's tools are listed (SPEC W10).

`ToolKnowledge` says whether the wrapper knows the upstream's tools, and lists them if not;
`RequestAnswers` answers a request when they are known.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import field, frozen

from genui_core.application.requests.host_request import (
    HostRequest,
    InputRequired,
    WorkOfHosts,
)
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import Cursors, Listing, ToolDiff
from genui_core.domain.logging.redaction import logged_error
from genui_core.domain.mcp.envelope import (
    CLIENT_CAPABILITIES_KEY,
    AppsSetting,
    call_fields,
    host_gets_apps,
    host_name,
    is_stateless,
    progress_report,
    request_meta,
    server_info_of,
)
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import json_text, rpc_error
from genui_core.domain.session.pending_requests import PendingRequest
from genui_core.domain.session.relay import Relay
from genui_core.errors import GenUiError, HostRefused, UpstreamFailed
from genui_core.ports.event_log import Level
from genui_core.ports.host_model import SAMPLING, HostModel, Params, Result

if TYPE_CHECKING:
    from genui_core.application.worker.generation_worker import Work

HOST_FIRST_S = 1.0
"""How long the wrapper waits for the host to list changed tools, before it lists them itself."""

Outcome = ToolDiff | UpstreamFailed
Made = TypeVar("Made")


class PeerCapabilities:
    """The capabilities of the host and of the upstream.

    Attributes:
        handshake: The params of the last ``initialize``.
        meta: The ``_meta`` of the last stateless request, which the wrapper's own requests repeat; empty in the
            handshake era.
    """

    def __init__(self, setting: AppsSetting) -> None:
        self._setting = setting
        self.meta: Params = {}
        self.serves_apps = host_gets_apps(None, setting)
        self.upstream_can: Params | None = None
        self.handshake: Params = {}

    def store_handshake(self, params: Params) -> None:
        """Store the host's capabilities from an ``initialize``."""
        self.handshake = params
        self.serves_apps = host_gets_apps(params.get("capabilities"), self._setting)

    def host_capabilities(self, params: Params) -> object:
        """Return what the host that sent a request says of itself."""
        if is_stateless(params):
            return request_meta(params).get(CLIENT_CAPABILITIES_KEY)
        return self.handshake.get("capabilities")

    def host_name(self, params: Params) -> str:
        """Return how the host that sent a request names itself, or ""."""
        return host_name(params, self.handshake)

    def gets_apps(self, params: Params) -> bool:
        """Whether the host gets UIs; in the stateless era it says so with every request, in its ``_meta``."""
        if "_meta" not in params or not is_stateless(params):
            return self.serves_apps
        meta = request_meta(params)
        self.meta = {key: value for key, value in meta.items() if key != "progressToken"}
        return host_gets_apps(meta.get(CLIENT_CAPABILITIES_KEY), self._setting)

    def upstream_told(self, capabilities: object) -> None:
        """Store the upstream's capabilities."""
        self.upstream_can = as_object(capabilities)

    def upstream_lacks(self, capability: str) -> bool:
        """Whether the upstream has said that it has no such capability."""
        return self.upstream_can is not None and capability not in self.upstream_can


class ToolKnowledge:
    """Whether the wrapper knows the upstream's tools, and which changes it has seen; lists them (``toolRefresh``).

    Args:
        tell: Called with what a listing of the wrapper's own has changed.

    Attributes:
        peers: Tell the ``_meta`` of the wrapper's own requests.
        changes: How many changes the upstream has announced: a listing that begins now sees all of them.
    """

    def __init__(
        self, views: ToolViews, relay: Relay, peers: PeerCapabilities, tell: Callable[[ToolDiff], None]
    ) -> None:
        self._views = views
        self._relay = relay
        self.peers = peers
        self._tell = tell
        self._waiting: list[Callable[[Outcome], None]] = []
        self.changes = 0
        self._changes_seen = 0
        self._failures = 0
        self._is_refreshing = False

    @property
    def is_current(self) -> bool:
        """Whether the tools were listed, and the upstream has announced no change since."""
        return self._views.tools.knows_all_tools and self._changes_seen == self.changes

    def listed(self, age_mark: int) -> None:
        """Record a complete listing of the tools that began at this mark."""
        self._changes_seen = max(self._changes_seen, age_mark)

    def when_known(self, then: Callable[[], None]) -> None:
        """Call ``then`` when the tools are known, or their listing failed; one listing serves all that wait."""
        if self.is_current:
            then()
        else:
            self._ask(lambda _outcome: then())

    def refresh(self, then: Callable[[Outcome], None]) -> None:
        """List the tools again, by a listing that begins now."""
        if self._waiting:
            self._waiting.append(lambda _outcome: self.refresh(then))
        else:
            self._ask(then)

    def upstream_changed(self) -> None:
        """Record that the upstream's tools changed. If the host lists them now, the wrapper need not."""
        self.changes += 1
        self._relay.later(HOST_FIRST_S, self._catch_up)

    def _catch_up(self) -> None:
        if self._views.tools.knows_all_tools and not self.is_current:
            self._ask(lambda _outcome: None)

    def _ask(self, then: Callable[[Outcome], None]) -> None:
        self._waiting.append(then)
        if len(self._waiting) == 1:
            self._list(self._views.tools.begin_listing(), Cursors(), self.changes)

    def _list(self, listing: Listing, cursors: Cursors, age_mark: int, cursor: str | None = None) -> None:
        """Ask for a page of the tools, and for those after it."""

        def take(message: Mapping[str, object]) -> None:
            page, error = as_object(message.get("result")), message.get("error")
            try:
                listing.take(page, error)
            except UpstreamFailed as failed:
                self._views.event_log.record(Level.WARN, "relay", "tools_not_listed", error=error)
                self._finish(age_mark, failed)
                return
            self._views.tools.know_upstream(server_info_of(page))
            if (following := cursors.after(page)) is not None:
                self._list(listing, cursors, age_mark, following)
            else:
                self._finish(age_mark, self._views.finish_listing(listing))

        meta = self.peers.meta
        params = {**({"_meta": meta} if meta else {}), **({"cursor": cursor} if cursor else {})}
        self._relay.ask_upstream("tools/list", params or None, take)

    def _finish(self, age_mark: int, outcome: Outcome) -> None:
        """Serve all that waited, also after an error: a request that may not be the wrapper's is forwarded."""
        if isinstance(outcome, ToolDiff):
            self.listed(age_mark)
            self._tell(outcome)
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then(outcome)

    def refresh_periodically(self) -> None:
        """List the tools again at an interval if the setting asks for it; may be called again."""
        settings = self._views.settings.tool_refresh
        if settings.enabled and not self._is_refreshing:
            self._is_refreshing = True
            self._refresh_in(settings.interval_ms)

    def _refresh_in(self, delay_ms: int) -> None:
        self._relay.later(delay_ms / 1000, self._refresh_due)

    def _refresh_due(self) -> None:
        if self._views.tools.knows_all_tools:
            self.refresh(self._refreshed)
        else:  # no host has listed them yet
            self._refresh_in(self._views.settings.tool_refresh.interval_ms)

    def _refreshed(self, outcome: Outcome) -> None:
        settings = self._views.settings.tool_refresh
        if isinstance(outcome, ToolDiff):
            self._failures = 0
            self._refresh_in(settings.interval_ms)
        else:
            waits = settings.retry_backoff_ms or (settings.interval_ms,)
            self._refresh_in(waits[min(self._failures, len(waits) - 1)])
            self._failures += 1


@frozen
class RelayedModel(HostModel):
    """Asks the host with the wrapper's own requests, which the upstream does not see."""

    _relay: Relay

    def ask(self, params: Params, then: Callable[[Result | GenUiError], None]) -> Callable[[], None]:
        """Ask the host."""

        def answered(message: Mapping[str, object]) -> None:
            result, error = message.get("result"), message.get("error")
            if isinstance(result, Mapping):
                then(result)
            else:
                then(HostRefused(error if isinstance(error, Mapping) else {"message": "no answer"}))

        return self._relay.ask_host(SAMPLING, params, answered)


@frozen(eq=False)
class RequestAnswers:
    """Answers pending requests; an error of the wrapper fails the request, never the connection."""

    _views: ToolViews
    _relay: Relay
    _peers: PeerCapabilities
    _knowledge: ToolKnowledge
    _work: WorkOfHosts = field(init=False)

    @_work.default
    def _(self) -> WorkOfHosts:
        return WorkOfHosts(self._views)

    def ours(self, serve: Callable[[PendingRequest], None]) -> Callable[[PendingRequest], None]:
        """Return the decision that the wrapper answers a request, when the tools are known."""

        def when_known(pending: PendingRequest) -> None:
            if self._peers.upstream_lacks("tools"):
                self._serve(pending, serve)
            else:
                self._knowledge.when_known(lambda: self._serve(pending, serve))

        return when_known

    def answer_with(
        self,
        pending: PendingRequest,
        work: "Work[Made]",
        then: Callable[[Made], None],
        otherwise: Callable[[PendingRequest], None] | None = None,
        request_id: str | None = None,
    ) -> None:
        """Give the generation worker a task for a request, and answer with the result.

        The task is cancelled if the host cancels the request.

        Args:
            pending: The request.
            work: The task.
            then: Sends the result as the answer.
            otherwise: Answers after a failure, which is logged; without it the error is the answer.
            request_id: The request's id in the event log; a new one if it has none yet.
        """

        def landed(made: object) -> None:
            if isinstance(made, InputRequired):
                pending.succeed(json_text(made.result))
            elif isinstance(made, GenUiError) and otherwise is not None:
                self.record_failure(made, pending, request_id)
                self._serve(pending, otherwise)
            elif isinstance(made, GenUiError):
                self._fail(pending, made, request_id)
            else:
                self._serve(pending, lambda _pending: then(cast("Made", made)))

        report = progress_report(pending.params, pending.tell)
        pending.when_cancelled(self._work.begin(self._request(pending), work, landed, report))

    def _request(self, pending: PendingRequest) -> HostRequest:
        capabilities, stateless = self._peers.host_capabilities(pending.params), is_stateless(pending.params)
        model = RelayedModel(self._relay)
        return HostRequest(pending.method, pending.params, capabilities, stateless, model=model)

    def succeed(self, pending: PendingRequest, result: Mapping[str, object]) -> None:
        """Answer a call of one of the wrapper's own tools."""
        pending.succeed(json_text({**result, **call_fields(stateless=is_stateless(pending.params))}))

    def record_failure(
        self, error: GenUiError, pending: PendingRequest, request_id: str | None = None
    ) -> str:
        """Log a request that failed; return its id in the event log."""
        return self._views.services.log_failure(pending.method, logged_error(error), request_id)

    def _serve(self, pending: PendingRequest, serve: Callable[[PendingRequest], None]) -> None:
        try:
            serve(pending)
        except GenUiError as error:
            self._fail(pending, error)
        except Exception as error:  # noqa: BLE001 -- a fault in serving a view must not end the connection
            self._fail(pending, GenUiError(f"mcp-gen-ui failed: {error!r}"))

    def _fail(self, pending: PendingRequest, error: GenUiError, request_id: str | None = None) -> None:
        pending.fail(self.logged_failure(error, pending, request_id))

    def logged_failure(
        self, error: GenUiError, pending: PendingRequest, request_id: str | None = None
    ) -> dict[str, object]:
        """Log why a request failed; return the error for its host."""
        request_id = self.record_failure(error, pending, request_id)
        return rpc_error(error, request_id=request_id, stateless=is_stateless(pending.params))
