"""A child's pipes beside an event loop: watched by it, or served by threads where that is not possible."""

import asyncio
import contextlib
import sys
import threading
from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol

import anyio
from attrs import define, field

from genui_adapters.host.stdio_events import read_some
from genui_adapters.host.stdio_loop import PipeWriter
from genui_adapters.host.stdio_threads import WriterThread

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


def pipes_to(stdin_fd: int, *, watched: bool = sys.platform != "win32") -> ChildPipes:
    """Return the pipes to a child that reads from the other end of ``stdin_fd``."""
    return WatchedPipes(stdin_fd) if watched else ThreadedPipes(stdin_fd)


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


@define(eq=False)
class ThreadedPipes(ChildPipes):
    """Has a thread read each descriptor, and one write."""

    stdin_fd: int
    _loop: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)
    _writer: WriterThread = field(init=False)
    _closed: bool = False

    def __attrs_post_init__(self) -> None:
        """Start the writing thread."""
        self._writer = WriterThread(self.stdin_fd)

    def read(self, fd: int, take: Take) -> None:
        """Start a thread that reads to the end."""

        def run() -> None:
            while not self._closed:
                data = read_some(fd) or b""
                with contextlib.suppress(RuntimeError):  # the loop may have ended before the child
                    self._loop.call_soon_threadsafe(self._hand_in, take, data)
                if not data:
                    break

        threading.Thread(target=run, daemon=True, name=f"reader-{fd}").start()

    def _hand_in(self, take: Take, data: bytes) -> None:
        if not self._closed:
            take(data)

    async def write(self, data: bytes) -> bool:
        """Hand the data to the writing thread."""
        self._writer.put([data])
        await anyio.to_thread.run_sync(self._writer.wait_for_room, abandon_on_cancel=True)
        return not self._writer.broken

    def stop_writing(self) -> None:
        """Have the writing thread end; a child that does not read ends it when it does."""
        self._writer.broken = True
        self._writer.end(timeout_s=0)

    def stop_reading(self) -> None:
        """Hand in nothing any more; the threads end with the child."""
        self._closed = True
