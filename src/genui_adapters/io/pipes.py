"""A child's pipes beside an event loop, and the way they are served where the loop can watch them."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol

import anyio
from attrs import define, field

from genui_adapters.io.event_loop import read_some
from genui_adapters.io.loop_pipes import PipeWriter

Take = Callable[[bytes], None]
"""Takes what was read, in the loop's thread; nothing means the end."""

_MAX_PENDING_BYTES = 1 << 20


class ChildPipes(Protocol):
    """Reads and writes the pipes of one child."""

    @abstractmethod
    def read(self, fd: int, take: Take) -> None:
        """Have everything that can be read from a descriptor taken."""
        ...

    @abstractmethod
    async def write(self, data: bytes) -> bool:
        """Write all of the data, even if cancelled; return whether somebody may still read it.

        Waits while the child leaves much unread.
        """
        ...

    @abstractmethod
    def stop_writing(self) -> None:
        """Let the descriptor that is written to go, before it is closed."""
        ...

    @abstractmethod
    def stop_reading(self) -> None:
        """Let the descriptors that are read go, before they are closed."""
        ...


@define(eq=False)
class WatchedPipes(ChildPipes):
    """Has the event loop watch the descriptors."""

    stdin_fd: int
    _loop: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)
    _writer: PipeWriter = field(init=False)
    _drained: anyio.Event = field(factory=anyio.Event)
    _read: set[int] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        """Take over the descriptor to write to."""
        self._writer = PipeWriter(self.stdin_fd, self._loop, self._on_drained)

    def read(self, fd: int, take: Take) -> None:
        """Have everything that can be read from a descriptor taken."""

        def readable() -> None:
            data = read_some(fd)
            if data == b"":
                self._stop(fd)
            if data is not None:
                take(data)

        self._loop.add_reader(fd, readable)
        self._read.add(fd)

    async def write(self, data: bytes) -> bool:
        """Write the data; what does not fit is written when there is room."""
        self._writer.write([data])
        while self._writer.pending_bytes > _MAX_PENDING_BYTES and not self._writer.broken:
            self._drained = anyio.Event()
            await self._drained.wait()
        return not self._writer.broken

    def stop_writing(self) -> None:
        """Watch for room no more."""
        self._writer.broken = True
        self._writer.restore()
        self._on_drained()

    def stop_reading(self) -> None:
        """Watch for data no more."""
        for fd in tuple(self._read):
            self._stop(fd)

    def _stop(self, fd: int) -> None:
        self._loop.remove_reader(fd)
        self._read.discard(fd)

    def _on_drained(self) -> None:
        self._drained.set()
