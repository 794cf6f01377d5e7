"""Steps to be taken after some time, for a driver without an event loop."""

import heapq
import threading
import time
from collections.abc import Callable
from itertools import count

from attrs import define, field

Step = Callable[[], None]


@define(eq=False)
class Alarm:
    """Takes steps when their time has come, one after the other, in a thread of its own.

    Args:
        take: Takes a step.
    """

    _take: Callable[[Step], None]
    _due: list[tuple[float, int, Step]] = field(factory=list)
    _numbers: "count[int]" = field(factory=count)
    _changed: threading.Condition = field(factory=threading.Condition)
    _thread: threading.Thread | None = None

    def after(self, delay_s: float, step: Step) -> None:
        """Call a function after some seconds."""
        with self._changed:
            heapq.heappush(self._due, (time.monotonic() + delay_s, next(self._numbers), step))
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="alarm")
                self._thread.start()

    def _run(self) -> None:
        while True:
            self._take(self._next_step())

    def _next_step(self) -> Step:
        with self._changed:
            while not self._due or (wait_s := self._due[0][0] - time.monotonic()) > 0:
                self._changed.wait(wait_s if self._due else None)
            return heapq.heappop(self._due)[2]
