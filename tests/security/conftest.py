"""The fixture `served`, which serves HTTP handlers on this machine."""

import threading
from http.server import ThreadingHTTPServer

import pytest


@pytest.fixture
def served():
    """Serve a handler over HTTP on this machine, and return host and port; all servers end with the test."""
    servers = []

    def start(handler):
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        serving = threading.Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        servers.append((server, serving))
        return f"127.0.0.1:{server.server_port}"

    yield start
    for server, serving in servers:
        server.shutdown()
        serving.join()
        server.server_close()
