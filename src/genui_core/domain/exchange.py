"""What the two sides of the relay share: what is outstanding, and the way to either peer."""

from collections.abc import Callable

from genui_core.domain.host_questions import HostQuestions
from genui_core.domain.in_flight import InFlight
from genui_core.domain.jsonrpc import RequestId
from genui_core.domain.link import Later, Link
from genui_core.domain.outlet import Outlet
from genui_core.domain.own_requests import OwnRequests


class Exchange:
    """The state between one host and one upstream.

    Attributes:
        in_flight: What the host has asked of the upstream.
        held: What the host has asked and stays here for now, and who is to hear where it is cancelled.
        own: What the wrapper has asked the upstream.
        own_to_host: What the wrapper has asked the host.
        questions: What the upstream has asked.
        link: Whether the upstream can be reached.
        to_host: What waits to be written to the host.
        to_upstream: What waits to be written to the upstream.
    """

    def __init__(self, nonce: str, later: Later) -> None:
        self.in_flight = InFlight()
        self.held: dict[RequestId, Callable[[], None]] = {}
        self.own = OwnRequests(nonce)
        self.own_to_host = OwnRequests(f"{nonce}-host")
        self.questions = HostQuestions(self.own.new_id)
        self.link = Link(later)
        self.to_host = Outlet()
        self.to_upstream = Outlet()

    @property
    def awaits_something_special(self) -> bool:
        """Whether an answer may come that is not just passed on."""
        return self.in_flight.awaits_something_special or not self.own.is_empty or bool(self.held)
