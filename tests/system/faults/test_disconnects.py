"""Hosts over HTTP that disconnect in the middle of a request leave nothing behind."""

import json
import re
import socket
import sys
import time
from pathlib import Path

import pytest

from .conftest import HERE, Resources

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is told by /proc")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "leaver", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
SPARE_THREADS = 2
GROWTH_KB = 8_000


def posted(method, params, *, stateless):
    """Return the bytes of a request to the server."""
    params = {**params, "_meta": META} if stateless else params
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    headers = {
        "host": "127.0.0.1",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "content-length": len(body),
    }
    if stateless:
        headers |= {
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": method,
            "mcp-name": params.get("name", ""),
        }
    lines = [f"{name}: {value}" for name, value in headers.items() if value != ""]
    return "\r\n".join(["POST /mcp HTTP/1.1", *lines, "", body]).encode()


CALL = posted("tools/call", {"name": "never", "arguments": {}}, stateless=True)
HELLO = posted(
    "initialize",
    {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "leaver", "version": "1"}},
    stateless=False,
)


@pytest.fixture
def served(open_host, tmp_path):
    """Start the command over HTTP; return its port and its host."""
    words = (sys.executable, "-P", "-m", "genui_cli", "--transport", "http", "--port", "0", "--")
    host = open_host(
        *words, sys.executable, HERE / "faulty_upstream.py", tmp_path / "spawned", Path("/nowhere")
    )
    (port,) = host.wait_for(lambda: re.findall(r"serves http://\S+?:(\d+)", host.log_text()))
    return int(port), host


def leave_in_the_middle(port, number):
    for each in range(number):
        with socket.create_connection(("127.0.0.1", port), 30) as connection:
            whole = HELLO if each % 4 == 0 else CALL
            connection.sendall(whole[: len(whole) // 2] if each % 4 == 1 else whole)
            if each % 4 == 0:
                connection.recv(100)
            elif each % 4 == 2:
                time.sleep(0.01)


def settled_resources(pid, most=sys.maxsize):
    """Wait until a process has at most that many descriptors, stable for a second; return its resources."""
    deadline, calm_since, held = time.monotonic() + 30, time.monotonic(), Resources.by(pid)
    while time.monotonic() < deadline and (held.descriptors > most or time.monotonic() - calm_since < 1):
        time.sleep(0.1)
        now = Resources.by(pid)
        if now.descriptors != held.descriptors:
            calm_since = time.monotonic()
        held = now
    return held


def test_two_hundred_disconnects_leave_nothing_behind(served):
    port, host = served
    pid = host.child.pid
    leave_in_the_middle(port, 100)
    before = settled_resources(pid)
    leave_in_the_middle(port, 200)
    after = settled_resources(pid, before.descriptors)
    assert after.descriptors <= before.descriptors
    assert after.threads <= before.threads + SPARE_THREADS
    assert after.kilobytes - before.kilobytes < GROWTH_KB
