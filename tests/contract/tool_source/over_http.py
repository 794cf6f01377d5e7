"""A scripted upstream over HTTP, with faults. usage: over_http.py streamable|stateless|sse PORT [FLAG ...]

Flags: --json (answers in a body, not on a stream), --no-standing-stream, --drip (a few bytes at a
time), --polls (ends every stream before the answer, so the client must resume it), --calls FILE,
--token TOKEN (requires this bearer token), --moved (redirects to the endpoint), --headers (requires arguments
repeated in headers). Prints "ready" when it listens; the tool `die` ends the process.
"""

import json
import os
import queue
import select
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

from genui_core.testing.scripted_upstream import Die, ScriptedUpstream

KIND, PORT, *FLAGS = sys.argv[1:]
STATELESS = KIND == "stateless"


def option(name):
    return FLAGS[FLAGS.index(name) + 1] if name in FLAGS else None


def note(word):
    if option("--calls"):
        with Path(option("--calls")).open("a") as calls:
            calls.write(word + "\n")


class World:
    """The state that all connections share."""

    def __init__(self):
        self.lock = threading.RLock()
        self.upstream = ScriptedUpstream(STATELESS)
        self.session = uuid4().hex
        self.waiting = {}

    def stream(self, of):
        """Return the queue of a request's messages; None names the queue of messages that belong to no request."""
        return self.waiting.setdefault(of, queue.Queue())

    def take(self, message):
        with self.lock:
            for act in self.upstream.receive(message):
                if isinstance(act, Die):
                    os._exit(9)
                self.stream(None if KIND == "sse" else act.of).put(act.message)


WORLD = World()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        message = json.loads(body)
        if self.is_refused(message):
            return
        if message.get("method") == "tools/call":
            note(message["params"]["name"])
        if KIND == "sse" or "id" not in message or "method" not in message:
            WORLD.take(message)
            self.reply(202, b"")
            return
        request_id = message["id"]
        WORLD.waiting[request_id] = queue.Queue()
        WORLD.take(message)
        if "--json" in FLAGS:
            body = json.dumps(self.answer(request_id)).encode()
            self.reply(200, body, "application/json", **self.session(message))
        else:
            self.begin_stream(message)
            self.serve(request_id, polls="--polls" in FLAGS)

    def do_GET(self):
        if self.headers["last-event-id"]:
            self.begin_stream({})
            self.serve(int(self.headers["last-event-id"]))
        elif self.path == "/sse":
            WORLD.waiting[None] = queue.Queue()  # the stream of a client that left may still take messages
            self.begin_stream({})
            self.event("/messages?session=1", "endpoint")
            self.serve(None)
        elif KIND != "streamable" or "--no-standing-stream" in FLAGS:
            self.reply(405, b"")
        elif self.headers["mcp-session-id"] != WORLD.session:
            self.reply(404, b"")
        else:
            self.begin_stream({})
            self.serve(None)

    def do_DELETE(self):
        note("DELETE")
        WORLD.session = uuid4().hex
        self.reply(200, b"")

    # --- refusing -----------------------------------------------------------------------

    def is_refused(self, message):
        method = message.get("method")
        if option("--token") and self.headers["authorization"] != f"Bearer {option('--token')}":
            return self.reply(401, b"{}", "application/json")
        if "--moved" in FLAGS and self.path == "/mcp":
            return self.reply(308, b"", location="/elsewhere")
        if KIND == "sse" and not self.path.startswith("/messages"):
            return self.reply(405, b"")
        if (
            KIND == "streamable"
            and method != "initialize"
            and self.headers["mcp-session-id"] != WORLD.session
        ):
            return self.reply(
                404,
                b'{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}',
                "application/json",
            )
        if "--headers" in FLAGS and method == "tools/call" and self.headers["mcp-param-region"] is None:
            error = {"code": -32020, "message": "Mcp-Param-Region header is missing"}
            return self.reply(
                400,
                json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}).encode(),
                "application/json",
            )
        return False

    def reply(self, status, body, kind="text/plain", **headers):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        return True

    # --- streams ------------------------------------------------------------------------

    def begin_stream(self, message):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        for name, value in self.session(message).items():
            self.send_header(name, value)
        self.end_headers()

    def session(self, message):
        return {"mcp-session-id": WORLD.session} if message.get("method") == "initialize" else {}

    def serve(self, of, *, polls=False):
        """Write a request's messages until its answer, or messages of no request until the client leaves."""
        if polls:
            self.chunk(f"id: {of}\nretry: 10\ndata:\n\n".encode())
        waiting = WORLD.stream(of)
        while not polls:
            try:
                message = waiting.get(timeout=0.02)
            except queue.Empty:
                if self.is_left():
                    if STATELESS:
                        WORLD.upstream.closed(of)
                    self.close_connection = True
                    return
                continue
            self.event(json.dumps(message))
            if of is not None and message.get("id") == of and "method" not in message:
                break
        self.chunk(b"")

    def answer(self, request_id):
        while True:
            message = WORLD.stream(request_id).get()
            if "method" not in message:
                return message

    def event(self, data, kind="message"):
        self.chunk(f"event: {kind}\r\ndata: {data}\r\n\r\n".encode())

    def chunk(self, data):
        step = 3 if "--drip" in FLAGS else max(len(data), 1)
        for start in range(0, max(len(data), 1), step):
            piece = data[start : start + step]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()

    def is_left(self):
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        """Ignore clients that disconnect."""


server = Server(("127.0.0.1", int(PORT)), Handler)
sys.stdout.write("ready\n")
sys.stdout.flush()
server.serve_forever()
