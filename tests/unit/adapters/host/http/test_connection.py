"""The bytes of HTTP/1.1 that `HttpServer` reads and writes, with a small application."""

import asyncio
import re
from email.utils import formatdate
from itertools import accumulate, pairwise
from random import Random

import anyio
import pytest

from genui_adapters.host.http import connection, exchange
from genui_adapters.host.http.connection import HttpConnection, Shared
from genui_adapters.host.http.server import HttpServer
from genui_adapters.host.listening_socket import bound_socket
from genui_adapters.io.nursery import nursery

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def echo(exchange):
    """Answer with the request's data, in the manner that its path names."""
    head = exchange.head
    body = b"" if head.path.startswith("/unread") else await exchange.body()
    if head.path == "/broken":
        raise RuntimeError("broken")
    if head.path == "/silent":
        return
    if head.path == "/bad-header":
        exchange.respond(200, headers=[(b"x", b"a\r\nb: c")])
    if head.path == "/until-left":
        await exchange.unless_disconnected(anyio.sleep_forever())
        return
    text = f"{head.method} {head.path}?{head.query} {len(body)}".encode()
    if head.path == "/stream":
        exchange.start(200)
        await exchange.write(text)
        await exchange.write(b"", more=False)
    else:
        exchange.respond(200, text, "text/plain")


async def exchanged(*pieces, app=echo):
    """Send pieces over one connection, each after a response; return all bytes until its end."""
    with bound_socket("127.0.0.1", 0) as listening:
        async with nursery() as tasks:
            tasks.start_soon(HttpServer(app).serve, listening)
            data = b""
            async with await anyio.connect_tcp(*listening.getsockname()) as stream:
                with anyio.fail_after(20):
                    for number, piece in enumerate(pieces):
                        if number:
                            data += await stream.receive()
                        await stream.send(piece)
                    try:
                        while True:
                            data += await stream.receive()
                    except anyio.EndOfStream:
                        pass
    return re.sub(rb"date: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n", b"", data)


def answers(data):
    """Return the bodies of the answers in received bytes."""
    return re.findall(rb"[A-Z]+ /\S* \d+", data)


GET = b"GET %b HTTP/1.1\r\nhost: x\r\n\r\n"
LAST = b"GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"


async def test_a_response_says_its_length_or_comes_in_chunks():
    assert await exchanged(LAST) == (
        b"HTTP/1.1 200 OK\r\ncontent-length: 12\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n"
        b"GET /last? 0"
    )
    stream = await exchanged(LAST.replace(b"/last", b"/stream"))
    assert stream == (
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
        b"e\r\nGET /stream? 0\r\n0\r\n\r\n"
    )


@pytest.mark.parametrize("now_s", [0, 86_399, 951_782_400, 1_795_984_717, 4_102_444_799])
def test_a_response_is_dated_as_in_a_mail(now_s):
    assert exchange.date_of(now_s).decode() == formatdate(now_s, usegmt=True)


async def test_requests_of_one_connection_are_answered_in_their_order_however_they_come():
    together = await exchanged(GET % b"/a" + GET % b"/b?q=1" + GET % b"/%41" + LAST)
    assert answers(together) == [b"GET /a? 0", b"GET /b?q=1 0", b"GET /A? 0", b"GET /last? 0"]
    assert answers(await exchanged(GET % b"/a", LAST)) == [b"GET /a? 0", b"GET /last? 0"]


class MemoryTransport(asyncio.Transport):
    """A transport that collects what is written."""

    def __init__(self):
        super().__init__({"peername": ("127.0.0.1", 1)})
        self.written = b""

    def writelines(self, pieces):
        self.written += b"".join(pieces)

    write = close = resume_reading = pause_reading = lambda *_words: None

    def is_closing(self):
        return False


def random_requests(chosen):
    """Return requests, of which many repeat a head, and what their answers say."""
    for number in range(12):
        body = bytes(chosen.choices(b"ab", k=chosen.choice([0, 1, 1, 1, 2])))
        path, chunk = chosen.choice([b"/a", b"/a", b"/b"]), b"%x\r\n%b\r\n" % (len(body), body)
        kind = chosen.choice(["sized"] * 4 + ["chunked", "empty"])
        if kind == "sized":
            head, sent = b"content-length: %d" % len(body), body
        elif kind == "chunked":
            head, sent = b"transfer-encoding: chunked", (chunk if body else b"") + b"0\r\n\r\n"
        else:
            head, sent, body = b"x-number: %d" % number, b"", b""
        method = b"GET" if kind == "empty" else b"POST"
        yield (
            b"%b %b HTTP/1.1\r\nhost: x\r\n%b\r\n\r\n%b" % (method, path, head, sent),
            path + b"=" + body + b";",
        )


async def body_with_path(exchange):
    exchange.respond(200, exchange.head.path.encode() + b"=" + await exchange.body() + b";")


async def turns(number):
    """Let the tasks of the event loop take some turns."""
    for _ in range(number):
        await anyio.lowlevel.checkpoint()


@pytest.mark.parametrize("seed", range(60))
async def test_requests_are_read_alike_whether_their_heads_repeat_and_however_their_bytes_come(seed):
    chosen, transport = Random(seed), MemoryTransport()  # noqa: S311 -- no secret
    requests, expected = zip(*random_requests(chosen), strict=True)
    served = HttpConnection(Shared(body_with_path))
    served.connection_made(transport)
    data, ends = b"".join(requests), [*accumulate(map(len, requests))]
    cuts = ends if seed % 3 else sorted(chosen.choices(range(1, len(data)), k=9))
    for start, end in pairwise(sorted({0, *cuts, len(data)})):
        served.data_received(data[start:end])
        await turns(chosen.choice([0, 5, 5, 5]))
    await turns(100)
    assert re.findall(rb"/[ab]=[ab]*;", transport.written) == list(expected)
    served.connection_lost(None)


async def test_a_request_that_repeats_the_last_head_needs_no_parser():
    served, transport = HttpConnection(Shared(body_with_path)), MemoryTransport()
    served.connection_made(transport)
    request = b"POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\n%b"
    for body in (b"1", b"2"):
        served.data_received(request % body)
        await turns(5)
    served._parser = None
    served.data_received(request % b"3")
    await turns(5)
    assert re.findall(rb"/a=.;", transport.written) == [b"/a=1;", b"/a=2;", b"/a=3;"]
    served.connection_lost(None)


async def test_no_request_is_answered_after_the_last_one():
    assert answers(await exchanged(LAST + GET % b"/after")) == [b"GET /last? 0"]


async def test_a_long_body_arrives_whole_in_either_manner():
    body = b"x" * 300_000
    sized = b"POST /sized HTTP/1.1\r\nhost: x\r\ncontent-length: 300000\r\n\r\n" + body
    chunked = b"POST /chunks HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    chunked += b"493e0\r\n" + body + b"\r\n0\r\n\r\n"
    assert answers(await exchanged(sized, chunked, LAST)) == [
        b"POST /sized? 300000",
        b"POST /chunks? 300000",
        b"GET /last? 0",
    ]


async def test_an_unread_body_is_passed_over():
    unread = b"POST /unread HTTP/1.1\r\nhost: x\r\ncontent-length: 200000\r\n\r\n" + b"x" * 200_000
    assert answers(await exchanged(unread, LAST)) == [b"POST /unread? 0", b"GET /last? 0"]


async def test_a_host_that_expects_100_continue_gets_it():
    head = b"POST /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n"
    data = await exchanged(head, b"hi")
    assert data.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")
    assert answers(data) == [b"POST /a? 2"]


async def test_an_answer_before_the_host_may_continue_ends_the_connection():
    head = b"POST /unread HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n"
    assert answers(await exchanged(head)) == [b"POST /unread? 0"]
    assert answers(await exchanged(head + b"hi", LAST)) == [b"POST /unread? 0", b"GET /last? 0"]


async def test_a_head_alone_has_no_body():
    data = await exchanged(LAST.replace(b"GET", b"HEAD"))
    assert data == (
        b"HTTP/1.1 200 OK\r\ncontent-length: 13\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n"
    )


async def test_an_older_host_gets_the_end_of_the_connection_as_the_end_of_a_stream():
    data = await exchanged(b"GET /stream HTTP/1.0\r\nhost: x\r\n\r\n")
    assert data == b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nGET /stream? 0"


async def test_a_target_with_a_scheme_and_a_request_for_an_upgrade_are_answered():
    data = await exchanged(b"GET http://x/a?b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    assert answers(data) == [b"GET /a?b 0"]
    upgrade = b"GET /a HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, close\r\nupgrade: h2c\r\n\r\n"
    data = await exchanged(upgrade)
    assert answers(data) == [b"GET /a? 0"]
    assert b"connection: close" in data


@pytest.mark.parametrize(
    "framing", [b"content-length: 2\r\n\r\nhi", b"transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"]
)
async def test_the_body_of_a_request_that_offers_another_protocol_is_read(framing):
    offer = (
        b"POST /a HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n" + framing
    )
    wanted = [b"POST /a? 2", b"POST /a? 2", b"GET /last? 0"]
    assert answers(await exchanged(offer + offer + LAST)) == wanted


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"GET /a HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /\xc3\xa4 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"CONNECT /a HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n",
        b"GET /a HTTP/1.1\r\nhost: x\r\na\x00b: c\r\n\r\n",
    ],
)
async def test_a_malformed_or_ambiguous_request_is_refused(sent):
    data = await exchanged(sent)
    assert data == b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


@pytest.mark.parametrize("path", [b"/broken", b"/silent", b"/bad-header"])
async def test_a_fault_of_the_application_is_answered_and_ends_the_connection(path):
    data = await exchanged(GET % path)
    assert data.startswith(b"HTTP/1.1 500 Internal Server Error\r\n")
    assert b"b: c" not in data


async def test_a_fault_of_an_application_without_a_task_is_answered():
    def app(exchange):
        raise RuntimeError(exchange.head.path)

    data = await exchanged(GET % b"/a", app=app)
    assert data.startswith(b"HTTP/1.1 500 Internal Server Error\r\n")


async def test_a_thousand_requests_at_once_are_answered_without_a_task():
    def app(exchange):
        exchange.respond(200, f"GET {exchange.head.path} 0".encode())

    data = await exchanged(b"".join(GET % b"/%d" % each for each in range(1000)) + LAST, app=app)
    assert answers(data) == [*(b"GET /%d 0" % each for each in range(1000)), b"GET /last 0"]


async def test_a_request_waits_until_a_slow_host_has_read_the_responses_before_it():
    began = []

    def app(exchange):
        began.append(exchange.head.path)
        exchange.respond(200, b"x" * 2_000_000)

    with bound_socket("127.0.0.1", 0) as listening:
        async with nursery() as tasks:
            tasks.start_soon(HttpServer(app).serve, listening)
            async with await anyio.connect_tcp(*listening.getsockname()) as stream:
                await stream.send(b"".join(GET % b"/%d" % each for each in range(40)) + LAST)
                await anyio.wait_all_tasks_blocked()
                with anyio.fail_after(20):
                    while not began:
                        await anyio.sleep(0.01)
                    await anyio.sleep(0.2)
                    assert len(began) < 40
                    read = [len(data) async for data in stream]
            tasks.cancel_scope.cancel()
    assert began == [*(f"/{each}" for each in range(40)), "/last"]
    assert sum(read) > 41 * 2_000_000


async def test_a_connection_without_requests_ends(monkeypatch):
    monkeypatch.setattr(connection, "IDLE_S", 0.1)
    assert answers(await exchanged(GET % b"/a", GET % b"/b")) == [b"GET /a? 0", b"GET /b? 0"]


async def test_the_application_is_notified_that_its_host_has_left():
    left = anyio.Event()

    async def app(exchange):
        await echo(exchange)
        left.set()

    with bound_socket("127.0.0.1", 0) as listening:
        async with nursery() as tasks:
            tasks.start_soon(HttpServer(app).serve, listening)
            async with await anyio.connect_tcp(*listening.getsockname()) as stream:
                await stream.send(GET % b"/until-left")
            with anyio.fail_after(20):
                await left.wait()


async def test_a_server_that_ends_lets_a_response_be_sent_and_cuts_a_stream_off():
    async def app(exchange):
        await anyio.sleep(0.05 if exchange.head.path == "/soon" else 600)
        await echo(exchange)

    with bound_socket("127.0.0.1", 0) as listening:
        server, ended = HttpServer(app), anyio.Event()
        async with nursery() as tasks:

            async def serve():
                await server.serve(listening)
                ended.set()

            tasks.start_soon(serve)
            soon = await anyio.connect_tcp(*listening.getsockname())
            never = await anyio.connect_tcp(*listening.getsockname())
            await soon.send(GET % b"/soon")
            await never.send(GET % b"/never")
            await anyio.sleep(0.02)
            server.end()
            with anyio.fail_after(20):
                assert answers(await soon.receive()) == [b"GET /soon? 0"]
                with pytest.raises(anyio.EndOfStream):
                    await soon.receive()
                await ended.wait()
            await soon.aclose()
            await never.aclose()


async def test_a_server_that_is_cancelled_while_it_starts_closes_its_socket():
    with bound_socket("127.0.0.1", 0) as listening:
        async with nursery() as tasks:
            tasks.start_soon(HttpServer(echo).serve, listening)
            await anyio.lowlevel.checkpoint()
        assert listening.fileno() == -1
