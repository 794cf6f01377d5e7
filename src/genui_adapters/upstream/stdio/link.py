"""A link to an upstream that is a child process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread
from attrs import define, field, frozen

from genui_adapters.host.stdio_events import LAST_WORDS_S, UpstreamLog
from genui_adapters.upstream.link import Inbox, Link, LinkOpener, NotTaken
from genui_adapters.upstream.message import Message
from genui_adapters.upstream.process import CannotStart, UpstreamCommand, UpstreamProcess
from genui_adapters.upstream.stdio.message_lines import MessageLines
from genui_adapters.upstream.stdio.pipes import ChildPipes, WatchedPipes
from genui_core.domain.outbound import outbound
from genui_core.errors import UpstreamUnreachable
from genui_core.ports.journal import Journal, Level


@frozen
class StdioLinkOpener(LinkOpener):
    """Starts an upstream for each link.

    Attributes:
        command: How it is started.
        journal: Takes its log, and what it writes that is no message.
        max_line_bytes: A longer line is refused.
        serve_pipes: How the bytes are moved.
    """

    command: UpstreamCommand
    journal: Journal
    max_line_bytes: int
    serve_pipes: Callable[[int], ChildPipes] = WatchedPipes

    @asynccontextmanager
    async def __call__(self, inbox: Inbox) -> AsyncIterator[Link]:
        """Start the upstream; leaving ends it and its children, gently first."""
        try:
            process = UpstreamProcess(self.command)
        except CannotStart as error:
            raise UpstreamUnreachable(str(error)) from error
        log = UpstreamLog(process.name, self.journal)
        pipes = self.serve_pipes(process.stdin_fd)
        link = StdioLink(pipes, MessageLines(inbox, self.journal, process.name, self.max_line_bytes), inbox)
        try:
            link.watch(process, log)
            yield link
        finally:
            pipes.stop_writing()
            with anyio.CancelScope(shield=True):
                code = await anyio.to_thread.run_sync(process.end)
            pipes.stop_reading()
            log.drain(process.stderr_fd)
            process.close()
            self.journal.record(Level.DEBUG, "relay", "upstream_ended", upstream=process.name, exit_code=code)


@define(eq=False)
class StdioLink(Link):
    """Lines to a child's standard input, lines from its standard output."""

    _pipes: ChildPipes
    _messages: MessageLines
    _inbox: Inbox
    handshake_only: bool = field(default=False, init=False)
    closing_cancels: bool = field(default=False, init=False)

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:  # noqa: ARG002 -- HTTP only
        """Write a message as a line."""
        if not await self._pipes.write(outbound(message) + b"\n"):
            self._ended()
            raise NotTaken("it stopped")

    def abandon(self, request_id: int) -> None:
        """Do nothing: the answer is not waited for here."""

    def listen(self) -> None:
        """Do nothing: everything comes on the one stream."""

    def watch(self, process: UpstreamProcess, log: UpstreamLog) -> None:
        """Read what the upstream says from now on, and notice its end at once."""
        self._pipes.read(process.stdout_fd, self._from_stdout)
        self._pipes.read(process.stderr_fd, lambda data: _log(log, data))
        loop = asyncio.get_running_loop()

        def ended() -> None:
            # A child of its own may hold the output open; what it wrote last is read first.
            with contextlib.suppress(RuntimeError):  # the loop may have ended before it
                loop.call_soon_threadsafe(loop.call_later, LAST_WORDS_S, self._ended)

        process.on_end(ended)

    def _from_stdout(self, data: bytes) -> None:
        if not data:
            self._ended()
            return
        try:
            self._messages.feed(data)
        except Exception as fault:  # noqa: BLE001 -- a connection that only seems alive would be worse
            self._inbox.ended(UpstreamUnreachable(f"a fault of ours: {fault!r}"))

    def _ended(self) -> None:
        self._inbox.ended(UpstreamUnreachable("it stopped"))


def _log(log: UpstreamLog, data: bytes) -> None:
    if data:
        log.stderr_sent(data)
    else:
        log.stderr_closed()
