"""What an event loop offers to a stdio driver, and how a descriptor is read."""

import os
import signal
from collections.abc import Callable
from typing import Protocol

Step = Callable[[], object]


END_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
)
"""The signals that end this process."""


class EventLoop(Protocol):
    """What serving a pipe takes of a loop; those of asyncio are such loops too."""

    def add_reader(self, fd: int, callback: Step, /) -> object:
        """Call a function whenever a descriptor has data or its end to read."""

    def remove_reader(self, fd: int, /) -> object:
        """Watch a descriptor for that no more, if it was watched."""

    def add_writer(self, fd: int, callback: Step, /) -> object:
        """Call a function whenever a descriptor can be written, or its reader has closed it."""

    def remove_writer(self, fd: int, /) -> object:
        """Watch a descriptor for that no more, if it was watched."""

    def call_later(self, delay: float, callback: Step, /) -> object:
        """Call a function after some seconds."""

    def call_soon_threadsafe(self, callback: Step, /) -> object:
        """Call a function soon; may be called from any thread."""


READ_BYTES = 65536


def read_some(fd: int) -> bytes | None:
    """Return what can be read, nothing at the end, or None where there is nothing to read yet."""
    try:
        return os.read(fd, READ_BYTES)
    except BlockingIOError:
        return None
    except OSError:
        return b""
