"""What serving pipes takes of an event loop."""

from collections.abc import Callable
from typing import Protocol

Step = Callable[[], object]


class EventLoop(Protocol):
    """What serving a pipe takes of a loop; those of asyncio are such loops too."""

    def add_reader(self, fd: int, callback: Step, /) -> object:
        """Have a step taken whenever something can be read from a descriptor, or its end."""

    def remove_reader(self, fd: int, /) -> object:
        """Watch a descriptor for that no more, if it was watched."""

    def add_writer(self, fd: int, callback: Step, /) -> object:
        """Have a step taken whenever something can be written to a descriptor, or nobody reads it."""

    def remove_writer(self, fd: int, /) -> object:
        """Watch a descriptor for that no more, if it was watched."""

    def call_later(self, delay: float, callback: Step, /) -> object:
        """Have a step taken after some seconds."""

    def call_soon_threadsafe(self, callback: Step, /) -> object:
        """Have a step taken soon; may be called from any thread."""
