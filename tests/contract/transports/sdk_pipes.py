"""The message streams of an SDK server on two pipes.

The SDK's own streams pass each message between threads three times.
"""

from collections import deque
from types import TracebackType
from typing import Self

import anyio
from attrs import define, field
from mcp.shared.message import SessionMessage
from mcp_types import (
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic_core import from_json

from genui_adapters.host.sessions.stdio_session import WatchedPipes
from genui_core.domain.framing.lines import LineBuffer

_UNREADABLE = JSONRPCError(
    jsonrpc="2.0", id=None, error=ErrorData(code=PARSE_ERROR, message="This line is no JSON-RPC message.")
)


class _Stream:
    """The part of a stream that the SDK needs besides messages; it leaves the descriptors open."""

    async def aclose(self) -> None:
        """Do nothing."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


@define(eq=False)
class HostWriter(_Stream):
    """Writes each message at once, as a line, and tracks the requests that have no answer yet."""

    pipes: WatchedPipes
    _awaited: set[RequestId | None] = field(factory=set)
    _answered: anyio.Event = field(factory=anyio.Event)

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message; drop it if the host no longer reads."""
        message = item.message
        line = message.model_dump_json(by_alias=True, exclude_unset=True)
        await self.pipes.write(line.encode() + b"\n")
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._awaited.discard(message.id)
            self._answered.set()

    def expect_answer(self, message: JSONRPCMessage) -> None:
        """Record a message from the host as a pending request if it is one."""
        if isinstance(message, JSONRPCRequest):
            self._awaited.add(message.id)

    async def until_answered(self) -> None:
        """Wait until every request has its answer."""
        while self._awaited:
            self._answered = anyio.Event()
            await self._answered.wait()


@define(eq=False)
class HostReader(_Stream):
    """Reads lines, each a message or a batch of them (2025-03-26), until the host closes its side."""

    pipes: WatchedPipes
    writer: HostWriter
    _buffer: LineBuffer = field(factory=LineBuffer)
    _lines: deque[bytes] = field(factory=deque)
    _messages: deque[JSONRPCMessage] = field(factory=deque)
    _arrived: anyio.Event = field(factory=anyio.Event)
    _ended: bool = False

    def __attrs_post_init__(self) -> None:
        """Start to read."""
        self.pipes.read(self._take)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message; answer a line without one with an error.

        Raises:
            EndOfStream: The host has closed its side.
        """
        while not self._messages:
            await self._next_line()
        message = self._messages.popleft()
        self.writer.expect_answer(message)
        return SessionMessage(message)

    def __aiter__(self) -> Self:
        """Return the reader itself."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        """Return the next message."""
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def _next_line(self) -> None:
        while not self._lines:
            if self._ended:
                raise anyio.EndOfStream
            self._arrived = anyio.Event()
            await self._arrived.wait()
        try:
            self._messages += _messages_in(self._lines.popleft())
        except ValueError:
            await self.writer.send(SessionMessage(_UNREADABLE))

    def _take(self, data: bytes) -> None:
        self._lines += self._buffer.feed(data) if data else filter(None, [self._buffer.take()])
        self._ended = self._ended or not data
        self._arrived.set()


def _messages_in(line: bytes) -> list[JSONRPCMessage]:
    """Return the messages in a line.

    Raises:
        ValueError: The line is no message.
    """
    if not line.strip():
        return []
    if not line.lstrip().startswith(b"["):
        return [jsonrpc_message_adapter.validate_json(line, by_name=False)]
    return [jsonrpc_message_adapter.validate_python(each, by_name=False) for each in from_json(line)]
