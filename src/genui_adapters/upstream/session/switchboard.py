"""What arrives from an upstream, and to whom it goes."""

from collections.abc import Mapping

import anyio
from attrs import define, field

from genui_adapters.upstream.link import Inbox
from genui_adapters.upstream.message import Message
from genui_adapters.upstream.progress_tokens import for_host, own_id, progressed_request
from genui_adapters.upstream.session.meta import SUBSCRIPTION_KEY, without_meta
from genui_adapters.upstream.session.notices import Notices
from genui_adapters.upstream.session.pending import PendingRequest
from genui_adapters.upstream.session.questions import Questions
from genui_core.domain.framing.verbatim import result_in
from genui_core.errors import GenUiError, UpstreamDied, UpstreamUnreachable
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import HostChannel, Params

_PROGRESS = "notifications/progress"
_LOG = "notifications/message"
_CANCELLED = "notifications/cancelled"
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


@define(eq=False)
class Switchboard(Inbox):
    """Knows the requests that are not answered yet, and sorts what arrives among them.

    Attributes:
        notices: Takes what belongs to no request.
        questions: Takes what the upstream asks.
        event_log: Where oddities go.
        loss: Why the connection was lost, or None while it stands.
        lost: Is set when it was lost.
    """

    notices: Notices
    questions: Questions
    event_log: EventLog
    loss: UpstreamUnreachable | None = None
    lost: anyio.Event = field(factory=anyio.Event)
    _pending: dict[int, PendingRequest] = field(factory=dict)
    _last_id: int = 0

    def opened(self, line: HostChannel | None, progress_token: object) -> tuple[int, PendingRequest]:
        """Register a request before it is sent; return its id and the object that gets its answer."""
        self._last_id += 1
        pending = self._pending[self._last_id] = PendingRequest(line, progress_token)
        return self._last_id, pending

    def closed(self, request_id: int) -> None:
        """Forget a request; what still arrives for it is late."""
        del self._pending[request_id]

    def arrived(self, message: Message, of: int | None = None) -> None:
        """Take a message."""
        method, belongs_to = message.get("method"), self._pending.get(of or 0)
        if not isinstance(method, str):
            self._answered(message)
        elif "id" in message:
            asked = belongs_to if of is not None else self._only_pending()
            self.questions.take(message, asked.line if asked is not None else None)
        else:
            self._notified(method, message.get("params"), belongs_to)

    def answered(self, line: bytes) -> bool:
        """Take a line with the result of a pending request that takes text; return whether it was one."""
        found = result_in(line)
        pending = self._pending.get(found[0]) if found is not None else None
        if found is None or pending is None or not pending.takes_text:
            return False
        pending.succeeded(found[1])
        return True

    def failed(self, request_id: int, error: GenUiError) -> None:
        """Handle a request that will get no answer."""
        pending = self._pending.get(request_id)
        if pending is not None:
            pending.failed(error)

    def ended(self, error: UpstreamUnreachable) -> None:
        """Handle the loss of the connection: all pending requests fail at once."""
        if self.loss is None:
            self.loss = error
            self.lost.set()
        for pending in self._pending.values():
            pending.failed(UpstreamDied())

    def _answered(self, message: Message) -> None:
        pending = self._pending.get(own_id(message.get("id")))
        if pending is None:
            self.event_log.record(Level.DEBUG, "relay", "late_answer", id=str(message.get("id")))
        else:
            pending.answered(message)

    def _notified(self, method: str, params: object, of: PendingRequest | None) -> None:
        said = params if isinstance(params, Mapping) else {}
        if method == _CANCELLED:
            self.questions.withdrawn(said.get("requestId"))
        elif method == _PROGRESS:
            self._progressed(said)
        elif _is_news(method):
            self.notices.put(method, without_meta(said, (SUBSCRIPTION_KEY,)))
        elif method != _ACKNOWLEDGED:
            self._told(method, said, of)

    def _told(self, method: str, params: Params, of: PendingRequest | None) -> None:
        if of is None and method == _LOG:
            of = self._only_pending()
        if of is None or of.line is None:
            self.notices.put(method, params)
        else:
            of.notified(method, params)

    def _progressed(self, params: Params) -> None:
        pending = self._pending.get(progressed_request(params))
        if pending is not None:
            pending.notified(_PROGRESS, for_host(params, pending.progress_token))

    def _only_pending(self) -> PendingRequest | None:
        """A stream does not tell what belongs together; but where one host waits, it is its request."""
        waiting = [each for each in self._pending.values() if each.line is not None]
        return waiting[0] if len(waiting) == 1 else None


def _is_news(method: str) -> bool:
    """Whether a notification is for everybody, on whatever stream it came."""
    return method.endswith("/list_changed") or method == "notifications/resources/updated"
