"""Whether the upstream can be reached, and what waits until it can."""

from collections.abc import Callable, Mapping

Step = Callable[[], None]
Later = Callable[[float, Step], None]

PATIENCE_S = 5.0
"""How long a request that changes nothing waits for an upstream that is being started again."""

_MAY_WAIT = frozenset(
    (
        "initialize",
        "server/discover",
        "ping",
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "subscriptions/listen",
    )
)
"""What may be kept for a moment. A call may not: who asked for it is to know at once that it was not made."""


class Link:
    """The way to the upstream: up, lost, or open to be greeted.

    Attributes:
        is_open: Whether an upstream is there: its words count, and it can be greeted.
        is_up: Whether it is ready for what the host asks.
        refusal: What a request is told while it is not.
    """

    def __init__(self, later: Later) -> None:
        self.is_open = self.is_up = True
        self.refusal: Mapping[str, object] = {}
        self._is_expected = False
        self._later = later
        self._waiting: dict[object, tuple[Step, Step]] = {}

    def open(self) -> None:
        """Take note that an upstream is there, which is not yet ready."""
        self.is_open, self.is_up = True, False

    def lose(self, refusal: Mapping[str, object], *, is_expected: bool = False) -> None:
        """Take note that there is none.

        Args:
            refusal: What a request is told meanwhile.
            is_expected: Whether one is expected in a moment, so that it is worth waiting.
        """
        self.is_open = self.is_up = False
        self.refusal, self._is_expected = refusal, is_expected

    def set_up(self) -> None:
        """Take note that it is ready, and let go on what has waited, in order."""
        self.is_open = self.is_up = True
        for go_on, _give_up in self._taken():
            go_on()

    def refuse_waiting(self) -> None:
        """Let nothing wait any longer: no upstream will come."""
        for _go_on, give_up in self._taken():
            give_up()

    def may_wait(self, method: str) -> bool:
        """Whether a request of that method may wait now."""
        return self._is_expected and method in _MAY_WAIT

    def wait(self, go_on: Step, give_up: Step) -> None:
        """Take one step when the upstream is ready, or the other when that takes too long."""
        place = object()

        def tire() -> None:
            if self._waiting.pop(place, None) is not None:
                give_up()

        self._waiting[place] = (go_on, give_up)
        self._later(PATIENCE_S, tire)

    def _taken(self) -> list[tuple[Step, Step]]:
        waiting, self._waiting = self._waiting, {}
        return list(waiting.values())
