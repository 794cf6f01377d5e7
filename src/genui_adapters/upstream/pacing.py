"""Trying something again and again: at once after it has worked for a while, later and later after it has not."""

from random import random

import anyio
from attrs import define, field

from genui_core.domain.backoff import Backoff
from genui_core.domain.restart import STABLE_AFTER_S, Restarts


@define
class Pacing:
    """Measures tries, and says how long to wait between them."""

    _restarts: Restarts
    _began: float = field(factory=anyio.current_time)

    @classmethod
    def of(cls, backoff: Backoff) -> "Pacing":
        """Return the pacing of the first try, which begins now."""
        return cls(Restarts(backoff))

    def begin(self) -> None:
        """Take note that a try begins."""
        self._began = anyio.current_time()

    def pause_s(self) -> float:
        """Take note that the try has ended; return how many seconds to wait before the next."""
        if anyio.current_time() - self._began > STABLE_AFTER_S:
            self._restarts.was_stable()
        return self._restarts.died(random())  # noqa: S311 -- jitter
