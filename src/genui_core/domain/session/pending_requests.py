"""What the wrapper decides about a host's requests, and how it answers one."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple, Protocol

from attrs import field, frozen

from genui_core.domain.mcp.jsonrpc import RequestId, error_message, line_of, notification_line, result_pieces
from genui_core.domain.mcp.methods import ACKNOWLEDGED, CANCELLED, TOOLS_CHANGED
from genui_core.domain.session.exchange import Exchange, Held, Step
from genui_core.domain.session.upstream_answers import AnswerEditor, asked


class Forwarding(NamedTuple):
    """The request goes on as it came; its answer is edited on the way back where an editor is given.

    Attributes:
        see: Called with the line of the answer before the edit; with nothing where it was too long.
    """

    edit: AnswerEditor | None = None
    see: Callable[[bytes], None] | None = None


PASS = Forwarding()


Decision = Forwarding | Callable[["PendingRequest"], None]
"""What becomes of a request: it goes on, or is held and the function answers it, at once or later."""


HEARD = frozenset((CANCELLED, TOOLS_CHANGED, ACKNOWLEDGED))
"""The notifications of the upstream that a router reads."""


class Router(Protocol):
    """Decides about the few messages that are not mere traffic. Called from one thread at a time; must not raise."""

    def decide(self, method: str, params: Mapping[str, object]) -> Decision:
        """Decide whether to forward or answer a request from the host."""

    def host_said(self, method: str, params: Mapping[str, object]) -> None:
        """Handle a notification from the host."""

    def upstream_said(self, method: str, params: Mapping[str, object], line: bytes) -> bytes:
        """Return the line that the host gets for a notification from the upstream, one of `HEARD`."""

    def first_word(self) -> None:
        """Handle the first line of an upstream since its start."""

    def request_failed(
        self, error: Mapping[str, object], method: str, tool_name: str | None
    ) -> Mapping[str, object]:
        """Log one request that fails with an error of the wrapper; return the error with its id."""


@frozen(eq=False)
class PendingRequest:
    """One host request that the wrapper holds. Exactly one of `succeed`, `fail` and `forward` is called, once.

    After the host has cancelled the request they do nothing.
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
        """Call this function, and none before it, if the host cancels the request before its answer."""
        self._held.cancelled = step

    def later(self, delay_s: float, step: Step) -> None:
        """Take a step after some seconds, if the request is still open then.

        The step is released with the request. The timer, which runs on, holds nothing of it.
        """
        if self.is_open:
            self._held.due.append(step)
            self._exchange.later(delay_s, partial(_take, self._held.due))

    def tell(self, method: str, params: Mapping[str, object]) -> None:
        """Send the host a notification that belongs to the request, as long as that is open."""
        if self.is_open:
            self._exchange.say(notification_line(method, params))

    def succeed(self, result: str | Iterable[bytes]) -> None:
        """Answer with the JSON text of a result, whole or in pieces that are not copied."""
        if self._exchange.settle(self.request_id):
            self._exchange.say(*result_pieces(self.request_id, result))

    def fail(self, error: Mapping[str, object]) -> None:
        """Answer with an error: ``code``, ``message`` and, at will, ``data``."""
        if self._exchange.settle(self.request_id):
            self._exchange.say(line_of(error_message(self.request_id, error)))

    def forward(self, edit: AnswerEditor | None = None, line: bytes | None = None) -> None:
        """Let it go on to the upstream after all: as the bytes it came in, or as another line."""
        if self._exchange.settle(self.request_id):
            self._exchange.forward(self.request_id, asked(self.method, self.params, edit), line or self.line)


def _take(steps: list[Step]) -> None:
    while steps:
        steps.pop()()
