"""The requests that wait for an answer: the host's and the wrapper's, and the upstream's at the host."""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from operator import attrgetter

from attrs import define, field, frozen

from genui_core.domain.mcp.json_text import Edit, elements, members, spliced
from genui_core.domain.mcp.jsonrpc import RequestId, line_of, request_message
from genui_core.domain.mcp.methods import LISTEN
from genui_core.domain.mcp.results import UnparsedResult

ENCODING = ("utf-8", "surrogateescape")
"""The codec for lines, in which bytes that are not UTF-8 survive decoding and encoding."""


@frozen(eq=False, repr=False)
class AnswerEditor:
    """Edits the answers to one kind of request; by default, it forwards them.

    Attributes:
        edit_result: Returns the result's JSON, edited; other members of the answer may follow in it. If it
            raises, the answer is forwarded unchanged.
        replace_error: Returns the JSON text of a result to send instead of an error, or another error object.
            None forwards the error; an empty text says that the editor answers the host itself.
    """

    edit_result: Callable[[UnparsedResult], bytes] = attrgetter("data")
    replace_error: Callable[[Mapping[str, object]], str | Mapping[str, object] | None] = lambda _error: None


def edited_batch(text: str, become: Callable[[object, bytes], bytes]) -> bytes:
    """Return a batch with each message replaced by what a function returns; empty ones are left out.

    Raises:
        ValueError: The text is no well-formed batch; the function was not called then.
        RecursionError: It is nested deeper than the scanner goes.
    """

    def edit(start: int, end: int, message: object) -> Edit:
        return Edit(start, end, become(message, text[start:end].encode(*ENCODING)).decode(*ENCODING))

    edits = [edit(*each) for each in tuple(elements(text))]
    if all(each.text for each in edits):
        return spliced(text, edits).encode(*ENCODING)
    kept = ",".join(each.text for each in edits if each.text)
    return f"[{kept}]\n".encode(*ENCODING) if kept else b""


AGES = 32
"""How many sweeps a pending request survives before it is overdue."""

_MOST_LATE = 10_000


@define(eq=False, repr=False)
class Asked:
    """A pending request from the host at the upstream.

    Attributes:
        see: Called with the line of the answer before any edit; with an empty line if it was too long.
        age: How many sweeps for overdue requests it has survived.
    """

    method: str
    tool_name: str | None = None
    editor: AnswerEditor | None = None
    see: Callable[[bytes], None] | None = None
    age: int = 0


def asked(
    method: str,
    params: Mapping[str, object],
    edit: AnswerEditor | None,
    see: Callable[[bytes], None] | None = None,
) -> Asked:
    """Return the record of a request that is pending at the upstream."""
    name = params.get("name") if method == "tools/call" else None
    return Asked(method, name if isinstance(name, str) else None, edit, see)


class InFlight:
    """The host's pending requests at the upstream: each gets one answer, from the upstream or the wrapper.

    Args:
        later: Calls a function after some seconds.
        limit_s: How long an answer may take; None for no limit.
        overdue: Called with each request that has no answer within the limit. `settle_late` recognizes its
            late answer.
    """

    def __init__(
        self,
        later: Callable[[float, Callable[[], None]], object],
        limit_s: float | None,
        overdue: Callable[[RequestId, Asked], None],
    ) -> None:
        self._later = later
        self._limit_s = limit_s
        self._overdue = overdue
        self._is_watched_for_age = False
        self.ever_answered = False
        self._asked: dict[RequestId, Asked] = {}
        self._late: dict[RequestId, None] = {}

    @property
    def awaits_something_special(self) -> bool:
        """Whether the wrapper must edit or drop some outstanding answer."""
        return bool(self._late) or any(asked.editor is not None for asked in self._asked.values())

    @property
    def is_watched(self) -> bool:
        """Whether some pending request has a ``see`` callback for its answer."""
        return any(asked.see is not None for asked in self._asked.values())

    @property
    def methods(self) -> frozenset[str]:
        """The methods of the pending requests."""
        return frozenset(asked.method for asked in self._asked.values())

    def add(self, request_id: RequestId, asked: Asked) -> None:
        """Record a request that goes to the upstream."""
        self._asked[request_id] = asked
        if self._limit_s is not None:
            self._watch_age(self._limit_s)

    def find(self, request_id: RequestId | None) -> Asked | None:
        """Return the pending request of that id, or None."""
        return self._asked.get(request_id) if request_id is not None else None

    def settle(self, request_id: RequestId | None) -> Asked | None:
        """Remove the pending request that an answer belongs to, and return it, or None."""
        found = self._asked.pop(request_id, None) if request_id is not None else None
        self.ever_answered = self.ever_answered or found is not None
        return found

    def settle_plain(self, request_ids: list[int], data: bytes) -> bool:
        """Settle these answers, one a line, if all are awaited and need no edit; return whether."""
        asked = self._asked
        is_watched = False
        for request_id in request_ids:
            found = asked.get(request_id)
            if found is None or found.editor is not None:
                return False
            is_watched = is_watched or found.see is not None
        lines = data.split(b"\n") if is_watched and len(request_ids) > 1 else [data] * len(request_ids)
        for request_id, line in zip(request_ids, lines, strict=False):
            found = asked.pop(request_id, None)
            if found is not None and found.see is not None:
                found.see(line)
        self.ever_answered = True
        return True

    def forget(self, request_id: object) -> None:
        """Remove a pending request: it was cancelled."""
        if isinstance(request_id, RequestId):
            self._asked.pop(request_id, None)

    def forget_edits(self) -> None:
        """Edit no answer to the pending requests: the host has started a new session."""
        for asked in self._asked.values():
            asked.editor = None

    def drop_all(self) -> list[tuple[RequestId, Asked]]:
        """Remove all pending requests, since no answer will come, and return them."""
        dropped = list(self._asked.items())
        self._asked.clear()
        self._late.clear()
        return dropped

    # --- answers that are too late ------------------------------------------------------

    def _watch_age(self, limit_s: float) -> None:
        """Schedule the next sweep, after 3 % of the limit: it finds a request a little late, never early."""
        if self._asked and not self._is_watched_for_age:
            self._is_watched_for_age = True
            self._later(limit_s / AGES, lambda: self._grow_older(limit_s))

    def _grow_older(self, limit_s: float) -> None:
        self._is_watched_for_age = False
        for request_id, asked in self._take_overdue():
            self._overdue(request_id, asked)
        self._watch_age(limit_s)

    def _take_overdue(self) -> list[tuple[RequestId, Asked]]:
        """Count a sweep for every pending request; remove and return the requests that are overdue."""
        for asked in self._asked.values():
            asked.age += 1
        overdue = [
            (request_id, asked)
            for request_id, asked in self._asked.items()
            if asked.age > AGES and asked.method != LISTEN  # a stream is answered only when it ends
        ]
        for request_id, _ in overdue:
            del self._asked[request_id]
            self._late[request_id] = None
        while len(self._late) > _MOST_LATE:
            del self._late[next(iter(self._late))]
        return overdue

    def awaits_late(self, request_id: RequestId) -> bool:
        """Whether the request is overdue and its answer has not come yet."""
        return request_id in self._late

    def settle_late(self, request_id: RequestId | None) -> bool:
        """Remove the overdue request that an answer belongs to; return whether there was one."""
        if request_id is None or request_id not in self._late:
            return False
        del self._late[request_id]
        return True


Then = Callable[[Mapping[str, object]], object]
"""The callback for an answer: a message with a ``result`` or an ``error``."""


@frozen(eq=False, repr=False)
class OwnRequests:
    """The wrapper's own pending requests, by id.

    Args:
        prefix: The beginning of each id. It has a nonce, so that no peer uses the same ids.
    """

    _prefix: str
    _then: dict[RequestId, Then] = field(init=False, factory=dict)
    _numbers: Iterator[int] = field(init=False, factory=count)

    @property
    def is_empty(self) -> bool:
        """Whether no request is pending."""
        return not self._then

    def new_id(self) -> str:
        """Return an id that no host and no upstream uses."""
        return f"{self._prefix}{next(self._numbers)}"

    def has_made(self, request_id: object) -> bool:
        """Whether the wrapper made an id, for a request that is pending or long settled."""
        return isinstance(request_id, str) and request_id.startswith(self._prefix)

    def open(self, method: str, params: Mapping[str, object] | None, then: Then) -> tuple[str, bytes]:
        """Add a request whose answer goes to ``then``; return its id and its line."""
        request_id = self.new_id()
        self._then[request_id] = then
        return request_id, line_of(request_message(request_id, method, params))

    def cancel(self, request_id: RequestId) -> bool:
        """Remove a pending request; return whether it was still pending."""
        return self._then.pop(request_id, None) is not None

    def find_in(self, text: str) -> RequestId | None:
        """Return the id of a pending request that a text contains, or None."""
        return next((each for each in self._then if str(each) in text), None)

    def settle(self, request_id: RequestId, message: Mapping[str, object]) -> None:
        """Pass a message to the callback of its request, if the request is still pending."""
        if (then := self._then.pop(request_id, None)) is not None:
            then(message)

    def fail_all(self, error: Mapping[str, object]) -> None:
        """Settle all pending requests with an error: no answer will come."""
        for request_id in tuple(self._then):
            self.settle(request_id, {"error": error})


@frozen(eq=False, repr=False)
class UpstreamQuestions:
    """The upstream's pending requests at the host.

    Args:
        new_id: Returns a new id that no upstream uses.
    """

    _new_id: Callable[[], str]
    _open: set[RequestId] = field(init=False, factory=set)
    _stale: set[RequestId] = field(init=False, factory=set)
    _alias: dict[RequestId, str] = field(init=False, factory=dict)
    _original: dict[RequestId, str] = field(init=False, factory=dict)

    def open(self, request_id: RequestId, line: bytes) -> bytes:
        """Record a request from the upstream, and return the line for the host."""
        if request_id in self._stale:
            alias = self._new_id()
            try:
                line, original = _with_id(line, json.dumps(alias))
            except (ValueError, RecursionError):
                return line  # It cannot be edited; its answer is dropped as one to the upstream before.
            self._alias[request_id], self._original[alias] = alias, original
            request_id = alias
        self._open.add(request_id)
        return line

    def record(self, request_id: RequestId) -> None:
        """Record a request that was forwarded to the host unchanged."""
        self._open.add(request_id)

    def is_stale(self, request_id: RequestId | None) -> bool:
        """Whether an answer with that id would be for an upstream that is gone."""
        return request_id in self._stale

    def settle(self, request_id: RequestId, line: bytes) -> bytes:
        """Return the line for the upstream for an answer from the host; empty if its upstream is gone."""
        if request_id in self._stale:
            self._stale.discard(request_id)
            return b""
        self._open.discard(request_id)
        original = self._original.pop(request_id, None)
        if original is None or not line:
            return line
        self._alias.pop(json.loads(original), None)
        return _with_id(line, original)[0]

    def cancel(self, request_id: RequestId) -> RequestId:
        """Record that the upstream cancelled a request; return the id under which the host has it."""
        known = self._alias.pop(request_id, request_id)
        self._original.pop(known, None)
        self._open.discard(known)
        return known

    def drop_all(self) -> list[RequestId]:
        """Forget all pending requests, since their upstream is gone, and return their ids."""
        lost = list(self._open)
        self._stale.update(self._open)
        self._open.clear()
        self._alias.clear()
        self._original.clear()
        return lost


def _with_id(line: bytes, text: str) -> tuple[bytes, str]:
    """Return the line with another id, and the JSON text of its original id."""
    whole = line.decode(*ENCODING)
    last = [each for each in members(whole) if each.key == "id"][-1]
    edited = spliced(whole, [Edit(last.start, last.end, text)])
    return edited.encode(*ENCODING), whole[last.start : last.end]
