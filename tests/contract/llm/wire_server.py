"""A server on a real socket that speaks the wire protocols of three providers, and misbehaves on demand.

It answers every request with its current `Reply`. It records the requests, and whether the client
disconnected before the end of the answer.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator

from attrs import define, field, frozen

TEXT = "<style></style>\n<script>function render() {}</script>"
USAGE = (10, 5)
FLOOD = "x" * 50_000
ENDLESS = {"line": FLOOD.encode(), "event": f"data: {FLOOD}\n".encode(), "body": b"\n\n" * 25_000}
"""The bytes to send repeatedly for a line, an event or a body without end."""


@frozen(kw_only=True)
class Reply:
    """How the server answers a request.

    Attributes:
        status: The HTTP status; an error has ``kind``, ``code`` and ``headers``.
        finish: ``stop``, ``length``, ``refusal`` or ``filter``.
        breaks: ``""``, or the fault in the middle of the stream: ``reset``, ``clean`` end, ``error`` event,
            ``garbage``, ``hang``, a ``flood`` of text without end, or a line, an event or a body without end;
            or at once: ``silence``, ``html`` instead of the protocol.
        text: The model's answer.
        pause_s: The pause before each piece of the text, in seconds.
        step: The number of characters in a piece.
    """

    status: int = 200
    kind: str = "some_error"
    code: str | None = None
    param: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    finish: str = "stop"
    breaks: str = ""
    text: str = TEXT
    pause_s: float = 0.0
    step: int = 9

    @property
    def pieces(self):
        return [self.text[start : start + self.step] for start in range(0, len(self.text), self.step)]


@define
class Request:
    """A recorded request, when it came, when its answer ended, and whether the client disconnected before."""

    path: str
    headers: dict
    body: dict
    hung_up: asyncio.Event = field(factory=asyncio.Event)
    at: float = field(factory=time.monotonic)
    ended: float = 0.0


@define
class WireServer:
    """The server. It gives each reply in ``coming`` once, and then always ``reply``."""

    reply: Reply = Reply()
    coming: list[Reply] = field(factory=list)
    requests: list[Request] = field(factory=list)
    origin: str = ""
    _connections: set = field(factory=set)

    @contextlib.asynccontextmanager
    async def running(self):
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in self._connections:
                task.cancel()
            await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve(self, reader, writer):
        self._connections.add(asyncio.current_task())
        try:
            while True:
                await self._answer(await self._read(reader), reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._connections.discard(asyncio.current_task())
            writer.close()

    async def _read(self, reader):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))))
        self.requests.append(Request(head[0].split()[1], headers, body))
        return self.requests[-1]

    async def _answer(self, request, reader, writer):
        reply = self.coming.pop(0) if self.coming else self.reply
        if reply.status != 200 and reply.breaks in ENDLESS:
            writer.write(f"HTTP/1.1 {reply.status} X\r\ntransfer-encoding: chunked\r\n\r\n".encode())
            await self._without_end(ENDLESS[reply.breaks], request, reader, writer)
        elif reply.status != 200:
            send(writer, reply.status, json.dumps(error_body(request.path, reply)).encode(), reply.headers)
        elif reply.breaks == "silence":
            await self._until_hung_up(request, reader)
        elif reply.breaks == "html":
            send(writer, 200, b"<html>log in first</html>")
        else:
            await self._stream(reply, request, reader, writer)
        await writer.drain()
        request.ended = time.monotonic()

    async def _stream(self, reply, request, reader, writer):
        kind = "application/x-ndjson" if request.path.startswith("/api/") else "text/event-stream"
        writer.write(
            f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n".encode()
        )
        for number, event in enumerate(protocol(request.path)(reply)):
            if number == 4 and reply.breaks:
                if reply.breaks == "hang":
                    await self._until_hung_up(request, reader)
                if reply.breaks == "reset":
                    raise ConnectionError
                if reply.breaks == "flood":
                    await self._flood(request, reader, writer)
                if reply.breaks in ENDLESS:
                    await self._without_end(ENDLESS[reply.breaks], request, reader, writer)
                if reply.breaks == "garbage":
                    chunk(writer, b"{oops\n" if "/api/" in request.path else b"event: oops\ndata: {oops\n\n")
                if reply.breaks == "error":
                    chunk(writer, stream_error(request.path))
                break
            if reply.pause_s:
                await self._pause(reply.pause_s, request, reader)
            chunk(writer, event)
            await writer.drain()
        writer.write(b"0\r\n\r\n")

    async def _flood(self, request, reader, writer):
        """Send a model's words again and again until the client disconnects."""
        piece = next(
            each
            for each in protocol(request.path)(Reply(text=FLOOD, step=len(FLOOD)))
            if FLOOD.encode() in each
        )
        await self._without_end(piece, request, reader, writer)

    async def _without_end(self, piece, request, reader, writer):
        while not reader.at_eof():
            chunk(writer, piece)
            try:
                await writer.drain()
            except ConnectionError:
                break
            await asyncio.sleep(0)
        request.hung_up.set()
        raise ConnectionError

    async def _pause(self, seconds, request, reader):
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._until_hung_up(request, reader), seconds)

    async def _until_hung_up(self, request, reader):
        await reader.read(1)
        request.hung_up.set()
        raise ConnectionError


def send(writer, status, body, headers=()):
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    writer.write(
        f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n{lines}\r\n".encode()
        + body
    )


def chunk(writer, data):
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def protocol(path):
    if path.endswith("/responses"):
        return responses_events
    if path.endswith("/chat/completions"):
        return chat_events
    return ollama_lines if path.startswith("/api/") else anthropic_events


def error_body(path, reply):
    if path.startswith("/api/"):
        return {"error": "it went wrong"}
    if path.startswith("/v1/messages"):
        details = {"details": {"error_code": reply.code}} if reply.code else {}
        return {"type": "error", "error": {"type": reply.kind, "message": "it went wrong", **details}}
    error = {"message": "it went wrong", "type": reply.kind, "code": reply.code, "param": reply.param}
    return {"error": error}


def stream_error(path):
    if path.startswith("/api/"):
        return b'{"error": "it went wrong"}\n'
    if path.startswith("/v1/messages"):
        return event({"type": "error", "error": {"type": "overloaded_error", "message": "it went wrong"}})
    if path.endswith("/responses"):
        return event(
            {
                "type": "error",
                "sequence_number": 9,
                "code": "server_error",
                "message": "it went wrong",
                "param": None,
            }
        )
    return b'data: {"error": {"message": "it went wrong", "type": "server_error", "code": null}}\n\n'


def event(data):
    return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n".encode()


def anthropic_events(reply) -> Iterator[bytes]:
    stop = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal", "filter": "refusal"}[
        reply.finish
    ]
    usage = {"input_tokens": USAGE[0] - 3, "cache_read_input_tokens": 3, "output_tokens": 0}
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "model-x",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield event({"type": "message_start", "message": message})
    yield event({"type": "ping"})
    thought = {"type": "thinking", "thinking": "", "signature": ""}
    yield event({"type": "content_block_start", "index": 0, "content_block": thought})
    yield event(
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}
    )
    yield event({"type": "content_block_stop", "index": 0})
    yield event({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}})
    for piece in reply.pieces:
        delta = {"type": "text_delta", "text": piece}
        yield event({"type": "content_block_delta", "index": 1, "delta": delta})
    yield event({"type": "content_block_stop", "index": 1})
    end = {"stop_reason": stop, "stop_sequence": None}
    yield event({"type": "message_delta", "delta": end, "usage": {"output_tokens": USAGE[1]}})
    yield event({"type": "message_stop"})


def responses_events(reply) -> Iterator[bytes]:
    content = {"type": "refusal", "refusal": "no"} if reply.finish == "refusal" else None
    content = content or {"type": "output_text", "text": reply.text, "annotations": []}
    item = {"type": "message", "id": "i", "role": "assistant", "status": "completed", "content": [content]}
    reason = {"length": "max_output_tokens", "filter": "content_filter"}.get(reply.finish)
    base = {
        "id": "r",
        "object": "response",
        "created_at": 1,
        "model": "model-x",
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    usage = {
        "input_tokens": USAGE[0],
        "output_tokens": USAGE[1],
        "total_tokens": sum(USAGE),
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    begun = {**base, "status": "in_progress", "incomplete_details": None, "output": [], "usage": None}
    yield event({"type": "response.created", "sequence_number": 0, "response": begun})
    for number, piece in enumerate(reply.pieces):
        yield event(
            {
                "type": "response.output_text.delta",
                "sequence_number": number + 1,
                "item_id": "i",
                "output_index": 0,
                "content_index": 0,
                "delta": piece,
                "logprobs": [],
            }
        )
    status = "incomplete" if reason else "completed"
    done = {**base, "status": status, "output": [item], "usage": usage}
    yield event({"type": f"response.{status}", "sequence_number": 99, "response": done})


def chat_events(reply) -> Iterator[bytes]:
    def part(delta, finish=None):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        body = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "model-x"}
        return f"data: {json.dumps({**body, 'choices': [choice], 'usage': None})}\n\n".encode()

    yield part({"role": "assistant", "content": ""})
    for piece in reply.pieces:
        yield part({"refusal": piece} if reply.finish == "refusal" else {"content": piece})
    yield part({}, {"length": "length", "filter": "content_filter"}.get(reply.finish, "stop"))
    usage = {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1], "total_tokens": sum(USAGE)}
    last = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "model-x", "choices": []}
    yield f"data: {json.dumps({**last, 'usage': usage})}\n\n".encode()
    yield b"data: [DONE]\n\n"


def ollama_lines(reply) -> Iterator[bytes]:
    def part(piece, **more):
        body = {"model": "model-x", "created_at": "2026-01-01T00:00:00Z", "done": False}
        return (
            json.dumps({**body, "message": {"role": "assistant", "content": piece}, **more}).encode() + b"\n"
        )

    for piece in reply.pieces:
        yield part(piece)
    reason = "length" if reply.finish == "length" else "stop"
    yield part("", done=True, done_reason=reason, prompt_eval_count=USAGE[0], eval_count=USAGE[1])
