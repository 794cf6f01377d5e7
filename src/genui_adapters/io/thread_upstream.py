"""One life of an upstream, watched by threads."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator

from attrs import define, field

from genui_adapters.io.descriptors import read_some
from genui_adapters.io.process import UpstreamProcess
from genui_adapters.io.upstream_log import LAST_WORDS_S, UpstreamLog
from genui_adapters.io.writer_thread import WriterThread


@define(eq=False)
class ThreadUpstream:
    """A running upstream, and a thread for each of its streams.

    Each thread works on a copy of the descriptor, which it alone closes.

    Attributes:
        process: The process.
        guarded: Runs the body of a thread.
        on_output: Called with what it writes, in chunks.
        on_end: Called when it says no more.
        on_exit: Called when the process has ended, or reads no more.
        writer: Writes to it.
    """

    process: UpstreamProcess
    _log: UpstreamLog
    guarded: Callable[[Callable[[], None]], None]
    on_output: Callable[["ThreadUpstream", bytes], None]
    on_end: Callable[["ThreadUpstream"], None]
    on_exit: Callable[["ThreadUpstream"], None]
    writer: WriterThread = field(init=False)
    _log_reader: threading.Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Copy the descriptors and start the threads."""
        self.writer = WriterThread(
            os.dup(self.process.stdin_fd), owns_fd=True, on_broken=lambda: self.on_exit(self)
        )
        self.process.close_stdin()
        output, log = os.dup(self.process.stdout_fd), os.dup(self.process.stderr_fd)
        self._thread("read-upstream", lambda: self._read_output(output))
        self._log_reader = self._thread("read-log", lambda: self._read_log(log))
        self.process.on_end(lambda: self.on_exit(self))

    def close_input(self) -> None:
        """Tell it that nothing more will come, when what waits was written."""
        self._thread("close-input", self.writer.end)

    def end(self) -> int:
        """End it and wait for its last words to be logged; blocks."""
        self.writer.abandon()
        exit_code = self.process.end()
        self._log_reader.join(LAST_WORDS_S)
        self._log.ended(exit_code)
        self.process.close()
        return exit_code

    def _read_output(self, fd: int) -> None:
        for data in chunks(fd):
            self.on_output(self, data)
        self.on_end(self)

    def _read_log(self, fd: int) -> None:
        for data in chunks(fd):
            self._log.stderr_sent(data)
        self._log.stderr_closed()

    def _thread(self, name: str, body: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=self.guarded, args=(body,), daemon=True, name=name)
        thread.start()
        return thread


def chunks(fd: int, *, owns_fd: bool = True) -> Iterator[bytes]:
    """Yield what a descriptor gives until its end, and then close it if it is ours."""
    while (data := read_some(fd)) != b"":
        if data is None:
            threading.Event().wait(0.001)  # a descriptor that somebody made non-blocking
        else:
            yield data
    if owns_fd:
        with contextlib.suppress(OSError):
            os.close(fd)
