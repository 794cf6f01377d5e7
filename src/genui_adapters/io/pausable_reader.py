"""Reading a descriptor from an event loop, for as long as what is read has somewhere to go."""

from collections.abc import Callable

from genui_adapters.io.descriptors import read_some
from genui_adapters.io.event_loop import EventLoop


class PausableReader:
    """Reads a descriptor whenever there is something to read, unless it is paused.

    Attributes:
        is_open: Whether it was not stopped yet.

    Args:
        fd: What is read.
        loop: Watches it.
        take: Takes what was read; nothing at the end, and again until the reader is stopped.
    """

    __slots__ = ("_fd", "_is_paused", "_loop", "_take", "is_open")

    def __init__(self, fd: int, loop: EventLoop, take: Callable[[bytes], None]) -> None:
        self._fd, self._loop, self._take = fd, loop, take
        self.is_open, self._is_paused = True, False
        loop.add_reader(fd, self._read)

    def pause(self) -> None:
        """Read nothing for now."""
        if self.is_open and not self._is_paused:
            self._is_paused = True
            self._loop.remove_reader(self._fd)

    def resume(self) -> None:
        """Read on."""
        if self._is_paused:
            self._is_paused = False
            self._loop.add_reader(self._fd, self._read)

    def stop(self) -> None:
        """Read nothing any more."""
        if self.is_open:
            self.is_open = self._is_paused = False
            self._loop.remove_reader(self._fd)

    def _read(self) -> None:
        data = read_some(self._fd)
        if data is not None:
            self._take(data)
