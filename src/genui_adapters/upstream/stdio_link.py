"""A link to a stdio upstream, whose messages are lines."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from contextvars import copy_context

import anyio
import anyio.to_thread
from attrs import field, frozen

from genui_adapters.io.descriptor_loop import EventLoop
from genui_adapters.io.loop_upstream import LoopUpstream, Streams, UpstreamLog, watched_streams
from genui_adapters.io.nursery import Room
from genui_adapters.io.process import CannotStart, UpstreamCommand, UpstreamProcess
from genui_adapters.io.threads import threaded_streams
from genui_adapters.upstream.link import Inbox, Link, NotTaken
from genui_adapters.upstream.message import Message, messages_in, own_id, too_long
from genui_core.domain.framing.lines import LineBuffer, LongLine
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.errors import UpstreamUnreachable
from genui_core.ports.event_log import EventLog, Level

ServePipes = Callable[[EventLoop], Streams]
PLATFORM_PIPES: ServePipes = threaded_streams if sys.platform == "win32" else watched_streams
"""The loop of Windows cannot watch pipes."""


class MessageLines:
    """Gives the lines that are messages to the inbox, and logs the others.

    A line that is too long is dropped as it arrives, and the request that it answers fails.
    """

    def __init__(self, inbox: Inbox, event_log: EventLog, upstream_name: str, max_line_bytes: int) -> None:
        self.inbox = inbox
        self.event_log = event_log
        self.upstream_name = upstream_name
        self.max_line_bytes = max_line_bytes
        self._lines = LineBuffer()
        self._dropped: LongLine | None = None

    def take(self, data: bytes) -> None:
        """Take bytes; an error ends the connection, since one that only seems alive would be worse."""
        try:
            self.feed(data)
        except Exception as fault:  # noqa: BLE001 -- see above
            self.inbox.end(UpstreamUnreachable(f"an error in mcp-gen-ui: {fault!r}"))

    def ended(self) -> None:
        """End the connection, because the upstream's output has ended."""
        self.inbox.end(UpstreamUnreachable("it stopped"))

    def feed(self, data: bytes) -> None:
        """Take bytes."""
        if self._dropped is not None:
            data = self._drop(self._dropped, data)
        for line in self._lines.feed(data):
            self._line(line)
        if self._lines.size > self.max_line_bytes:
            self._begin_to_drop(self._lines.take())

    def _line(self, line: bytes) -> None:
        if line.isspace() or self.inbox.take_line(line):
            return
        for message in messages_in(line, self.event_log, self.upstream_name):
            self.inbox.take(message)

    def _begin_to_drop(self, beginning: bytes) -> None:
        limit = self.max_line_bytes
        self.event_log.record(
            Level.WARN, "relay", "line_too_long", upstream=self.upstream_name, limit_bytes=limit
        )
        self._dropped = LongLine(beginning, is_dropped=True)

    def _drop(self, dropped: LongLine, data: bytes) -> bytes:
        """Drop the rest of the line; return the bytes after it."""
        line, newline, rest = data.partition(b"\n")
        dropped.add(line + newline)
        if newline:
            self._dropped, seen = None, dropped.peek()
            if seen is not None and seen.kind == "answer":
                self.inbox.fail(own_id(seen.request_id), too_long(self.max_line_bytes))
        return rest


@frozen(eq=False, repr=False)
class StdioLink(Link):
    """A link over a child's pipes: lines to its standard input, lines from its standard output.

    Attributes:
        lines: Takes the child's output and its end, in the loop's thread.
        streams: Returns the constructors of the pipes' readers and writers.
    """

    _process: UpstreamProcess
    _log: UpstreamLog
    lines: MessageLines
    streams: ServePipes
    _room: Room = field(factory=Room, init=False)
    _upstream: LoopUpstream = field(init=False)

    @_upstream.default
    def _(self) -> LoopUpstream:
        """Watch the process; later callbacks run in the present context."""
        context, loop = copy_context(), asyncio.get_running_loop()
        return LoopUpstream(
            self._process,
            self._log,
            loop,
            on_output=lambda data: context.run(self.lines.take, data),
            on_end=lambda _upstream: context.run(self.lines.ended),
            on_drained=self._room.wake,
            streams=self.streams(loop),
        )

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:  # noqa: ARG002 -- HTTP only
        """Write a message as a line, even if cancelled; wait while the child leaves much unread."""
        self._upstream.write([outbound(message) + b"\n"])
        if not await self._room.wait(self._upstream.writer):
            self.lines.ended()
            raise NotTaken("it stopped")

    def send_at_once(self, text: bytes) -> bool:
        """Write a message as a line, unless the child has left much unread."""
        writer = self._upstream.writer
        if writer.broken or writer.is_full:
            return False
        self._upstream.write([text + b"\n"])
        return not writer.broken

    async def end(self) -> None:
        """End the child and its children, gently first; keep reading the output so that they do not block."""
        self._upstream.close_input()
        self._room.wake()
        await anyio.to_thread.run_sync(self._process.end)
        self._upstream.detach()
        await anyio.to_thread.run_sync(self._upstream.end)


@asynccontextmanager
async def process_link(
    process: UpstreamProcess, log: UpstreamLog, lines: MessageLines, streams: ServePipes = PLATFORM_PIPES
) -> AsyncIterator[Link]:
    """Open a link to a process; leaving ends the process and its children, gently first."""
    link = StdioLink(process, log, lines, streams)
    try:
        yield link
    finally:
        with anyio.CancelScope(shield=True):
            await link.end()


@asynccontextmanager
async def open_stdio_link(
    command: UpstreamCommand,
    settings: UpstreamSettings,
    event_log: EventLog,
    ahead: list[UpstreamProcess],
    inbox: Inbox,
    *,
    streams: ServePipes = PLATFORM_PIPES,
) -> AsyncIterator[Link]:
    """Start an upstream, unless one was started ahead; leaving ends it and its children, gently first."""
    try:
        process = ahead.pop() if ahead else UpstreamProcess(command)
    except CannotStart as error:
        raise UpstreamUnreachable(str(error)) from error
    log = UpstreamLog(process.name, event_log)
    lines = MessageLines(inbox, event_log, process.name, settings.max_line_bytes)
    async with process_link(process, log, lines, streams) as link:
        yield link
