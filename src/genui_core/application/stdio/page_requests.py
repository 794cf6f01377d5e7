"""The requests of the companion page: one more host of the wrapper, inside it."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from attrs import field, frozen

from genui_core.application.stdio.companion import PageHost
from genui_core.application.stdio.host_messages import ChangeNotices
from genui_core.application.stdio.host_requests import ToolRequests, ViewRequests
from genui_core.application.stdio.request_answers import PeerCapabilities, RequestAnswers, ToolKnowledge
from genui_core.application.stdio.supervision import HostSession
from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.envelope import AppsSetting
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import RequestId, json_text
from genui_core.domain.session.exchange import Then
from genui_core.domain.session.pending_requests import (
    PASS,
    Decision,
    Forward,
    HostRequests,
    PendingRequest,
)
from genui_core.domain.session.relay import Relay
from genui_core.domain.session.upstream_answers import AnswerEdits, Asked
from genui_core.ports.host_model import Params

_CALL_TIMEOUT_S = 600.0


@frozen(eq=False)
class PageRequests(HostRequests):
    """The page's requests, decided as those of a host that shows MCP Apps; the session's host sees none of it."""

    _views: ToolViews
    _relay: Relay
    _knowledge: ToolKnowledge
    _then: dict[RequestId, Then] = field(init=False, factory=dict)

    def host(self) -> PageHost:
        """Return the wrapper as the page sees it."""

        def post(step: Callable[[], None]) -> None:
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
        request_id = self._exchange.own.new_id()
        self._then[request_id] = then
        self.hold(request_id)
        own = {key: value for key, value in params.items() if key != "_meta"}
        meta = self._knowledge.peers.meta
        asked = {**own, "_meta": meta} if meta else own
        pending = PendingRequest(request_id, method, asked, json_text(asked).encode(), self)
        route = self._routes.get(method)
        decision = PASS if route is None else route(asked)
        if isinstance(decision, Forward):
            pending.forward(decision.edit)
        else:
            decision(pending)

    def succeed(self, request_id: RequestId, result: str | Iterable[bytes]) -> None:
        """Answer with the JSON text of a result, whole or in pieces."""
        text = result if isinstance(result, str) else b"".join(result)
        self._answer(request_id, lambda: {"result": json.loads(text)})

    def fail(self, request_id: RequestId, error: Params) -> None:
        """Answer with an error."""
        self._answer(request_id, lambda: {"error": error})

    def notify(self, method: str, params: Params) -> None:
        """Say nothing: no one hears of progress."""

    def forward(self, request_id: RequestId, request: Asked, line: bytes) -> None:
        """Ask the upstream; ``line`` has the params alone."""
        self.hold(request_id)

        def edited(message: Params) -> Params:
            if request.editor is None:
                return message
            line = AnswerEdits().edited(json_text(message).encode(), request_id, request.editor)
            return as_object(json.loads(line))

        def answered(message: Params) -> None:
            self._answer(request_id, lambda: edited(message))

        self._relay.ask_upstream(request.method, json.loads(line), answered, _CALL_TIMEOUT_S)

    def _answer(self, request_id: RequestId, message: Callable[[], Params]) -> None:
        then = self._then.pop(request_id, None)
        if self.settle(request_id) and then is not None:
            then(message())
