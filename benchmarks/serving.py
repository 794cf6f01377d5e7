"""Measure serving over HTTP, beside other proxies, in turn, in one run.

serving.py --peer 'mcp-proxy=/path/to/mcp-proxy --port {port} -- {upstream}'

Added time is a ratio to that of mcp-gen-ui: above 1 costs more. Direct is the
upstream on its standard streams.
"""

import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from relay import (
    HELLO,
    UPSTREAM,
    Connection,
    Measured,
    measure,
    measure_all,
    measure_connection,
    options,
    peers,
    print_rows,
    shield,
)

OURS = (sys.executable, "-P", "-m", "genui_cli", "--transport", "http", "--port")
START_S = 30.0


class HttpConnection(Connection):
    """A host with a session, on one persistent connection."""

    def __init__(self, argv: Sequence[str], port: int) -> None:
        """Start the subject, wait until it listens, and complete the handshake."""
        self.started = time.perf_counter()
        self.child = subprocess.Popen(argv, stderr=subprocess.DEVNULL)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }
        self._id = 0
        self._until_it_listens(port)
        self.request("initialize", HELLO)
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.tools = self.request("tools/list", {})["result"]["tools"]
        self.start_ms = (time.perf_counter() - self.started) * 1000

    def _until_it_listens(self, port: int) -> None:
        while time.perf_counter() - self.started < START_S:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
            except OSError:
                time.sleep(0.01)
            else:
                return
        raise TimeoutError

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request."""
        self._id += 1
        text = self._post({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        if text.startswith("{"):
            return json.loads(text)
        data = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
        return next(each for each in map(json.loads, data) if each.get("id") == self._id)

    def _post(self, message: dict[str, Any]) -> str:
        self._connection.request("POST", "/mcp", json.dumps(message), self._headers)
        response = self._connection.getresponse()
        text = response.read().decode()
        self._headers.setdefault("mcp-session-id", response.headers.get("mcp-session-id", ""))
        return text

    def close(self) -> None:
        """Disconnect, and end the server."""
        self._connection.close()
        self.child.terminate()
        self.child.wait()


def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def measure_ours(calls: int) -> Measured:
    """Measure the command as it is installed."""
    port = free_port()
    return measure_connection(HttpConnection((*OURS, str(port), "--", *UPSTREAM), port), calls)


def measure_peer(name: str, commands: Sequence[str], calls: int) -> Measured:
    """Measure another proxy."""
    port = free_port()
    return measure_connection(HttpConnection(peers(commands, port=port)[name], port), calls)


def main() -> None:
    """Measure and print a table."""
    given = options(__doc__).parse_args()
    if given.shielded:
        shield()
    names = [each.partition("=")[0] for each in given.peer]
    subjects = {
        "direct": partial(measure, UPSTREAM, given.calls),
        "mcp-gen-ui": partial(measure_ours, given.calls),
        **{name: partial(measure_peer, name, given.peer, given.calls) for name in names},
    }
    print_rows(measure_all(given.rounds, subjects), "mcp-gen-ui")


if __name__ == "__main__":
    main()
