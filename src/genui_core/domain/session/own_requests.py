"""The wrapper's own requests to a peer, whose answers end here."""

from collections.abc import Callable, Mapping

from genui_core.domain.mcp.jsonrpc import RequestId, request_line

Then = Callable[[Mapping[str, object]], None]
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
        return request_id, request_line(request_id, method, params)

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
