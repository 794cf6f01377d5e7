"""What the wrapper decides about a host's requests, and what it does with those it holds or answers."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import count
from typing import NamedTuple, Protocol

from attrs import field, frozen

from genui_core.domain.mcp.jsonrpc import RequestId, error_line, notification_line, result_pieces
from genui_core.domain.mcp.methods import CANCELLED
from genui_core.domain.session.exchange import Exchange, Step
from genui_core.domain.session.upstream_answers import AGES, AnswerEditor, Asked


class Forward(NamedTuple):
    """The request goes on as it came; its answer is edited on the way back where an editor is given.

    Attributes:
        see: Called with the line of the answer before the edit; with nothing where it was too long.
    """

    edit: AnswerEditor | None = None
    see: Callable[[bytes], None] | None = None


PASS = Forward()


class Ours(NamedTuple):
    """The request is the wrapper's to answer.

    Attributes:
        serve: Called at once with the pending request, through which the answer may come now or later.
    """

    serve: "Callable[[PendingRequest], None]"


class Router(Protocol):
    """Decides about the few messages that are not mere traffic. Called from one thread at a time; must not raise."""

    @property
    def heard_methods(self) -> frozenset[str]:
        """The upstream notifications that the relay passes to `upstream_said`."""

    def decide(self, method: str, params: Mapping[str, object]) -> Forward | Ours:
        """Decide whether to forward or answer a request from the host."""

    def host_said(self, method: str, params: Mapping[str, object]) -> None:
        """Handle a notification from the host."""

    def upstream_said(self, method: str, params: Mapping[str, object], line: bytes) -> bytes:
        """Return the line that the host gets for a notification from the upstream."""

    def first_word(self) -> None:
        """Handle the first line of an upstream since its start."""

    def overdue(self, method: str) -> Mapping[str, object]:
        """Return the error for a request that the upstream has not answered in time."""

    def request_failed(
        self, error: Mapping[str, object], method: str, tool_name: str | None
    ) -> Mapping[str, object]:
        """Log one request that fails with an error of the wrapper; return the error with its id."""


class HostRequests:
    """The host's requests: held by the wrapper, forwarded to the upstream, or answered."""

    def __init__(self, exchange: Exchange, router: Router, call_timeout_s: float | None = None) -> None:
        self._exchange = exchange
        self._router = router
        self._call_timeout_s = call_timeout_s
        self._limits: dict[RequestId, tuple[int, Step]] = {}
        self._limit_numbers = count()
        self._watches = False

    # --- held ---------------------------------------------------------------------------

    def hold(self, request_id: RequestId, cancelled: Step = lambda: None) -> None:
        """Hold a request; call ``cancelled`` if the host cancels it."""
        self._exchange.held[request_id] = cancelled

    def is_held(self, request_id: RequestId) -> bool:
        """Whether a request is held, and neither answered nor cancelled."""
        return request_id in self._exchange.held

    def limit(self, request_id: RequestId, delay_s: float, step: Step) -> None:
        """Take a step after some seconds if the request is held until then; a request has one such step.

        The step is released with the request. The timer, which runs on, holds nothing of it.
        """
        if self.is_held(request_id):
            number = next(self._limit_numbers)
            self._limits[request_id] = number, step
            self._exchange.later(delay_s, partial(self._reach_limit, request_id, number))

    def _reach_limit(self, request_id: RequestId, number: int) -> None:
        limited, step = self._limits.get(request_id, (None, None))
        if step is not None and limited == number:  # and not that of a later request with the same id
            del self._limits[request_id]
            step()

    def settle(self, request_id: object) -> bool:
        """Stop holding a request; return whether it was still held."""
        return self._let_go(request_id) is not None

    def cancel(self, request_id: object) -> bool:
        """Handle the host's cancellation of a request; return whether the request was held."""
        cancelled = self._let_go(request_id)
        if cancelled is None:
            return False
        cancelled()
        return True

    def _let_go(self, request_id: object) -> Step | None:
        if not isinstance(request_id, str | int | float):
            return None
        self._limits.pop(request_id, None)
        return self._exchange.held.pop(request_id, None)

    # --- answered -----------------------------------------------------------------------

    def succeed(self, request_id: RequestId, result: str | Iterable[bytes]) -> None:
        """Answer a held request with the JSON text of a result, whole or in pieces that are not copied."""
        if self.settle(request_id):
            self._exchange.to_host.say(*result_pieces(request_id, result))

    def fail(self, request_id: RequestId, error: Mapping[str, object]) -> None:
        """Answer a held request with an error."""
        if self.settle(request_id):
            self._exchange.to_host.say(error_line(request_id, error))

    def fail_with(self, request_id: RequestId, request: Asked, error: Mapping[str, object]) -> None:
        """Answer a request that the upstream will not answer: log it, and give it a request id of its own."""
        failed = self._router.request_failed(error, request.method, request.tool_name)
        self._exchange.to_host.say(error_line(request_id, failed))

    def refuse(self, request_id: RequestId, request: Asked) -> None:
        """Answer a request with the error that says that no upstream is connected."""
        self.fail_with(request_id, request, self._exchange.link.refusal)

    def notify(self, method: str, params: Mapping[str, object]) -> None:
        """Send the host a notification."""
        self._exchange.to_host.say(notification_line(method, params))

    # --- forwarded ----------------------------------------------------------------------

    def forward(self, request_id: RequestId, request: Asked, line: bytes) -> None:
        """Forward a request that was held before."""
        if self._exchange.link.is_up:
            self.expect_answer(request_id, request)
            self._exchange.to_upstream.say(line)
        else:
            self.wait_for_upstream(request_id, request, line)

    def wait_for_upstream(self, request_id: RequestId, request: Asked, line: bytes) -> None:
        """Hold a request until the upstream is back if its method may wait; refuse it otherwise."""
        link = self._exchange.link
        if not link.may_wait(request.method):
            self.refuse(request_id, request)
            return

        def go_on() -> None:
            if self.settle(request_id):
                self.forward(request_id, request, line)

        def give_up() -> None:
            if self.settle(request_id):
                self.refuse(request_id, request)

        self.hold(request_id)
        link.wait(go_on, give_up)

    def expect_answer(self, request_id: RequestId, request: Asked) -> None:
        """Record a request that is pending at the upstream."""
        self._exchange.in_flight.add(request_id, request)
        self._watch()

    def _watch(self) -> None:
        """Count the age of pending requests in steps of 3 % of the limit: one fails up to a step late, never early."""
        pending, limit_s = not self._exchange.in_flight.is_empty, self._call_timeout_s
        if limit_s is not None and pending and not self._watches:
            self._watches = True
            self._exchange.later(limit_s / AGES, self._grow_older)

    def _grow_older(self) -> None:
        self._watches = False
        for request_id, request in self._exchange.in_flight.grow_older():
            self.fail_with(request_id, request, self._router.overdue(request.method))
            reason = {"requestId": request_id, "reason": "It took too long."}
            self._exchange.to_upstream.say(notification_line(CANCELLED, reason))
        self._watch()


@frozen
class PendingRequest:
    """One host request that the wrapper answers. Exactly one of `succeed`, `fail` and `forward` is called, once.

    After the host has cancelled the request they do nothing.
    """

    request_id: RequestId
    method: str
    params: Mapping[str, object]
    line: bytes = field(repr=False)
    _requests: HostRequests = field(repr=False)

    def when_cancelled(self, step: Callable[[], None]) -> None:
        """Call a function if the host cancels the request before its answer."""
        if self._requests.is_held(self.request_id):
            self._requests.hold(self.request_id, step)

    @property
    def is_open(self) -> bool:
        """Whether the request is neither answered nor cancelled."""
        return self._requests.is_held(self.request_id)

    def later(self, delay_s: float, step: Callable[[], None]) -> None:
        """Take a step after some seconds, if the request is still open then; it is released with the request."""
        self._requests.limit(self.request_id, delay_s, step)

    def tell(self, method: str, params: Mapping[str, object]) -> None:
        """Send the host a notification that belongs to the request, as long as that is open."""
        if self._requests.is_held(self.request_id):
            self._requests.notify(method, params)

    def succeed(self, result: str | Iterable[bytes]) -> None:
        """Answer with the JSON text of a result, whole or in pieces."""
        self._requests.succeed(self.request_id, result)

    def fail(self, error: Mapping[str, object]) -> None:
        """Answer with an error: ``code``, ``message`` and, at will, ``data``."""
        self._requests.fail(self.request_id, error)

    def forward(self, edit: AnswerEditor | None = None, line: bytes | None = None) -> None:
        """Let it go on to the upstream after all: as the bytes it came in, or as another line."""
        if self._requests.settle(self.request_id):
            self._requests.forward(self.request_id, asked(self.method, self.params, edit), line or self.line)


def asked(
    method: str,
    params: Mapping[str, object],
    edit: AnswerEditor | None,
    see: Callable[[bytes], None] | None = None,
) -> Asked:
    """Return what is kept of a request while it is at the upstream."""
    name = params.get("name") if method == "tools/call" else None
    return Asked(method, name if isinstance(name, str) else None, edit, see)
