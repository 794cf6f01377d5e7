"""An upstream on Streamable HTTP that fails as a call of its tool `fault` asks: the standard library only.

usage: faulty_http.py PORT [STATUS]

With a STATUS it answers every request with that status.
"""

import json
import os
import socket
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

PORT, *STATUS = map(int, sys.argv[1:])
BIG = 3 * 1024 * 1024
SESSION = [""]
REFUSING, FORGOTTEN = [], []
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}
KIND = {"type": "object", "properties": {"kind": {"type": "string"}}}
TOOLS = [{"name": "echo", "inputSchema": TEXT}, {"name": "fault", "inputSchema": KIND}]
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "faulty", "version": "1"},
}


def answer_to(message, text="well"):
    results = {"initialize": HELLO, "tools/list": {"tools": TOOLS}}
    result = results.get(message["method"], {"content": [{"type": "text", "text": text}]})
    return json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": result}).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing."""

    def do_GET(self):
        self.reply(405, b"")

    def do_DELETE(self):
        self.reply(200, b"")

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method = message.get("method")
        if STATUS or REFUSING:
            self.reply((STATUS or REFUSING)[0], b"{}")
        elif method == "initialize":
            SESSION[0] = uuid4().hex
            self.reply(200, answer_to(message))
        elif self.headers["mcp-session-id"] != SESSION[0]:
            self.reply(404, b"{}")
        elif "id" not in message:
            self.reply(202, b"")
        else:
            arguments = message.get("params", {}).get("arguments", {})
            FAULTS.get(arguments.get("kind"), Handler.answer)(self, message)

    def reply(self, status, body, kind="application/json", length=None):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body) if length is None else length))
        if SESSION[0]:
            self.send_header("mcp-session-id", SESSION[0])
        self.end_headers()
        self.wfile.write(body)

    def answer(self, message):
        self.reply(200, answer_to(message))

    # --- ways in which servers go wrong ---------------------------------------------------

    def stream(self, message, text="well"):
        return b"event: message\ndata: " + answer_to(message, text) + b"\n\n"

    def begin_stream(self, body, length=None):
        self.reply(200, body, "text/event-stream", length)

    def reset(self, _message):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def half_an_event(self, message):
        event = self.stream(message)
        self.begin_stream(event[: len(event) // 2], len(event))
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def drip(self, message):
        event = self.stream(message)
        self.begin_stream(event[:1], len(event))
        for byte in event[1:]:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(0.002)

    def big_event(self, message):
        self.begin_stream(self.stream(message, "x" * BIG))

    def garbage_first(self, message):
        self.begin_stream(b"data: no message\n\ndata: [1]\n\n: \xff\xfe\n\n" + self.stream(message))

    def page(self, _message):
        self.reply(200, b"<!DOCTYPE html><p>Welcome", "text/html")

    def fails(self, _message):
        self.reply(500, b"oops", "text/plain")

    def forget(self, message):
        if FORGOTTEN:
            self.answer(message)
        else:
            FORGOTTEN.append(SESSION[0])
            SESSION[0] = uuid4().hex
            self.reply(404, b"{}")

    def refuse(self, _message):
        REFUSING.append(401)
        self.reply(401, b"{}")

    def hang(self, _message):
        time.sleep(600)

    def die(self, _message):
        os._exit(9)


FAULTS = {
    "reset": Handler.reset,
    "half an event": Handler.half_an_event,
    "drip": Handler.drip,
    "big": Handler.big_event,
    "garbage": Handler.garbage_first,
    "page": Handler.page,
    "500": Handler.fails,
    "forget": Handler.forget,
    "401": Handler.refuse,
    "hang": Handler.hang,
    "die": Handler.die,
}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, *_):
        """Ignore clients that disconnect."""


Server(("127.0.0.1", PORT), Handler).serve_forever()
