"""What the upstream has been asked by the host and has not answered yet, by request id."""

from attrs import define

from genui_core.domain.mcp.jsonrpc import RequestId
from genui_core.domain.session.relay_answers import AnswerEditor

AGES = 32
"""How many times a request is counted as older before it is overdue."""

_MOST_LATE = 10_000
_TAKES_ITS_TIME = frozenset(("subscriptions/listen",))
"""What is answered when it ends, however long that is."""


@define(eq=False)
class Asked:
    """A pending request from the host at the upstream.

    Attributes:
        method: Its method.
        tool_name: The tool it calls, where it calls one.
        editor: Edits the answer on its way back, or None.
        age: How many sweeps for overdue requests it has survived.
    """

    method: str
    tool_name: str | None = None
    editor: AnswerEditor | None = None
    age: int = 0


class InFlight:
    """The host's pending requests at the upstream: each gets one answer, from the upstream or the wrapper.

    Attributes:
        ever_answered: Whether the upstream has ever answered one.
    """

    def __init__(self) -> None:
        self.ever_answered = False
        self._asked: dict[RequestId, Asked] = {}
        self._late: dict[RequestId, None] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing is open."""
        return not self._asked

    @property
    def awaits_something_special(self) -> bool:
        """Whether an answer is outstanding that is not just passed on."""
        return bool(self._late) or any(asked.editor is not None for asked in self._asked.values())

    @property
    def methods(self) -> frozenset[str]:
        """What is being asked."""
        return frozenset(asked.method for asked in self._asked.values())

    def add(self, request_id: RequestId, asked: Asked) -> None:
        """Record a request that goes to the upstream."""
        self._asked[request_id] = asked

    def find(self, request_id: RequestId | None) -> Asked | None:
        """Return the request of that id."""
        return self._asked.get(request_id) if request_id is not None else None

    def answered(self, request_id: RequestId | None) -> Asked | None:
        """Settle the request that an answer belongs to, and return it."""
        found = self._asked.pop(request_id, None) if request_id is not None else None
        self.ever_answered = self.ever_answered or found is not None
        return found

    def answered_plainly(self, request_ids: list[int]) -> bool:
        """Settle the requests of these answers if all are pending and need no edit; return whether it did."""
        asked = self._asked
        for request_id in request_ids:
            found = asked.get(request_id)
            if found is None or found.editor is not None:
                return False
        for request_id in request_ids:
            asked.pop(request_id, None)
        self.ever_answered = True
        return True

    def forget(self, request_id: object) -> None:
        """Expect no answer any more: the request was cancelled."""
        if isinstance(request_id, str | int | float):
            self._asked.pop(request_id, None)

    def forget_edits(self) -> None:
        """Edit no answer to what was asked so far."""
        for asked in self._asked.values():
            asked.editor = None

    def lost(self) -> list[tuple[RequestId, Asked]]:
        """Return all that is open, which is then done with: no answer will come."""
        lost = list(self._asked.items())
        self._asked.clear()
        self._late.clear()
        return lost

    # --- answers that are too late ------------------------------------------------------

    def grow_older(self) -> list[tuple[RequestId, Asked]]:
        """Count every request as older and return those that are overdue, which are then done with.

        Their answers may still come; `is_late` knows them.
        """
        for asked in self._asked.values():
            asked.age += 1
        overdue = [
            (request_id, asked)
            for request_id, asked in self._asked.items()
            if asked.age > AGES and asked.method not in _TAKES_ITS_TIME
        ]
        for request_id, _ in overdue:
            del self._asked[request_id]
            self._late[request_id] = None
        while len(self._late) > _MOST_LATE:
            del self._late[next(iter(self._late))]
        return overdue

    def knows_late(self, request_id: RequestId) -> bool:
        """Whether the answer to an overdue request is still to come."""
        return request_id in self._late

    def is_late(self, request_id: RequestId | None) -> bool:
        """Whether an answer belongs to a request that was overdue; told once."""
        if request_id is None or request_id not in self._late:
            return False
        del self._late[request_id]
        return True
