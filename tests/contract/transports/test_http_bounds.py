"""Limits on HTTP requests: time, length, and the number of half-sent requests (requirement D4)."""

import json

import anyio
import pytest

pytestmark = pytest.mark.anyio

PROTOCOL = "genui_adapters.host.http.connection"
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
HEAD = (
    b"POST /mcp HTTP/1.1\r\nhost: localhost\r\naccept: application/json, text/event-stream\r\n"
    b"content-type: application/json\r\ncontent-length: %d\r\n" % len(PING)
)


@pytest.fixture
def port_of(open_transport):
    """Serve over HTTP; yield the port."""
    return lambda: _Served(open_transport)


class _Served:
    def __init__(self, open_transport):
        self._opening = open_transport("http")

    async def __aenter__(self):
        opened = await self._opening.__aenter__()
        return int(opened.host(stateless=False).address.split(":")[2].split("/")[0])

    async def __aexit__(self, *error):
        await self._opening.__aexit__(*error)


async def connected(port, data=b""):
    stream = await anyio.connect_tcp("127.0.0.1", port)
    if data:
        await stream.send(data)
    return stream


async def until_closed(stream):
    """Read until the connection ends and return all bytes."""
    data = b""
    with anyio.fail_after(20):
        try:
            while True:
                data += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            await stream.aclose()
            return data


async def status_of_ping(port):
    stream = await connected(port, HEAD + b"connection: close\r\n\r\n" + PING)
    return (await until_closed(stream)).split(b" ")[1]


@pytest.mark.parametrize("sent", [b"", b"POST", HEAD], ids=["nothing", "a word", "half a head"])
async def test_a_head_that_does_not_come_ends_its_connection(port_of, monkeypatch, sent):
    monkeypatch.setattr(f"{PROTOCOL}.HEAD_S", 0.2)
    async with port_of() as port:
        assert (await until_closed(await connected(port, sent))).startswith(b"HTTP/1.1 408 ")
        assert await status_of_ping(port) == b"200"


async def test_a_body_that_does_not_come_ends_its_connection(port_of, monkeypatch):
    monkeypatch.setattr(f"{PROTOCOL}.BODY_S", 0.2)
    async with port_of() as port:
        stream = await connected(port, HEAD + b"\r\n" + PING[:5])
        assert (await until_closed(stream)).startswith(b"HTTP/1.1 408 ")


async def test_a_head_without_end_is_refused(port_of):
    async with port_of() as port:
        stream = await connected(port, HEAD + b"x: " + b"x" * 70_000)
        assert (await until_closed(stream)).startswith(b"HTTP/1.1 431 ")


async def test_a_slow_answer_and_a_connection_between_requests_are_not_half_sent(port_of, monkeypatch):
    monkeypatch.setattr(f"{PROTOCOL}.HEAD_S", 0.3)
    monkeypatch.setattr(f"{PROTOCOL}.BODY_S", 0.3)
    async with port_of() as port:
        stream = await connected(port, HEAD + b"\r\n" + PING)
        assert b" 200 " in await stream.receive()
        await anyio.sleep(0.6)
        await stream.send(HEAD + b"\r\n" + PING)
        assert b" 200 " in await stream.receive()
        await stream.aclose()


async def test_the_oldest_of_too_many_half_sent_requests_ends_and_whole_ones_are_served(port_of, monkeypatch):
    monkeypatch.setattr(f"{PROTOCOL}.MOST_HALF_OPEN", 20)
    async with port_of() as port:
        halves = [await connected(port, HEAD) for _ in range(60)]
        assert await status_of_ping(port) == b"200"
        for each in halves[:30]:
            assert (await until_closed(each)).startswith(b"HTTP/1.1 408 ")
        for each in halves[30:]:
            await each.aclose()
