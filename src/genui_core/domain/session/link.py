"""Whether the upstream can be reached, and what waits until it can."""

from collections.abc import Callable, Mapping

from genui_core.domain.session.method_rules import MAY_WAIT

Step = Callable[[], None]
Later = Callable[[float, Step], None]

PATIENCE_S = 5.0
"""How long a request that changes nothing waits for an upstream that is being started again."""


class Link:
    """The state of the upstream connection: up, lost, or open for the handshake only.

    Attributes:
        is_open: Whether an upstream is connected: its messages count, and it can get a handshake.
        is_up: Whether it is ready for the host's requests.
        refusal: The error that requests get while it is not.
    """

    def __init__(self, later: Later) -> None:
        self.is_open = self.is_up = True
        self.refusal: Mapping[str, object] = {}
        self._is_expected = False
        self._later = later
        self._waiting: dict[object, tuple[Step, Step]] = {}

    def open(self) -> None:
        """Mark the upstream as connected, but not ready."""
        self.is_open, self.is_up = True, False

    def lose(self, refusal: Mapping[str, object], *, is_expected: bool = False) -> None:
        """Mark the upstream as gone.

        Args:
            refusal: The error that requests get until the upstream is ready.
            is_expected: Whether a new upstream is expected soon, so that requests may wait for it.
        """
        self.is_open = self.is_up = False
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
