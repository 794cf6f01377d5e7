"""A raw MCP client: every value of an answer reaches the page unchanged."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, TaskGroup

from genui_adapters.upstream.message import (
    Message,
    error_message,
    notification_message,
    request_message,
    result_message,
)
from genui_cli.preview import wire
from genui_cli.preview.wire import RequestFailed, ServerEnded
from genui_core.domain.framing.lines import LineBuffer
from genui_core.domain.mcp.envelope import EXTENSION_ID, LATEST_HANDSHAKE, MIME_TYPE
from genui_core.domain.mcp.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, outbound
from genui_core.errors import InvalidArguments

_RESULTS: dict[str, dict[str, object]] = {"ping": {}, "roots/list": {"roots": []}}
_NOT_YET = frozenset({"sampling/createMessage", "elicitation/create"})


LONGEST_LINE_BYTES = 128 * 1024 * 1024
OUTPUT_CLOSED = "The server closed its output."
_APPS = {EXTENSION_ID: {"mimeTypes": [MIME_TYPE]}}
_CANNOT_WRITE = (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError)
_CANNOT_READ = (anyio.EndOfStream, *_CANNOT_WRITE)


class WrappedServer:
    """One conversation with an MCP server over a pair of byte streams. Runs on asyncio.

    Requests may run concurrently. The streams are lent: who opened them closes them. `run` must be
    running in a task of the caller's while requests are made.

    Args:
        output: What the server writes.
        to_server: What it reads.
        notified: Called with every notification, whole.
    """

    def __init__(
        self, output: ByteReceiveStream, to_server: ByteSendStream, notified: Callable[[Message], None]
    ) -> None:
        self._output = output
        self._to_server = to_server
        self._notified = notified
        self._one_line_at_a_time = anyio.Lock()
        self._numbers = count(1)
        self._waiting: dict[object, asyncio.Future[Message | None]] = {}
        self._end_reason: str | None = None

    async def run(self) -> str:
        """Read the server's output until it ends; then fail what is in flight and return the reason."""
        reason = OUTPUT_CLOSED
        try:
            async with anyio.create_task_group() as answers:
                reason = await self._read(answers)
                answers.cancel_scope.cancel()
        finally:
            self._end_reason = reason
            for waiting in tuple(self._waiting):
                self._settle(waiting, None)
        return reason

    async def initialize(self, client_version: str) -> dict[str, object]:
        """Shake hands as a host that shows MCP Apps; return the server's answer.

        Raises:
            RequestFailed: The server refused.
            ServerEnded: The server ended first.
        """
        params: dict[str, object] = {
            "protocolVersion": LATEST_HANDSHAKE,
            "capabilities": {"extensions": _APPS},
            "clientInfo": {"name": "mcp-gen-ui-preview", "version": client_version},
        }
        result = await self.request("initialize", params)
        await self._send(notification_message("notifications/initialized"))
        return result

    async def request(self, method: str, params: dict[str, object] | None = None) -> dict[str, object]:
        """Send a request and return its result, untouched.

        Cancelling the caller tells the server so. There is no time limit of its own.

        Raises:
            RequestFailed: The server answered with an error, or the params cannot be written as JSON.
            ServerEnded: The server is gone, or goes before it answers.
        """
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            await self._send(request_message(number, method, params or {}))
            response = await answer
        except asyncio.CancelledError:
            with anyio.move_on_after(1, shield=True), suppress(ServerEnded):
                await self._send(notification_message("notifications/cancelled", {"requestId": number}))
            raise
        finally:
            del self._waiting[number]
        if response is None:
            raise ServerEnded(self._end_reason)
        return wire.outcome(response)

    async def _send(self, message: Message) -> None:
        if self._end_reason is not None:
            raise ServerEnded(self._end_reason)
        try:
            line = outbound(message) + b"\n"
        except InvalidArguments as cannot:
            raise RequestFailed(INVALID_PARAMS, str(cannot)) from cannot
        try:
            async with self._one_line_at_a_time:
                await self._to_server.send(line)
        except _CANNOT_WRITE as gone:
            raise ServerEnded("The server no longer reads its input.") from gone

    async def _read(self, answers: TaskGroup) -> str:
        lines = LineBuffer()
        try:
            while lines.size <= LONGEST_LINE_BYTES:
                for line in lines.feed(await self._output.receive()):
                    if message := wire.decode(line):
                        self._route(message, answers)
        except _CANNOT_READ:
            return OUTPUT_CLOSED
        return f"The server wrote a line of more than {LONGEST_LINE_BYTES} bytes."

    def _route(self, message: Message, answers: TaskGroup) -> None:
        if "method" not in message:
            self._settle(message.get("id"), message)
        elif "id" in message:
            # Never awaited here: a server which is not reading must not stop us from reading.
            answers.start_soon(self._reply, message)
        else:
            self._notified(message)

    def _settle(self, number: object, response: Message | None) -> None:
        """Pass a response to its waiter; None where none will come. Without a waiter, it is late."""
        waiting = self._waiting.get(number) if isinstance(number, int) else None
        if waiting is not None and not waiting.done():
            waiting.set_result(response)

    async def _reply(self, message: Message) -> None:
        """Answer a request of the server's."""
        number, method = message["id"], str(message["method"])
        refusal = f"Method not found: {method}"
        if method in _NOT_YET:
            refusal = f"The preview does not support {method} yet."
        answer = error_message(number, {"code": METHOD_NOT_FOUND, "message": refusal})
        with suppress(ServerEnded):
            await self._send(result_message(number, _RESULTS[method]) if method in _RESULTS else answer)
