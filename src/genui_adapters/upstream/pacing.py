"""Trying something again and again: at once after it has worked for a while, later and later after it has not."""

from random import random

import anyio
from attrs import define, field

from genui_core.domain.settings.upstream_settings import STABLE_AFTER_S, Backoff, Restarts


@define
class Pacing:
    """Measures tries, and says how long to wait between them."""

    _restarts: Restarts
    _is_shared: bool = False
    _began: float = field(factory=anyio.current_time)

    @classmethod
    def of(cls, backoff: Backoff, *, is_shared: bool = True) -> "Pacing":
        """Return the pacing of the first try, which begins now.

        Args:
            backoff: The waits.
            is_shared: Whether other clients share the server. If so, the first retry happens at once, and
                random waits keep the clients from reconnecting together.
        """
        return cls(Restarts(backoff, in_a_row=0 if is_shared else 1), is_shared)

    def begin(self) -> None:
        """Record the start of an attempt."""
        self._began = anyio.current_time()

    def pause_s(self) -> float:
        """Record the end of an attempt; return how many seconds to wait before the next."""
        if anyio.current_time() - self._began > STABLE_AFTER_S:
            self._restarts.was_stable()
        return self._restarts.died(random() if self._is_shared else 0)  # noqa: S311 -- nothing secret
