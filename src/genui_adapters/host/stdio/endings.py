"""Upstreams that are being ended, each in a thread of its own: that may take seconds."""

import threading
from collections.abc import Callable

from attrs import define, field


@define(eq=False)
class Endings:
    """The endings that are under way."""

    _threads: list[threading.Thread] = field(factory=list)

    def begin(self, end: Callable[[], None]) -> None:
        """Have an upstream ended without waiting for it."""
        thread = threading.Thread(target=end, daemon=True, name="upstream-ending")
        self._threads = [*(each for each in self._threads if each.is_alive()), thread]
        thread.start()

    def wait(self) -> None:
        """Wait until all have ended."""
        for each in self._threads:
            each.join()
