"""What the two sides of the relay share: what is outstanding, and the way to either peer."""

import json
from collections.abc import Callable

from genui_core.domain.mcp.json_text import Edit, members, spliced
from genui_core.domain.mcp.jsonrpc import RequestId
from genui_core.domain.session.in_flight import InFlight
from genui_core.domain.session.link import Later, Link, Step
from genui_core.domain.session.own_requests import OwnRequests
from genui_core.domain.session.relay_answers import ENCODING


class Outlet:
    """Pieces to be written to one peer, in order.

    Attributes:
        pieces: What a driver writes and empties.
        line_open: Whether the last piece ends in the middle of a line that is passing through.

    Args:
        wake: Called when there is something to write although the driver fed nothing.
    """

    __slots__ = ("_held", "_wake", "line_open", "pieces")

    def __init__(self, wake: Step) -> None:
        self.pieces: list[bytes] = []
        self.line_open = False
        self._held: list[bytes] = []
        self._wake = wake

    def pass_on(self, data: bytes) -> None:
        """Pass on bytes of the other peer that begin a line."""
        self.pieces.append(data)
        self.line_open = not data.endswith(b"\n")

    def pass_rest(self, data: bytes) -> bytes:
        """Pass on the rest of the open line and return what comes after it."""
        end = data.find(b"\n") + 1
        self.pieces.append(data[:end] if end else data)
        if not end:
            return b""
        self.line_open = False
        self.pieces += self._held
        self._held.clear()
        return data[end:]

    def say(self, *line: bytes) -> None:
        """Send a line of the wrapper, whole or in pieces, as soon as no other line is open; wake the driver."""
        (self._held if self.line_open else self.pieces).extend(line)
        self._wake()

    def cut(self) -> None:
        """End an open line where it is: nothing more of it will come."""
        if self.line_open:
            self.pass_rest(b"\n")

    def clear(self) -> None:
        """Let go of all that waits to be written: its reader is gone."""
        self.pieces.clear()
        self._held.clear()
        self.line_open = False


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
            line, original = _with_id(line, json.dumps(alias))
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


class Exchange:
    """The state between one host and one upstream.

    Attributes:
        in_flight: What the host has asked of the upstream.
        held: The host's requests that the wrapper holds, each with the step to take if the host cancels it.
        own: What the wrapper has asked the upstream.
        own_to_host: What the wrapper has asked the host.
        questions: What the upstream has asked.
        link: Whether the upstream can be reached.
        later: Takes a step after some seconds.
        to_host: What waits to be written to the host.
        to_upstream: What waits to be written to the upstream.
    """

    def __init__(self, nonce: str, later: Later, wake: Step) -> None:
        self.later = later
        self.in_flight = InFlight()
        self.held: dict[RequestId, Step] = {}
        self.own = OwnRequests(nonce)
        self.own_to_host = OwnRequests(f"{nonce}-host")
        self.questions = HostQuestions(self.own.new_id)
        self.link = Link(later)
        self.to_host = Outlet(wake)
        self.to_upstream = Outlet(wake)

    @property
    def awaits_something_special(self) -> bool:
        """Whether an answer may come that is not just passed on."""
        return self.in_flight.awaits_something_special or not self.own.is_empty or bool(self.held)
