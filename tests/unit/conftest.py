import asyncio
import json
from email import message_from_bytes

import pytest
from attrs import define, field

from genui_adapters.host.http.exchange import Exchange, RequestHead


@define
class Response:
    """The connection of one request, and what an application wrote to it."""

    app: object
    written: bytes = b""
    tasks: set = field(factory=set)
    client = "127.0.0.1"
    is_ending = False

    @property
    def loop(self):
        return asyncio.get_running_loop()

    @property
    def transport(self):
        return self

    def writelines(self, data):
        self.written += b"".join(data)

    async def until_writable(self):
        """Take everything at once."""

    def start_next(self, exchange):
        """Keep what was written."""

    @property
    def status(self):
        return int(self.written.split(b" ", 2)[1])

    @property
    def headers(self):
        return dict(message_from_bytes(self.written.partition(b"\r\n")[2]).items())

    def json(self):
        return json.loads(self.written.partition(b"\r\n\r\n")[2])


@pytest.fixture
def ask_app():
    """Send an HTTP application a GET request; return what it answers."""

    async def ask(app, path, query="", headers=()):
        response = Response(app)
        given = [(name.encode(), value.encode()) for name, value in dict(headers).items()]
        head = RequestHead("GET", path, query, given, is_newest=True, keeps_alive=True)
        exchange = Exchange(response, head, b"")
        exchange.proceed(lambda: app(exchange))
        while response.tasks:
            await asyncio.wait(response.tasks)
        return response

    return ask
