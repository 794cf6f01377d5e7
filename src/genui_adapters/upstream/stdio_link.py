"""A stdio upstream as messages: its lines, read and written."""

import asyncio
import contextlib
import re
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from contextvars import Context, copy_context

import anyio
import anyio.to_thread
from attrs import Factory, define, field, frozen

from genui_adapters.io.loop_upstream import LoopUpstream
from genui_adapters.io.nursery import MOST_PENDING_BYTES, Room
from genui_adapters.io.process import CannotStart, UpstreamCommand, UpstreamProcess
from genui_adapters.io.thread_upstream import ThreadUpstream
from genui_adapters.io.upstream_log import LAST_WORDS_S, UpstreamLog, log_noise
from genui_adapters.upstream.link import Inbox, Link, NotTaken
from genui_adapters.upstream.message import Message, decoded, too_long
from genui_core.domain.framing.lines import LineBuffer
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.errors import UpstreamUnreachable
from genui_core.ports.event_log import EventLog, Level


@define(eq=False)
class Life(Link):
    """Serves a child's pipes as a link: lines to its standard input, lines from its standard output.

    Attributes:
        on_output: Takes what it writes, in the loop's thread.
        on_end: Is told of its end, in the loop's thread.
    """

    _process: UpstreamProcess
    _log: UpstreamLog
    on_output: Callable[[bytes], None]
    on_end: Callable[[], None]

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:  # noqa: ARG002 -- HTTP only
        """Write a message as a line."""
        if not await self.write(outbound(message) + b"\n"):
            self.on_end()
            raise NotTaken("it stopped")

    @abstractmethod
    async def write(self, data: bytes) -> bool:
        """Write all of the data, even if cancelled; return whether somebody may still read it.

        Waits while the child leaves much unread.
        """

    @abstractmethod
    async def end(self) -> None:
        """End the child and what it started, gently first; its last log lines are logged."""


StartLife = Callable[[UpstreamProcess, UpstreamLog, Callable[[bytes], None], Callable[[], None]], Life]
"""Starts to serve a process, with its log, a callback for its output and one for its end."""


@define(eq=False)
class LoopLife(Life):
    """Has the event loop watch the pipes."""

    _upstream: LoopUpstream = field(init=False)
    _room: Room = field(factory=Room, init=False)

    def __attrs_post_init__(self) -> None:
        """Watch the process; later callbacks run in the present context."""
        context = copy_context()
        self._upstream = LoopUpstream(
            self._process,
            self._log,
            asyncio.get_running_loop(),
            on_output=lambda data: context.run(self.on_output, data),
            on_end=lambda _upstream: context.run(self.on_end),
            on_drained=self._room.note,
        )

    async def write(self, data: bytes) -> bool:
        """Write the data; what does not fit is written when there is room."""
        self._upstream.write([data])
        return await self._room.wait(self._upstream.writer)

    def send_at_once(self, text: bytes) -> bool:
        """Write a message as a line, unless the child has left much unread."""
        writer = self._upstream.writer
        if writer.broken or writer.pending_bytes > MOST_PENDING_BYTES:
            return False
        self._upstream.write([text + b"\n"])
        return not writer.broken

    async def end(self) -> None:
        """End the process; keep reading its output so that it does not block."""
        self._upstream.close_input()
        self._room.note()
        await anyio.to_thread.run_sync(self._process.end)
        self._upstream.detach()
        self._upstream.end()


@define(eq=False)
class ThreadLife(Life):
    """Has a thread read each pipe, and one write."""

    _loop: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)
    _context: Context = field(factory=copy_context)
    _upstream: ThreadUpstream = field(init=False)

    @_upstream.default
    def _(self) -> ThreadUpstream:
        """Start the threads; what they call back is called in the loop."""
        return ThreadUpstream(
            self._process,
            self._log,
            guarded=lambda body: body(),
            on_output=lambda _upstream, data: self._in_loop(self.on_output, data),
            on_end=lambda _upstream: self._in_loop(self.on_end),
            on_exit=lambda _upstream: self._in_loop(self._end_after_last_words),
        )

    async def write(self, data: bytes) -> bool:
        """Hand the data to the writing thread."""
        writer = self._upstream.writer
        writer.put([data])
        await anyio.to_thread.run_sync(writer.wait_for_room, abandon_on_cancel=True)
        return not writer.broken

    async def end(self) -> None:
        """End it; the threads end with it."""
        await anyio.to_thread.run_sync(self._upstream.end)

    def _end_after_last_words(self) -> None:
        self._loop.call_later(LAST_WORDS_S, self.on_end, context=self._context)

    def _in_loop(self, step: Callable[..., None], *arguments: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended before the child
            self._loop.call_soon_threadsafe(step, *arguments, context=self._context)


_EDGE_BYTES = 200
"""As much of a line that is too long is looked at, at either end, for whose answer it is."""
_ID_FIRST = re.compile(rb'\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\b')
_ID_LAST = re.compile(rb'"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')


class MessageLines:
    """Hands in the lines that are messages; the others go into the event log.

    A line that is too long is let go while it comes, and the request it would have answered fails.
    """

    def __init__(self, inbox: Inbox, event_log: EventLog, upstream_name: str, max_line_bytes: int) -> None:
        self.inbox = inbox
        self.event_log = event_log
        self.upstream_name = upstream_name
        self.max_line_bytes = max_line_bytes
        self._lines = LineBuffer()
        self._tail: bytes | None = None

    def heard(self, data: bytes) -> None:
        """Take bytes; an error here ends the connection: one that only seems alive would be worse."""
        try:
            self.feed(data)
        except Exception as fault:  # noqa: BLE001 -- see above
            self.inbox.ended(UpstreamUnreachable(f"an error in mcp-gen-ui: {fault!r}"))

    def ended(self) -> None:
        """Handle the end of output from the upstream."""
        self.inbox.ended(UpstreamUnreachable("it stopped"))

    def feed(self, data: bytes) -> None:
        """Take bytes."""
        if self._tail is not None:
            data = self._skip(self._tail + data)
        for line in self._lines.feed(data):
            self._line(line)
        if self._lines.size > self.max_line_bytes:
            self._refuse(self._lines.take())

    def _line(self, line: bytes) -> None:
        if line.isspace() or self.inbox.answered(line):
            return
        try:
            messages = decoded(line)
        except ValueError:
            log_noise(self.event_log, self.upstream_name, line)
            return
        for message in messages:
            self.inbox.arrived(message)

    def _refuse(self, beginning: bytes) -> None:
        limit = self.max_line_bytes
        self.event_log.record(
            Level.WARN, "relay", "line_too_long", upstream=self.upstream_name, limit_bytes=limit
        )
        self._fail(_ID_FIRST.match(beginning[:_EDGE_BYTES]))
        self._tail = beginning[-_EDGE_BYTES:]

    def _skip(self, data: bytes) -> bytes:
        """Let the rest of the line go; return what follows it."""
        line, newline, rest = data.partition(b"\n")
        if not newline:
            self._tail = line[-_EDGE_BYTES:]
            return b""
        self._fail(_ID_LAST.search(line[-_EDGE_BYTES:]))
        self._tail = None
        return rest

    def _fail(self, found: re.Match[bytes] | None) -> None:
        if found is not None:
            self.inbox.failed(int(found[1]), too_long(self.max_line_bytes))


@frozen
class StdioLinkOpener:
    """Starts an upstream for each link.

    Attributes:
        ahead: The process of the first link, if it was started already.
    """

    command: UpstreamCommand
    event_log: EventLog
    max_line_bytes: int
    start_life: StartLife = LoopLife
    ahead: list[UpstreamProcess] = Factory(list)

    @asynccontextmanager
    async def __call__(self, inbox: Inbox) -> AsyncIterator[Link]:
        """Start the upstream; leaving ends it and its children, gently first."""
        try:
            process = self.ahead.pop() if self.ahead else UpstreamProcess(self.command)
        except CannotStart as error:
            raise UpstreamUnreachable(str(error)) from error
        lines = MessageLines(inbox, self.event_log, process.name, self.max_line_bytes)
        life = self.start_life(process, UpstreamLog(process.name, self.event_log), lines.heard, lines.ended)
        try:
            yield life
        finally:
            with anyio.CancelScope(shield=True):
                await life.end()
