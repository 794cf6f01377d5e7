"""A raw MCP client: every value of an answer reaches the page unchanged."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import anyio
import attrs
from anyio.abc import ByteReceiveStream, ByteSendStream, TaskGroup

from genui_cli.preview import wire
from genui_cli.preview.wire import METHOD_NOT_FOUND, ServerEnded
from genui_core.domain.framing.lines import LineBuffer


@attrs.define
class Waiting:
    """One request under way; `response` stays None when the server ended first."""

    number: int
    done: anyio.Event = attrs.field(factory=anyio.Event)
    response: dict[str, object] | None = None


class InFlight:
    """Numbers requests and finds the request of each response."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._waiting: dict[int, Waiting] = {}

    @contextmanager
    def request(self) -> Iterator[Waiting]:
        """Give a request its number, for as long as someone waits for it."""
        waiting = Waiting(next(self._numbers))
        self._waiting[waiting.number] = waiting
        try:
            yield waiting
        finally:
            del self._waiting[waiting.number]

    def settle(self, response: dict[str, object]) -> None:
        """Pass a response to its waiter; ignore it if there is none."""
        number = response.get("id")
        waiting = self._waiting.get(number) if isinstance(number, int) else None
        if waiting is not None:
            waiting.response = response
            waiting.done.set()

    def give_up(self) -> None:
        """Wake everyone, with no response."""
        for waiting in self._waiting.values():
            waiting.done.set()


_RESULTS: dict[str, dict[str, object]] = {"ping": {}, "roots/list": {"roots": []}}
_NOT_YET = frozenset({"sampling/createMessage", "elicitation/create"})


def answer_server_request(message: dict[str, object]) -> dict[str, object]:
    """Return the response to the request `message` of a server."""
    envelope = {"jsonrpc": "2.0", "id": message["id"]}
    method = str(message["method"])
    if method in _RESULTS:
        return {**envelope, "result": _RESULTS[method]}
    return {**envelope, "error": {"code": METHOD_NOT_FOUND, "message": _refusal(method)}}


def _refusal(method: str) -> str:
    if method in _NOT_YET:
        return f"The preview does not support {method} yet."
    return f"Method not found: {method}"


PROTOCOL_VERSION = "2025-11-25"
LONGEST_LINE_BYTES = 128 * 1024 * 1024
OUTPUT_CLOSED = "The server closed its output."
_APPS = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
_CANNOT_WRITE = (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError)
_CANNOT_READ = (anyio.EndOfStream, *_CANNOT_WRITE)

Listener = Callable[[dict[str, object]], None]


class WrappedServer:
    """One conversation with an MCP server over a pair of byte streams.

    Requests may run concurrently. The streams are lent: who opened them closes them. `run` must be
    running in a task of the caller's while requests are made.
    """

    def __init__(self, output: ByteReceiveStream, to_server: ByteSendStream) -> None:
        self._output = output
        self._to_server = to_server
        self._one_line_at_a_time = anyio.Lock()
        self._in_flight = InFlight()
        self._listeners: list[Listener] = []
        self._end_reason: str | None = None

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every notification, whole; the returned function ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def run(self) -> str:
        """Read the server's output until it ends; then fail what is in flight and return the reason."""
        reason = OUTPUT_CLOSED
        try:
            async with anyio.create_task_group() as answers:
                reason = await self._read(answers)
                answers.cancel_scope.cancel()
        finally:
            self._end_reason = reason
            self._in_flight.give_up()
        return reason

    async def initialize(self, client_version: str) -> dict[str, object]:
        """Shake hands as a host that shows MCP Apps; return the server's answer.

        Raises:
            RequestFailed: The server refused.
            ServerEnded: The server ended first.
        """
        params: dict[str, object] = {
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {"extensions": _APPS},
            "clientInfo": {"name": "mcp-gen-ui-preview", "version": client_version},
        }
        result = await self.request("initialize", params)
        await self._send(wire.notification("notifications/initialized"))
        return result

    async def request(self, method: str, params: dict[str, object] | None = None) -> dict[str, object]:
        """Send a request and return its result, untouched.

        Cancelling the caller tells the server so. There is no time limit of its own.

        Raises:
            RequestFailed: The server answered with an error, or the params cannot be written as JSON.
            ServerEnded: The server is gone, or goes before it answers.
        """
        with self._in_flight.request() as waiting:
            line = wire.encode(wire.request(waiting.number, method, params or {}))
            try:
                await self._send_line(line)
                await waiting.done.wait()
            except anyio.get_cancelled_exc_class():
                await self._tell_cancelled(waiting.number)
                raise
        if waiting.response is None:
            raise ServerEnded(self._end_reason)
        return wire.outcome(waiting.response)

    async def _tell_cancelled(self, number: int) -> None:
        with anyio.move_on_after(1, shield=True):
            try:
                await self._send(wire.notification("notifications/cancelled", {"requestId": number}))
            except ServerEnded:
                return

    async def _send(self, message: dict[str, object]) -> None:
        await self._send_line(wire.encode(message))

    async def _send_line(self, line: bytes) -> None:
        if self._has_ended():
            raise ServerEnded(self._end_reason)
        try:
            async with self._one_line_at_a_time:
                await self._to_server.send(line)
        except _CANNOT_WRITE as gone:
            raise ServerEnded(self._end_reason or "The server no longer reads its input.") from gone

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

    def _route(self, message: dict[str, object], answers: TaskGroup) -> None:
        if "method" not in message:
            self._in_flight.settle(message)
        elif "id" in message:
            # Never awaited here: a server which is not reading must not stop us from reading.
            answers.start_soon(self._reply, message)
        else:
            for listener in tuple(self._listeners):
                listener(message)

    async def _reply(self, message: dict[str, object]) -> None:
        try:
            await self._send(answer_server_request(message))
        except ServerEnded:
            return

    def _has_ended(self) -> bool:
        return self._end_reason is not None
