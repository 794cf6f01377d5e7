"""What the two sides of the relay share: the upstream connection, pending requests, and pieces to write."""

import json
from collections.abc import Callable, Mapping

from genui_core.domain.framing.lines import PeerBuffer
from genui_core.domain.mcp.json_text import Edit, members, spliced
from genui_core.domain.mcp.jsonrpc import RequestId, error_message, line_of, request_message
from genui_core.domain.mcp.methods import MAY_WAIT
from genui_core.domain.session.upstream_answers import ENCODING, Asked, InFlight
from genui_core.domain.settings.upstream_settings import PATIENCE_S

Step = Callable[[], None]
Later = Callable[[float, Step], object]


class Link:
    """The state of the upstream connection: up, lost, or open for the handshake only.

    Attributes:
        is_open: Whether an upstream is connected: its messages count, and it can get a handshake.
        is_up: Whether it is ready for the host's requests.
        has_spoken: Whether the upstream has said anything since its start.
        refusal: The error that requests get while it is not.
    """

    def __init__(self, later: Later) -> None:
        self.is_open = self.is_up = True
        self.has_spoken = False
        self.refusal: Mapping[str, object] = {}
        self._is_expected = False
        self._later = later
        self._waiting: dict[object, tuple[Step, Callable[[], object]]] = {}

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
        for go_on, _give_up in self._taken():
            go_on()

    def refuse_waiting(self) -> None:
        """Let nothing wait any longer: no upstream will come."""
        for _go_on, give_up in self._taken():
            give_up()

    def may_wait(self, method: str) -> bool:
        """Whether a request of that method may wait now."""
        return self._is_expected and method in MAY_WAIT

    def wait(self, go_on: Step, give_up: Callable[[], object]) -> None:
        """Take one step when the upstream is ready, or the other when that takes too long."""
        place = object()

        def tire() -> None:
            if self._waiting.pop(place, None) is not None:
                give_up()

        self._waiting[place] = (go_on, give_up)
        self._later(PATIENCE_S, tire)

    def _taken(self) -> list[tuple[Step, Callable[[], object]]]:
        waiting, self._waiting = self._waiting, {}
        return list(waiting.values())


Then = Callable[[Mapping[str, object]], object]
"""Takes an answer: a message with a ``result`` or an ``error``."""


class OwnRequests:
    """The wrapper's own pending requests, by id. The ids carry a nonce, so that no host uses the same."""

    def __init__(self, nonce: str) -> None:
        self._prefix = f"mcp-gen-ui:{nonce}:"
        self._then: dict[RequestId, Then] = {}
        self._made = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is open."""
        return not self._then

    def new_id(self) -> str:
        """Return an id that no host and no upstream uses."""
        self._made += 1
        return f"{self._prefix}{self._made}"

    def made(self, request_id: object) -> bool:
        """Whether an id is of our making, be it open or long given up."""
        return isinstance(request_id, str) and request_id.startswith(self._prefix)

    def open(self, method: str, params: Mapping[str, object] | None, then: Then) -> tuple[str, bytes]:
        """Return the id and the line of a request; its answer goes to ``then``."""
        request_id = self.new_id()
        self._then[request_id] = then
        return request_id, line_of(request_message(request_id, method, params))

    def take_back(self, request_id: RequestId) -> bool:
        """Wait for an answer no longer; say whether it was still waited for."""
        return self._then.pop(request_id, None) is not None

    def find_in(self, text: str) -> RequestId | None:
        """Return the open id that stands in a text."""
        return next((each for each in self._then if str(each) in text), None)

    def settle(self, request_id: RequestId, message: Mapping[str, object]) -> None:
        """Pass a message to the callback of its request, if the request is still pending."""
        then = self._then.pop(request_id, None)
        if then is not None:
            then(message)

    def lost(self, error: Mapping[str, object]) -> None:
        """Tell everybody that no answer will come."""
        for request_id in tuple(self._then):
            self.settle(request_id, {"error": error})


class HostQuestions:
    """The upstream's requests that are at the host.

    Args:
        new_id: Makes ids that no upstream makes.
    """

    def __init__(self, new_id: Callable[[], str]) -> None:
        self._new_id = new_id
        self._open: set[RequestId] = set()
        self._stale: set[RequestId] = set()
        self._alias: dict[RequestId, str] = {}
        self._original: dict[RequestId, str] = {}

    def asked(self, request_id: RequestId, line: bytes) -> bytes:
        """Record a request from the upstream, and return the line for the host."""
        if request_id in self._stale:
            alias = self._new_id()
            try:
                line, original = _with_id(line, json.dumps(alias))
            except (ValueError, RecursionError):
                return line  # No JSON that could be edited; an answer to it is dropped with those to the upstream before.
            self._alias[request_id], self._original[alias] = alias, original
            request_id = alias
        self._open.add(request_id)
        return line

    def note(self, request_id: RequestId) -> None:
        """Record a request that was forwarded to the host unchanged."""
        self._open.add(request_id)

    def is_stale(self, request_id: RequestId | None) -> bool:
        """Whether an answer under that id would be for an upstream that is gone."""
        return request_id in self._stale

    def answered(self, request_id: RequestId, line: bytes) -> bytes:
        """Return the line for the upstream for an answer from the host; empty if the answer is too late."""
        if request_id in self._stale:
            self._stale.discard(request_id)
            return b""
        self._open.discard(request_id)
        original = self._original.pop(request_id, None)
        if original is None or not line:
            return line
        self._alias.pop(json.loads(original), None)
        return _with_id(line, original)[0]

    def cancelled(self, request_id: RequestId) -> RequestId:
        """Record that the upstream cancelled a request; return the id that the host knows it by."""
        known = self._alias.pop(request_id, request_id)
        self._original.pop(known, None)
        self._open.discard(known)
        return known

    def lost(self) -> list[RequestId]:
        """Return the ids of all pending requests: no upstream waits for their answers any more."""
        lost = list(self._open)
        self._stale |= self._open
        self._open.clear()
        self._alias.clear()
        self._original.clear()
        return lost


def _with_id(line: bytes, text: str) -> tuple[bytes, str]:
    """Return the line with another id in the place of its own, and the text of its own."""
    whole = line.decode(*ENCODING)
    last = [each for each in members(whole) if each.key == "id"][-1]
    edited = spliced(whole, [Edit(last.start, last.end, text)])
    return edited.encode(*ENCODING), whole[last.start : last.end]


class Held:
    """A request of the host that the wrapper holds.

    Attributes:
        cancelled: The step to take if the host cancels it.
        due: The steps to take after some time; none when the request is let go.
    """

    def __init__(self) -> None:
        self.cancelled: Step = lambda: None
        self.due: list[Step] = []


Failed = Callable[[Mapping[str, object], str, str | None], Mapping[str, object]]
"""Logs a request that fails with an error of the wrapper, by its method and tool; returns the error with its id."""


class Exchange:
    """What is between one host and one upstream: the requests of both, and what is written to each.

    Attributes:
        held: The host's requests that the wrapper holds.
        later: Takes a step after some seconds.
        after_answer: What is sent to the host right after the answer that is being edited now.
    """

    def __init__(self, nonce: str, later: Later, in_flight: InFlight, failed: Failed) -> None:
        self._failed = failed
        self.later = later
        self.in_flight = in_flight
        self.held: dict[RequestId, Held] = {}
        self.own = OwnRequests(nonce)
        self.own_to_host = OwnRequests(f"{nonce}-host")
        self.questions = HostQuestions(self.own.new_id)
        self.link = Link(later)
        self.after_answer: list[bytes] = []
        self.to_host = PeerBuffer()
        self.to_upstream = PeerBuffer()

    @property
    def awaits_something_special(self) -> bool:
        """Whether an answer may come that is not just passed on."""
        return self.in_flight.awaits_something_special or not self.own.is_empty or bool(self.held)

    def say(self, *line: bytes) -> None:
        """Send the host a message, whole or in pieces, as soon as no line is passing through."""
        self.to_host.say(*line)

    # --- the host's requests ------------------------------------------------------------

    def hold(self, request_id: RequestId) -> Held:
        """Hold a request from now on."""
        held = self.held[request_id] = Held()
        return held

    def settle(self, request_id: object) -> Held | None:
        """Stop holding a request, and release its timed steps; return what was held of it, or None."""
        held = self.held.pop(request_id, None) if isinstance(request_id, RequestId) else None
        if held is not None:
            held.due.clear()
        return held

    def cancel(self, request_id: object) -> bool:
        """Handle the host's cancellation of a request; return whether the request was held."""
        held = self.settle(request_id)
        if held is not None:
            held.cancelled()
        return held is not None

    def fail_with(self, request_id: RequestId, request: Asked, error: Mapping[str, object]) -> None:
        """Answer a request that the upstream will not answer: log it, and give it a request id of its own."""
        failed = self._failed(error, request.method, request.tool_name)
        self.say(line_of(error_message(request_id, failed)))

    def refuse(self, request_id: RequestId, request: Asked) -> None:
        """Answer a request with the error that says that no upstream is connected."""
        self.fail_with(request_id, request, self.link.refusal)

    def forward(self, request_id: RequestId, request: Asked, line: bytes) -> None:
        """Forward a request; hold it until the upstream is back if its method may wait, and refuse it otherwise."""
        if self.link.is_up:
            self.in_flight.add(request_id, request)
            self.to_upstream.say(line)
        elif self.link.may_wait(request.method):
            self._wait_to_forward(request_id, request, line)
        else:
            self.refuse(request_id, request)

    def _wait_to_forward(self, request_id: RequestId, request: Asked, line: bytes) -> None:
        def go_on() -> None:
            if self.settle(request_id):
                self.forward(request_id, request, line)

        def give_up() -> None:
            if self.settle(request_id):
                self.refuse(request_id, request)

        self.hold(request_id)
        self.link.wait(go_on, give_up)
