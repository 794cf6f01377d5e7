"""Answers the host's requests to the wrapper, once the upstream's tools are known."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import define, field, frozen

from genui_core.application.requests.input_rounds import AskedWork, Asker, InputRequired, InputRounds
from genui_core.application.stdio.peers import Peers
from genui_core.application.stdio.tool_knowledge import ToolKnowledge
from genui_core.application.tool_views import ToolViews
from genui_core.domain.logging.logged_error import logged_error
from genui_core.domain.mcp.envelope import ProgressReport, is_stateless
from genui_core.domain.mcp.jsonrpc import json_text, rpc_error
from genui_core.domain.session.pending_requests import Ours, PendingRequest
from genui_core.domain.session.relay import Relay
from genui_core.errors import GenUiError, HostRefused
from genui_core.ports.event_log import Level
from genui_core.ports.host_model import SAMPLING, HostModel, Params, Result

if TYPE_CHECKING:
    from genui_core.application.worker.generation_worker import Work


@frozen
class RelayedModel(HostModel):
    """Asks with requests of our own, of which the upstream hears nothing."""

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


Made = TypeVar("Made")


@define(eq=False)
class RequestAnswers:
    """Answers pending requests; an error of the wrapper fails the request, never the connection."""

    _views: ToolViews
    _relay: Relay
    _peers: Peers
    _knowledge: ToolKnowledge
    _asked: AskedWork = field(init=False)

    @_asked.default
    def _nothing_suspended(self) -> AskedWork:
        return AskedWork(self._views, InputRounds(self._views.identity.nonce))

    def ours(self, serve: Callable[[PendingRequest], None]) -> Ours:
        """Return the decision that a request is ours, to be served when the tools are known."""
        return Ours(lambda pending: self._when_tools_are_known(pending, serve))

    def have_made(
        self,
        pending: PendingRequest,
        work: "Work[Made]",
        then: Callable[[Made], None],
        otherwise: Callable[[PendingRequest], None] | None = None,
        request_id: str | None = None,
    ) -> None:
        """Have the generation worker do something for a request, and go on with what it comes to.

        The work is given up where the host cancels the request.

        Args:
            pending: The request.
            work: The work to run.
            then: Sends the result as the answer.
            otherwise: Answers where it failed, which is logged; without it the error is the answer.
            request_id: The id under which the log has the request; a new one if it has none yet.
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

        report = ProgressReport(pending.params, pending.tell)
        pending.when_cancelled(self._asked.begin(self._asker(pending), work, landed, report))

    def _asker(self, pending: PendingRequest) -> Asker:
        capabilities, stateless = self._peers.host_capabilities(pending.params), is_stateless(pending.params)
        return Asker(pending.method, pending.params, capabilities, stateless, RelayedModel(self._relay))

    def record_failure(
        self, error: GenUiError, pending: PendingRequest, request_id: str | None = None
    ) -> str:
        """Log a request that failed; return the id under which the log has it."""
        request_id = request_id or self._views.identity.request_id()
        self._views.event_log.record(
            Level.WARN,
            "relay",
            "request_failed",
            request_id=request_id,
            method=pending.method,
            error=logged_error(error),
        )
        return request_id

    def _when_tools_are_known(self, pending: PendingRequest, serve: Callable[[PendingRequest], None]) -> None:
        if self._peers.upstream_lacks("tools"):
            self._serve(pending, serve)
        else:
            self._knowledge.when_known(lambda: self._serve(pending, serve))

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
