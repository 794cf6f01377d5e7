"""What the relay asks about the few messages that are not mere traffic, and how it is answered."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from attrs import field, frozen

from genui_core.domain.mcp.jsonrpc import RequestId, notification_line
from genui_core.domain.session.in_flight import Asked
from genui_core.domain.session.relay_answers import AnswerEditor

if TYPE_CHECKING:
    from genui_core.domain.session.relay import Relay


class Forward(NamedTuple):
    """The request goes on as it came; its answer is edited on the way back where an editor is given."""

    edit: AnswerEditor | None = None


PASS = Forward()


class Ours(NamedTuple):
    """The request is the wrapper's to answer.

    Attributes:
        serve: Called at once with the ticket, through which the answer may come now or later.
    """

    serve: "Callable[[PendingRequest], None]"


class Interception(Protocol):
    """Decides about the few messages that are not mere traffic. Called from one thread at a time; must not raise."""

    @property
    def heard_methods(self) -> frozenset[str]:
        """The upstream notifications that the relay passes to `upstream_said`."""
        ...

    def decide(self, method: str, params: Mapping[str, object]) -> Forward | Ours:
        """Decide whether to forward or answer a request from the host."""
        ...

    def host_said(self, method: str, params: Mapping[str, object]) -> None:
        """Handle a notification from the host."""
        ...

    def upstream_said(self, method: str, params: Mapping[str, object], line: bytes) -> bytes:
        """Return the line that the host gets for a notification from the upstream."""
        ...

    def first_word(self) -> None:
        """Handle the first line of an upstream since its start."""
        ...

    def overdue(self, method: str) -> Mapping[str, object]:
        """Return the error for a request that the upstream has not answered in time."""
        ...

    def request_failed(
        self, error: Mapping[str, object], method: str, tool_name: str | None
    ) -> Mapping[str, object]:
        """Log one request that fails with an error of the wrapper; return that error with the request's own id.

        Args:
            error: The error. Several requests may fail with the same one.
            method: The method of the request.
            tool_name: The tool that it calls, if it calls one.
        """
        ...


@frozen
class PendingRequest:
    """One host request that the wrapper answers. Exactly one of the four is called, once.

    After the host has cancelled the request they do nothing.

    Attributes:
        request_id: The id the host gave it.
        method: Its method.
        params: Its params.
        line: The line it came in.
    """

    request_id: RequestId
    method: str
    params: Mapping[str, object]
    line: bytes = field(repr=False)
    _relay: "Relay" = field(repr=False)

    def when_cancelled(self, step: Callable[[], None]) -> None:
        """Call a function if the host cancels the request before its answer."""
        if self._relay.is_held(self.request_id):
            self._relay.hold(self.request_id, step)

    @property
    def is_open(self) -> bool:
        """Whether the request is neither answered nor cancelled."""
        return self._relay.is_held(self.request_id)

    def later(self, delay_s: float, step: Callable[[], None]) -> None:
        """Take a step after some seconds, if the request is still open then."""
        self._relay.later(delay_s, lambda: step() if self.is_open else None)

    def tell(self, method: str, params: Mapping[str, object]) -> None:
        """Send the host a notification that belongs to the request, as long as that is open."""
        if self._relay.is_held(self.request_id):
            self._relay.say_to_host(notification_line(method, params))

    def succeed(self, result: str) -> None:
        """Answer with the JSON text of a result."""
        self._relay.succeed(self.request_id, result)

    def succeed_in_pieces(self, *result: bytes) -> None:
        """Answer with the JSON text of a cached result, without copying large pieces."""
        self._relay.succeed_in_pieces(self.request_id, result)

    def fail(self, error: Mapping[str, object]) -> None:
        """Answer with an error: ``code``, ``message`` and, at will, ``data``."""
        self._relay.fail(self.request_id, error)

    def forward(self, edit: AnswerEditor | None = None, line: bytes | None = None) -> None:
        """Let it go on to the upstream after all: as the bytes it came in, or as another line."""
        if self._relay.settle(self.request_id):
            self._relay.forward(self.request_id, asked(self.method, self.params, edit), line or self.line)


def asked(method: str, params: Mapping[str, object], edit: AnswerEditor | None) -> Asked:
    """Return what is kept of a request while it is at the upstream."""
    name = params.get("name") if method == "tools/call" else None
    return Asked(method, name if isinstance(name, str) else None, edit)
