"""Runs a generation once for all its callers, also across wrappers (requirements G6 and C3)."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from math import inf
from types import TracebackType
from typing import Generic, TypeVar

import anyio
from anyio.abc import TaskGroup
from attrs import define, field, frozen

from genui_core.application.defaults import call_or_log
from genui_core.application.services import Services
from genui_core.errors import GenUiError
from genui_core.ports.generation_lock import GenerationLock

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 0.5
_PROLONGED_PER_LEASE = 3


def is_own_ending(error: BaseException) -> bool:
    """Whether an error means that this task is being cancelled, so that the caller must raise it again.

    A provider of another package may raise a cancellation that no caller asked for (one of its own
    tasks was cancelled), or `SystemExit`. This task then continues, and reports an error to its callers.
    """
    if isinstance(error, GeneratorExit):
        return True
    is_cancellation = isinstance(error, anyio.get_cancelled_exc_class())
    return is_cancellation and anyio.current_effective_deadline() == -inf


Result = TypeVar("Result")


@define(eq=False, repr=False)
class _Run(Generic[Result]):
    """One run under way, which several callers may share.

    Attributes:
        kept: Whether it continues even if no caller waits for it.
    """

    scope: anyio.CancelScope = field(factory=anyio.CancelScope)
    finished: anyio.Event = field(factory=anyio.Event)
    result: Result | None = None
    failure: Exception | None = None
    waiting: int = 0
    kept: bool = False


@frozen
class SingleFlight(Generic[Result]):
    """Coalesces calls by key: one run serves all callers.

    The run belongs to the task group, not to its first caller.

    If all waiting callers are cancelled, the run is cancelled too, unless a caller has timed out
    before: that caller returned a substitute and still needs the notification when the run ends.

    A run that raises does not cancel the task group, which all runs share.
    """

    _tasks: TaskGroup
    _under_way: dict[str, _Run[Result]] = field(factory=dict)

    def is_under_way(self, key: str) -> bool:
        """Whether a run under this key is under way."""
        return key in self._under_way

    async def join(
        self, key: str, work: Callable[[], Awaitable[Result]], *, timeout_s: float
    ) -> Result | None:
        """Return the result of the run under a key, started if needed; None if it takes too long.

        Raises:
            Exception: The error of the work, for each caller that still waits for it.
        """
        run = self._run_for(key, work)
        run.waiting += 1
        try:
            with anyio.move_on_after(timeout_s):
                await run.finished.wait()
            run.kept = True
        finally:
            run.waiting -= 1
            if not run.waiting and not run.kept:
                self._forget(key, run)
                run.scope.cancel()
        if run.failure is not None:
            raise run.failure
        return run.result

    def keep(self, key: str, work: Callable[[], Awaitable[Result]]) -> None:
        """Start the work unless it is under way; it continues even if no caller waits for it."""
        self._run_for(key, work).kept = True

    def give_up(self, key: str) -> None:
        """Cancel the run under a key; callers that wait for it get None."""
        if run := self._under_way.pop(key, None):
            run.scope.cancel()

    def _run_for(self, key: str, work: Callable[[], Awaitable[Result]]) -> _Run[Result]:
        if key not in self._under_way:
            self._under_way[key] = _Run()
            self._tasks.start_soon(self._execute, key, self._under_way[key], work)
        return self._under_way[key]

    async def _execute(self, key: str, run: _Run[Result], work: Callable[[], Awaitable[Result]]) -> None:
        try:
            with run.scope:
                run.result = await work()
        except BaseException as error:  # `join` raises it again
            if is_own_ending(error):
                raise
            # The callers that wait were not cancelled, and must not exit the program.
            stopped = GenUiError(f"The generation stopped with {type(error).__name__}.")
            run.failure = error if isinstance(error, Exception) else stopped
        finally:
            self._forget(key, run)
            run.finished.set()

    def _forget(self, key: str, run: _Run[Result]) -> None:
        if self._under_way.get(key) is run:
            del self._under_way[key]


class GenerationSlots:
    """A fixed number of slots, granted in the order of the requests. Used from one event loop.

    Work that no reader waits for begins only if a slot is free, and is cancelled as soon as a reader has to
    wait for one.
    """

    def __init__(self, most: int) -> None:
        self._slots = anyio.Semaphore(most)
        self._released = anyio.Event()
        self._yielding: set[anyio.CancelScope] = set()

    async def __aenter__(self) -> None:
        """Take a slot; wait until one is free."""
        if not self._slots.value:
            for scope in self._yielding:
                scope.cancel()
        await self._slots.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the slot."""
        self._slots.release()
        self._released.set()
        self._released = anyio.Event()

    async def wait_for_spare(self) -> None:
        """Wait until there is a free slot that no reader waits for."""
        while not self._slots.value:
            await self._released.wait()

    @contextmanager
    def yielding(self) -> Iterator[anyio.CancelScope]:
        """Cancel the body of the ``with`` statement as soon as a reader has to wait for a slot."""
        with anyio.CancelScope() as scope:
            self._yielding.add(scope)
            try:
                yield scope
            finally:
                self._yielding.discard(scope)


@frozen
class GenerationLeases:
    """Leases on views, so that only one of the wrappers that share a lock makes a view at a time.

    After the time limit of a generation the view is made without a lease. An error of the lock is logged and
    counts as a granted lease: two wrappers may then make the same view, which costs a call of the model.
    """

    _services: Services

    @asynccontextmanager
    async def lease(
        self, key: str, tasks: TaskGroup, on_wait: Callable[[], None]
    ) -> AsyncIterator[int | None]:
        """Hold the lease on a view, as soon as no other wrapper holds it.

        Yields the milliseconds waited for other wrappers; None if no other wrapper can have made the view.
        """
        lock, clock = self._services.lock, self._services.clock
        if lock is None:
            yield None
            return
        began_ms, prolonging = clock.monotonic_ms(), anyio.CancelScope()
        try:
            await self._wait(lock, key, on_wait)
            tasks.start_soon(self._prolong, lock, key, prolonging)
            yield clock.monotonic_ms() - began_ms
        finally:
            prolonging.cancel()
            with anyio.CancelScope(shield=True):
                await call_or_log(self._services.event_log, "give_back", lambda: lock.release(key), None)

    async def _take(self, lock: GenerationLock, key: str) -> bool:
        return await call_or_log(self._services.event_log, "take", lambda: lock.take(key), otherwise=True)

    async def _wait(self, lock: GenerationLock, key: str, on_wait: Callable[[], None]) -> None:
        if await self._take(lock, key):
            return
        on_wait()
        pause_s = _FIRST_PAUSE_S
        with anyio.move_on_after(self._services.settings.generation.timeout_ms / 1000):
            while True:
                await anyio.sleep(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
                if await self._take(lock, key):
                    return

    async def _prolong(self, lock: GenerationLock, key: str, until_cancelled: anyio.CancelScope) -> None:
        """Renew the lease until the run ends; the lease of a wrapper that died expires."""
        with until_cancelled:
            while True:
                await anyio.sleep(lock.lease_ms / 1000 / _PROLONGED_PER_LEASE)
                await call_or_log(self._services.event_log, "prolong", lambda: lock.prolong(key), None)
