"""Work that many wait for and that is done once (SPEC §4, ARCHITECTURE 7)."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

import anyio
from anyio.abc import TaskGroup
from attrs import define, field

from genui_core.application.generation.own_ending import is_own_ending
from genui_core.errors import GenUiError

Landed = TypeVar("Landed")


@define(eq=False)
class _Flight(Generic[Landed]):
    """One piece of work under way.

    Attributes:
        kept: Whether it goes on without anybody waiting.
    """

    scope: anyio.CancelScope = field(factory=anyio.CancelScope)
    landed: anyio.Event = field(factory=anyio.Event)
    results: list[Landed] = field(factory=list)
    failure: Exception | None = None
    waiting: int = 0
    kept: bool = False


@define
class Flights(Generic[Landed]):
    """Shares work under way by key. The work belongs to the task group, not to who asked first.

    Work whose waiters have all been cancelled is cancelled too, unless one of them had lost
    patience before: that one was served something else meanwhile and is to be told of the end.

    Work that raises takes nothing along but itself: the task group is everybody's.
    """

    _tasks: TaskGroup
    _under_way: dict[str, _Flight[Landed]] = field(factory=dict)

    def is_under_way(self, key: str) -> bool:
        """Whether there is such work now."""
        return key in self._under_way

    async def join(
        self, key: str, work: Callable[[], Awaitable[Landed]], *, patience_s: float
    ) -> Landed | None:
        """Return what the work under that key comes to, or None when it takes longer than the patience.

        Args:
            key: Names the work.
            work: Begun unless it is under way already.
            patience_s: How long this caller waits, in seconds.

        Raises:
            Exception: What the work raised, to each who still waits for it.
        """
        flight = self._under_way.get(key) or self._begin(key, work)
        flight.waiting += 1
        try:
            with anyio.move_on_after(patience_s):
                await flight.landed.wait()
            flight.kept = True
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.kept:
                self._forget(key, flight)
                flight.scope.cancel()
        if flight.failure is not None:
            raise flight.failure
        return flight.results[0] if flight.results else None

    def keep(self, key: str, work: Callable[[], Awaitable[Landed]]) -> None:
        """Have the work done, whether or not anybody waits for it."""
        (self._under_way.get(key) or self._begin(key, work)).kept = True

    def _begin(self, key: str, work: Callable[[], Awaitable[Landed]]) -> _Flight[Landed]:
        flight = self._under_way[key] = _Flight()
        self._tasks.start_soon(self._fly, key, flight, work)
        return flight

    async def _fly(self, key: str, flight: _Flight[Landed], work: Callable[[], Awaitable[Landed]]) -> None:
        try:
            with flight.scope:
                flight.results.append(await work())
        except BaseException as error:  # raised again where it is waited for
            if is_own_ending(error):
                raise
            flight.failure = error if isinstance(error, Exception) else _broken_off(error)
        finally:
            self._forget(key, flight)
            flight.landed.set()

    def _forget(self, key: str, flight: _Flight[Landed]) -> None:
        if self._under_way.get(key) is flight:
            del self._under_way[key]


def _broken_off(error: BaseException) -> GenUiError:
    """Whoever waits has not been cancelled, and is not to end the program."""
    return GenUiError(f"It broke off with a {type(error).__name__}.")
