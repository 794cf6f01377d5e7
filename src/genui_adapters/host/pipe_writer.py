"""Writing to a pipe from an event loop, which must never wait."""

import contextlib
import os
from collections.abc import Callable

from attrs import define, field

from genui_adapters.host.event_loop import EventLoop


@define(eq=False)
class PipeWriter:
    """Writes to a descriptor without ever blocking; keeps what does not fit.

    Attributes:
        broken: Whether nobody reads any more; what is written is then let go.
    """

    fd: int
    loop: EventLoop
    on_drained: Callable[[], None]
    broken: bool = False
    _pending: bytearray = field(factory=bytearray)

    _was_blocking: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Make the descriptor non-blocking."""
        self._was_blocking = os.get_blocking(self.fd)
        os.set_blocking(self.fd, False)

    def restore(self) -> None:
        """Leave the descriptor as it was found."""
        self.loop.remove_writer(self.fd)
        with contextlib.suppress(OSError):
            os.set_blocking(self.fd, self._was_blocking)

    @property
    def pending_bytes(self) -> int:
        """How much waits to be written."""
        return len(self._pending)

    def write(self, pieces: list[bytes]) -> bool:
        """Write the pieces, or keep what does not fit now; the list is emptied. Say whether all was written."""
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        if self.broken:
            return False
        if self._pending:
            self._pending += data
            return False
        written = self._try(data)
        if written == len(data):
            return True
        if not self.broken:
            self._pending += memoryview(data)[written:]
            self.loop.add_writer(self.fd, self._write_pending)
        return False

    def _write_pending(self) -> None:
        del self._pending[: self._try(self._pending)]
        if self.broken:
            self._pending.clear()
        if not self._pending:
            self.loop.remove_writer(self.fd)
            self.on_drained()

    def _try(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self.fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            self.broken = True
            return 0
