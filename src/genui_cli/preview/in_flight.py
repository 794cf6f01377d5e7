"""Requests that wait for their responses."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import anyio
import attrs


@attrs.define
class Waiting:
    """One request under way; `response` stays None when the server ended first."""

    number: int
    done: anyio.Event = attrs.field(factory=anyio.Event)
    response: dict[str, object] | None = None


class InFlight:
    """Numbers requests and finds the request of each response."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._waiting: dict[int, Waiting] = {}

    @contextmanager
    def request(self) -> Iterator[Waiting]:
        """Give a request its number, for as long as someone waits for it."""
        waiting = Waiting(next(self._numbers))
        self._waiting[waiting.number] = waiting
        try:
            yield waiting
        finally:
            del self._waiting[waiting.number]

    def settle(self, response: dict[str, object]) -> None:
        """Pass a response to its waiter; ignore it if there is none."""
        number = response.get("id")
        waiting = self._waiting.get(number) if isinstance(number, int) else None
        if waiting is not None:
            waiting.response = response
            waiting.done.set()

    def give_up(self) -> None:
        """Wake everyone, with no response."""
        for waiting in self._waiting.values():
            waiting.done.set()
