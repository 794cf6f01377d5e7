"""A host on two descriptors, as the streams of messages that the SDK serves.

The SDK's own hand each message from thread to thread three times.
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
    """What the SDK wants of a stream besides its messages: the descriptors are not ours to close."""

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
    """Writes each message at once, as a line, and knows which answers are still to come."""

    pipes: WatchedPipes
    _awaited: set[RequestId | None] = field(factory=set)
    _answered: anyio.Event = field(factory=anyio.Event)

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message; it is let go where the host reads no more."""
        message = item.message
        line = message.model_dump_json(by_alias=True, exclude_unset=True)
        await self.pipes.write(line.encode() + b"\n")
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._awaited.discard(message.id)
            self._answered.set()

    def expect_answer(self, message: JSONRPCMessage) -> None:
        """Record a message from the host: an answer will follow if it is a request."""
        if isinstance(message, JSONRPCRequest):
            self._awaited.add(message.id)

    async def until_answered(self) -> None:
        """Wait until every request was answered."""
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
        """Begin to read."""
        self.pipes.read(self._take)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message; a line that holds none is answered with an error.

        Raises:
            EndOfStream: There is none any more.
        """
        while not self._messages:
            await self._next_line()
        message = self._messages.popleft()
        self.writer.expect_answer(message)
        return SessionMessage(message)

    def __aiter__(self) -> Self:
        """Return this."""
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
    """Return what a line says.

    Raises:
        ValueError: It is no message.
    """
    if not line.strip():
        return []
    if not line.lstrip().startswith(b"["):
        return [jsonrpc_message_adapter.validate_json(line, by_name=False)]
    return [jsonrpc_message_adapter.validate_python(each, by_name=False) for each in from_json(line)]
