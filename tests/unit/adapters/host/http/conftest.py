import json

import pytest
from attrs import define


@define
class Response:
    """The recorded answer of an application."""

    status: int = 0
    headers: dict | None = None
    body: bytes = b""

    def json(self):
        return json.loads(self.body)


async def _asked(app, path, method, headers, body):
    response, parts = Response(), [{"type": "http.request", "body": each, "more_body": True} for each in body]
    parts.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive():
        return parts.pop(0) if parts else {"type": "http.disconnect"}

    async def send(message):
        if message["type"] == "http.response.start":
            response.status = message["status"]
            response.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            response.body += message["body"]

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "client": ("127.0.0.1", 1)}
    scope["headers"] = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    await app(scope, receive, send)
    return response


@pytest.fixture
def ask_app():
    """Send an ASGI application a request with a body in parts; return its answer."""

    async def ask(app, path="/", method="GET", headers=(), body=()):
        return await _asked(app, path, method, {"host": "localhost", **dict(headers)}, body)

    return ask


@pytest.fixture
def anyio_backend():
    return "asyncio"
