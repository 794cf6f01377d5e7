"""What the upstream has asked the host: sampling, elicitation, roots.

An upstream that is started again numbers its requests from the beginning, while the host may
still be about to answer the one before it. An answer to a request of an upstream that is gone
goes nowhere, and a new request whose id is still spoken for goes to the host under another.
"""

import json
from collections.abc import Callable

from genui_core.domain.json_text import Edit, members, spliced
from genui_core.domain.jsonrpc import RequestId
from genui_core.domain.relay_answers import ENCODING


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
