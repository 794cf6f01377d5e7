"""A stdio upstream as messages: its lines, read and written."""

import asyncio
import contextlib
import re
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from contextvars import Context, copy_context
from typing import Protocol

import anyio
import anyio.to_thread
from attrs import Factory, define, field, frozen

from genui_adapters.io.loop_upstream import LoopUpstream
from genui_adapters.io.process import CannotStart, UpstreamCommand, UpstreamProcess
from genui_adapters.io.thread_upstream import ThreadUpstream
from genui_adapters.io.upstream_log import LAST_WORDS_S, UpstreamLog
from genui_adapters.upstream.link import Inbox, Link, LinkOpener, NotTaken
from genui_adapters.upstream.message import Message, decoded
from genui_core.domain.framing.lines import LineBuffer
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.errors import UpstreamFailed, UpstreamUnreachable
from genui_core.ports.event_log import EventLog, Level

_MAX_PENDING_BYTES = 1 << 20
"""Above this, who writes waits."""


class Life(Protocol):
    """What a child's pipes are served by; it is heard from in the loop's thread."""

    @abstractmethod
    async def write(self, data: bytes) -> bool:
        """Write all of the data, even if cancelled; return whether somebody may still read it.

        Waits while the child leaves much unread.
        """

    def write_at_once(self, data: bytes) -> bool:  # noqa: ARG002 -- for lives that have to wait
        """Write all of the data without waiting; return False if nothing was written."""
        return False

    @abstractmethod
    async def end(self) -> None:
        """End the child and what it started, gently first; its last log lines are logged."""


StartLife = Callable[[UpstreamProcess, UpstreamLog, Callable[[bytes], None], Callable[[], None]], Life]
"""Starts to serve a process, with its log, a callback for its output and one for its end."""


@define(eq=False)
class LoopLife(Life):
    """Has the event loop watch the pipes."""

    _process: UpstreamProcess
    _log: UpstreamLog
    _on_output: Callable[[bytes], None]
    _on_end: Callable[[], None]
    _upstream: LoopUpstream = field(init=False)
    _drained: anyio.Event = field(factory=anyio.Event)

    def __attrs_post_init__(self) -> None:
        """Watch the process; later callbacks run in the present context."""
        context = copy_context()
        self._upstream = LoopUpstream(
            self._process,
            self._log,
            asyncio.get_running_loop(),
            on_output=lambda data: context.run(self._on_output, data),
            on_end=lambda _upstream: context.run(self._on_end),
            on_drained=self._note_room,
        )

    async def write(self, data: bytes) -> bool:
        """Write the data; what does not fit is written when there is room."""
        self._upstream.write([data])
        writer = self._upstream.writer
        while writer.pending_bytes > _MAX_PENDING_BYTES and not writer.broken:
            self._drained = anyio.Event()
            await self._drained.wait()
        return not writer.broken

    def write_at_once(self, data: bytes) -> bool:
        """Write the data, unless much waits to be written."""
        writer = self._upstream.writer
        if writer.broken or writer.pending_bytes > _MAX_PENDING_BYTES:
            return False
        self._upstream.write([data])
        return not writer.broken

    async def end(self) -> None:
        """End the process; keep reading its output so that it does not block."""
        self._upstream.close_input()
        self._note_room()
        await anyio.to_thread.run_sync(self._process.end)
        self._upstream.detach()
        self._upstream.end()

    def _note_room(self) -> None:
        self._drained.set()


@frozen(eq=False)
class ThreadLife(Life):
    """Has a thread read each pipe, and one write."""

    _process: UpstreamProcess
    _log: UpstreamLog
    _on_output: Callable[[bytes], None]
    _on_end: Callable[[], None]
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
            on_output=lambda _upstream, data: self._in_loop(self._on_output, data),
            on_end=lambda _upstream: self._in_loop(self._on_end),
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
        self._loop.call_later(LAST_WORDS_S, self._on_end, context=self._context)

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
            text = line.decode(errors="replace").strip()
            self.event_log.record(
                Level.WARN, "relay", "not_a_message", upstream=self.upstream_name, text=text
            )
        else:
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
            text = (
                f"The upstream's answer is longer than {self.max_line_bytes} bytes (upstream.maxLineBytes)."
            )
            self.inbox.failed(int(found[1]), UpstreamFailed({"code": -32000, "message": text}))


@frozen
class StdioLinkOpener(LinkOpener):
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
            yield StdioLink(life, lines.ended)
        finally:
            with anyio.CancelScope(shield=True):
                await life.end()


@frozen(eq=False)
class StdioLink(Link):
    """Lines to a child's standard input, lines from its standard output."""

    _life: Life
    _ended: Callable[[], None]
    handshake_only: bool = field(default=False, init=False)
    closing_cancels: bool = field(default=False, init=False)

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:  # noqa: ARG002 -- HTTP only
        """Write a message as a line."""
        if not await self._life.write(outbound(message) + b"\n"):
            self._ended()
            raise NotTaken("it stopped")

    def send_at_once(self, text: bytes) -> bool:
        """Write a message as a line, unless the child has left much unread."""
        return self._life.write_at_once(text + b"\n")

    def abandon(self, request_id: int) -> None:
        """Do nothing: the answer is not waited for here."""

    def listen(self) -> None:
        """Do nothing: everything comes on the one stream."""
