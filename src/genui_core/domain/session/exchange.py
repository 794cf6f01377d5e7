"""The state of one host and its upstream: pending requests, and the router's decisions."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from attrs import field, frozen

from genui_core.domain.framing.lines import PeerBuffer
from genui_core.domain.mcp.jsonrpc import RequestId, error_message, line_of, notification_line, result_pieces
from genui_core.domain.mcp.methods import MAY_WAIT
from genui_core.domain.session.upstream_answers import (
    AnswerEditor,
    Asked,
    InFlight,
    OwnRequests,
    UpstreamQuestions,
    asked,
)
from genui_core.domain.settings.upstream_settings import PATIENCE_S

Step = Callable[[], None]
Later = Callable[[float, Callable[[], object]], Callable[[], object]]
"""Calls a function after some seconds; returns a function that cancels the call."""


class Forwarding(NamedTuple):
    """The decision to forward a request unchanged; an editor, if given, edits its answer.

    Attributes:
        see: Called with the line of the answer before the edit; with an empty line if it was too long.
    """

    edit: AnswerEditor | None = None
    see: Callable[[bytes], None] | None = None


PASS = Forwarding()


Written = tuple[bytes, ...]
"""The JSON of a result, in pieces."""
Decision = Forwarding | Written | Callable[["PendingRequest"], None]
"""The router's decision: forward the request, answer it, or hold it until the function answers it."""


class Router(Protocol):
    """Decides about requests and handles some notifications, on one thread at a time; must not raise."""

    def decide(self, method: str, params: Mapping[str, object]) -> Decision:
        """Decide whether to forward or answer a request from the host."""

    def host_said(self, method: str, params: Mapping[str, object]) -> None:
        """Handle a notification from the host."""

    def upstream_said(self, method: str, params: Mapping[str, object], line: bytes) -> bytes:
        """Return the line for the host for a cancellation, changed tools, or the start of a stream."""

    def first_word(self) -> None:
        """Handle the first line of an upstream since its start."""

    def request_failed(
        self, error: Mapping[str, object], method: str, tool_name: str | None
    ) -> Mapping[str, object]:
        """Log one request that fails with an error of the wrapper; return the error with its id."""


class Held:
    """The callbacks of a host request that the wrapper holds.

    Attributes:
        cancelled: Called if the host cancels the request.
        timers: The functions that cancel its timers.
    """

    def __init__(self) -> None:
        self.cancelled: Step = lambda: None
        self.timers: list[Callable[[], object]] = []


class Link:
    """The state of the upstream connection: up, lost, or open for the handshake only.

    Attributes:
        is_open: Whether an upstream is connected: its messages count, and it can get a handshake.
        is_up: Whether it is ready for the host's requests.
        has_spoken: Whether the upstream has sent a message since its start.
        refusal: The error that requests get while the upstream is not ready.
    """

    def __init__(self, later: Later) -> None:
        self.is_open = self.is_up = True
        self.has_spoken = False
        self.refusal: Mapping[str, object] = {}
        self._is_expected = False
        self._later = later
        self._waiting: dict[Callable[[], object], tuple[Step, Callable[[], object]]] = {}

    def open(self) -> None:
        """Mark the upstream as connected, but not ready."""
        self.is_open, self.is_up = True, False

    def lose(self, refusal: Mapping[str, object], *, is_expected: bool = False) -> None:
        """Mark the upstream as gone: requests get this error, or wait if a new one is expected soon."""
        self.is_open = self.is_up = self.has_spoken = False
        self.refusal, self._is_expected = refusal, is_expected

    def set_up(self) -> None:
        """Mark the upstream as ready, and continue the waiting requests in order."""
        self.is_open = self.is_up = True
        for go_on, _give_up in self._take_waiting():
            go_on()

    def refuse_waiting(self) -> None:
        """Refuse all waiting requests: no upstream will start."""
        for _go_on, give_up in self._take_waiting():
            give_up()

    def when_up(self, method: str, go_on: Step, give_up: Callable[[], object]) -> None:
        """Call ``go_on`` when the upstream is ready, or ``give_up`` if the method may not wait so long."""
        if self.is_up:
            go_on()
        elif self._is_expected and method in MAY_WAIT:
            self._wait(go_on, give_up)
        else:
            give_up()

    def _wait(self, go_on: Step, give_up: Callable[[], object]) -> None:
        def time_out() -> None:
            if self._waiting.pop(end_timer, None) is not None:
                give_up()

        end_timer = self._later(PATIENCE_S, time_out)
        self._waiting[end_timer] = (go_on, give_up)

    def _take_waiting(self) -> list[tuple[Step, Callable[[], object]]]:
        waiting, self._waiting = self._waiting, {}
        for end_timer in waiting:
            end_timer()
        return list(waiting.values())


class Exchange:
    """The state between one host and one upstream: the requests of both, and the bytes for each.

    Attributes:
        router: Decides about the host's requests.
        held: The host's requests that the wrapper holds.
        later: Calls a function after some seconds, unless it is cancelled.
        after_answer: The lines to send to the host right after the answer that is being edited now.
    """

    def __init__(self, nonce: str, later: Later, in_flight: InFlight, router: Router) -> None:
        self.router = router
        self.later = later
        self.in_flight = in_flight
        self.held: dict[RequestId, Held] = {}
        self.own = OwnRequests(f"mcp-gen-ui:{nonce}:")
        self.own_to_host = OwnRequests(f"mcp-gen-ui:{nonce}-host:")
        self.questions = UpstreamQuestions(self.own.new_id)
        self.link = Link(later)
        self.after_answer: list[bytes] = []
        self.to_host = PeerBuffer()
        self.to_upstream = PeerBuffer()

    # --- the host's requests ------------------------------------------------------------

    def hold(self, request_id: RequestId) -> Held:
        """Hold a request from now on."""
        held = self.held[request_id] = Held()
        return held

    def settle(self, request_id: object) -> Held | None:
        """Stop holding a request and cancel its timers; return its callbacks, or None if it was not held."""
        held = self.held.pop(request_id, None) if isinstance(request_id, RequestId) else None
        while held is not None and held.timers:
            held.timers.pop()()
        return held

    def cancel(self, request_id: object) -> bool:
        """Handle the host's cancellation of a request; return whether the request was held."""
        held = self.settle(request_id)
        if held is not None:
            held.cancelled()
        return held is not None

    def fail_with(self, request_id: RequestId, request: Asked, error: Mapping[str, object]) -> None:
        """Answer a request with an error, in the upstream's place; the router logs it under a new id."""
        failed = self.router.request_failed(error, request.method, request.tool_name)
        self.to_host.say(line_of(error_message(request_id, failed)))

    def refuse(self, request_id: RequestId, request: Asked) -> None:
        """Answer a request with the error that says why the upstream is not ready."""
        self.fail_with(request_id, request, self.link.refusal)

    def forward(self, request_id: RequestId, request: Asked, line: bytes) -> None:
        """Forward a request; without an upstream, hold it if its method may wait, or refuse it."""

        def go_on() -> None:
            if self.settle(request_id):
                self.in_flight.add(request_id, request)
                self.to_upstream.say(line)

        def give_up() -> None:
            if self.settle(request_id):
                self.refuse(request_id, request)

        self.hold(request_id)
        self.link.when_up(request.method, go_on, give_up)


@frozen(eq=False, repr=False)
class PendingRequest:
    """One host request that the wrapper holds.

    Its holder calls one of `succeed`, `fail` and `forward`, once. They do nothing after a cancellation.
    """

    request_id: RequestId
    method: str
    params: Mapping[str, object]
    line: bytes = field(repr=False)
    _exchange: Exchange = field(repr=False)
    _held: Held = field(init=False, repr=False)

    @_held.default
    def _(self) -> Held:
        return self._exchange.hold(self.request_id)

    @property
    def is_open(self) -> bool:
        """Whether the request is neither answered nor cancelled."""
        return self._exchange.held.get(self.request_id) is self._held

    def when_cancelled(self, step: Step) -> None:
        """Call this function if the host cancels the request; it replaces any earlier function."""
        self._held.cancelled = step

    def later(self, delay_s: float, step: Callable[[], object]) -> None:
        """Call a function after some seconds, if the request is still open then."""
        if self.is_open:
            self._held.timers.append(self._exchange.later(delay_s, step))

    def tell(self, method: str, params: Mapping[str, object]) -> None:
        """Send the host a notification about the request, if the request is still open."""
        if self.is_open:
            self._exchange.to_host.say(notification_line(method, params))

    def succeed(self, result: Written) -> None:
        """Answer with the JSON of a result, whose pieces are not copied."""
        if self._exchange.settle(self.request_id):
            self._exchange.to_host.say(*result_pieces(self.request_id, result))

    def fail(self, error: Mapping[str, object]) -> None:
        """Answer with an error: ``code``, ``message`` and optionally ``data``."""
        if self._exchange.settle(self.request_id):
            self._exchange.to_host.say(line_of(error_message(self.request_id, error)))

    def forward(self, edit: AnswerEditor | None = None, line: bytes | None = None) -> None:
        """Forward the request to the upstream after all: unchanged, or as another line."""
        if self._exchange.settle(self.request_id):
            self._exchange.forward(self.request_id, asked(self.method, self.params, edit), line or self.line)
