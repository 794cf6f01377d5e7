"""A link to an upstream that is a child process."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio
from attrs import define, field, frozen

from genui_adapters.io.process import CannotStart, UpstreamCommand, UpstreamProcess
from genui_adapters.io.upstream_log import UpstreamLog
from genui_adapters.upstream.link import Inbox, Link, LinkOpener, NotTaken
from genui_adapters.upstream.message import Message
from genui_adapters.upstream.stdio.life import Life, LoopLife, StartLife
from genui_adapters.upstream.stdio.message_lines import MessageLines
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.errors import UpstreamUnreachable
from genui_core.ports.event_log import EventLog


@frozen
class StdioLinkOpener(LinkOpener):
    """Starts an upstream for each link.

    Attributes:
        command: How it is started.
        event_log: Takes its log, and what it writes that is no message.
        max_line_bytes: A longer line is refused.
        start_life: How its pipes are served.
    """

    command: UpstreamCommand
    event_log: EventLog
    max_line_bytes: int
    start_life: StartLife = LoopLife

    @asynccontextmanager
    async def __call__(self, inbox: Inbox) -> AsyncIterator[Link]:
        """Start the upstream; leaving ends it and its children, gently first."""
        try:
            process = UpstreamProcess(self.command)
        except CannotStart as error:
            raise UpstreamUnreachable(str(error)) from error
        heard = Hearing(MessageLines(inbox, self.event_log, process.name, self.max_line_bytes), inbox)
        life = self.start_life(process, UpstreamLog(process.name, self.event_log), heard.output, heard.end)
        try:
            yield StdioLink(life, heard)
        finally:
            with anyio.CancelScope(shield=True):
                await life.end()


@frozen
class Hearing:
    """Takes what is heard of a child."""

    _messages: MessageLines
    _inbox: Inbox

    def output(self, data: bytes) -> None:
        """Take bytes of its standard output."""
        try:
            self._messages.feed(data)
        except Exception as fault:  # noqa: BLE001 -- a connection that only seems alive would be worse
            self._inbox.ended(UpstreamUnreachable(f"an error in mcp-gen-ui: {fault!r}"))

    def end(self) -> None:
        """Handle the end of output from the upstream."""
        self._inbox.ended(UpstreamUnreachable("it stopped"))


@define(eq=False)
class StdioLink(Link):
    """Lines to a child's standard input, lines from its standard output."""

    _life: Life
    _heard: Hearing
    handshake_only: bool = field(default=False, init=False)
    closing_cancels: bool = field(default=False, init=False)

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:  # noqa: ARG002 -- HTTP only
        """Write a message as a line."""
        if not await self._life.write(outbound(message) + b"\n"):
            self._heard.end()
            raise NotTaken("it stopped")

    def send_at_once(self, text: bytes) -> bool:
        """Write a message as a line, unless the child has left much unread."""
        return self._life.write_at_once(text + b"\n")

    def abandon(self, request_id: int) -> None:
        """Do nothing: the answer is not waited for here."""

    def listen(self) -> None:
        """Do nothing: everything comes on the one stream."""
