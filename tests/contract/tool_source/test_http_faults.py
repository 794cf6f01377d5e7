"""Faults of an upstream behind a URL, and how the wrapper handles them (requirement W9)."""

import json
import socket
import threading
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anyio
import anyio.to_thread
import httpx2
import pytest

from genui_adapters.upstream.http_client import Endpoint
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.errors import (
    UpstreamDied,
    UpstreamFailed,
    UpstreamForbidden,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from genui_core.testing.scripted_upstream import RESULTS
from genui_core.testing.source_suite import RecordingChannel, called_tools, methods

NEVER = {"reconnect_delay_ms": 600_000, "max_reconnect_delay_ms": 600_000}
KINDS = ("streamable", "stateless", "sse")


async def echoes(scene):
    return await scene.structured("echo", text="é")


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_was_restarted_between_calls_is_found_again(upstreams, play, tmp_path, kind):
    calls = tmp_path / "calls"
    server = upstreams.http(kind, "--calls", calls)

    async def scenario(scene):
        await echoes(scene)
        server.restart()
        await scene.until(lambda seen: called_tools(seen)[-1:] == ["seen"])
        await echoes(scene)

    play(upstreams.opener(server), scenario, stateless=kind == "stateless")
    assert calls.read_text().split().count("echo") == 2


@pytest.mark.parametrize("flags", [(), ("--no-standing-stream",)])
def test_a_lost_session_is_replaced_without_an_error_for_the_caller(upstreams, play, tmp_path, flags):
    calls = tmp_path / "calls"
    server = upstreams.http("streamable", "--calls", calls, *flags)

    async def scenario(scene):
        await echoes(scene)
        async with httpx2.AsyncClient() as other:
            await other.delete(server.url)
        return await echoes(scene)

    assert play(upstreams.opener(server), scenario)
    assert calls.read_text().split() == ["echo", "DELETE", "echo", "DELETE"]
    assert len(upstreams.event_log.named("upstream_restarted")) == 1


@pytest.mark.matrix
@pytest.mark.parametrize("flags", [(), ("--no-standing-stream",)])
@pytest.mark.parametrize("kind", ["streamable", "stateless"])
def test_calls_at_the_same_time_all_find_a_server_that_was_restarted(upstreams, play, tmp_path, kind, flags):
    calls = tmp_path / "calls"
    server = upstreams.http(kind, "--calls", calls, *flags)

    async def scenario(scene):
        await scene.source.facts()
        for _ in range(3):
            server.restart()
            async with anyio.create_task_group() as tasks:
                for _ in range(20):
                    tasks.start_soon(echoes, scene)

    play(upstreams.opener(server), scenario, stateless=kind == "stateless")
    assert calls.read_text().split().count("echo") == 60


def test_a_notification_named_as_the_handshake_keeps_the_session(upstreams, play, tmp_path):
    calls = tmp_path / "calls"

    async def scenario(scene):
        await echoes(scene)
        await scene.source.notify("initialize", {})
        await echoes(scene)

    play(upstreams.opener(upstreams.http("streamable", "--calls", calls)), scenario)
    assert calls.read_text().split() == ["echo", "echo", "DELETE"]
    assert upstreams.event_log.named("upstream_restarted") == []


def test_a_session_is_ended_when_the_source_is_closed(upstreams, play, tmp_path):
    calls = tmp_path / "calls"
    play(upstreams.opener(upstreams.http("streamable", "--calls", calls)), echoes)
    assert calls.read_text().split() == ["echo", "DELETE"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_is_sent_once_whatever_happens_to_its_connection(upstreams, play, tmp_path, kind):
    calls = tmp_path / "calls"

    async def scenario(scene):
        with pytest.raises(UpstreamDied):
            await scene.call("die")
        await scene.until(lambda _seen: True)

    server = upstreams.http(kind, "--calls", calls)
    play(upstreams.opener(server), scenario, stateless=kind == "stateless")
    assert calls.read_text().split().count("die") == 1


@pytest.mark.parametrize("kind", KINDS)
def test_requests_fail_soon_with_the_reason_while_the_server_is_down(upstreams, play, kind):
    server = upstreams.http(kind)

    async def scenario(scene):
        await echoes(scene)
        server.stop()
        for _ in range(3):
            with pytest.raises((UpstreamUnreachable, UpstreamDied)):
                await echoes(scene)
        server.restart()
        await scene.until(lambda _seen: True)

    play(upstreams.opener(server, max_wait_s=0.05), scenario, stateless=kind == "stateless")


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_waits_for_a_server_that_comes_back_soon(upstreams, play, soon, kind):
    server, answers = upstreams.http(kind), []

    async def scenario(scene):
        async def ask():
            answers.append(await scene.source.request("tools/list", {}))

        await echoes(scene)
        server.stop()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await soon(lambda: upstreams.event_log.named("upstream_unreachable"))
            await anyio.to_thread.run_sync(server.restart)
        assert len(answers) == 1

    play(upstreams.opener(server, max_wait_s=60), scenario, stateless=kind == "stateless")


def test_the_source_connects_to_a_server_that_starts_late(upstreams, play):
    server = upstreams.http("streamable")
    server.stop()

    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable, match="there is no connection"):
            await scene.source.facts()
        server.restart()
        await scene.until(lambda _seen: True)

    play(upstreams.opener(server), scenario)


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_come_a_few_at_a_time_make_the_same_messages(upstreams, play, kind):
    async def scenario(scene):
        line = RecordingChannel()
        params = {"name": "progress", "arguments": {"count": 3}, "_meta": {"progressToken": "t"}}
        await scene.source.request("tools/call", params, line)
        assert [each["progress"] for _, each in line.told] == [0, 1, 2]
        return await echoes(scene)

    assert play(upstreams.opener(upstreams.http(kind, "--drip")), scenario, stateless=kind == "stateless")


@pytest.mark.parametrize("kind", ["streamable", "stateless"])
def test_answers_in_a_body_are_as_good_as_on_a_stream(upstreams, play, kind):
    async def scenario(scene):
        for name in RESULTS:
            await scene.call("answer", name=name)
        with pytest.raises(UpstreamFailed):
            await scene.call("answer", name="data that is null")
        return await echoes(scene)

    assert play(upstreams.opener(upstreams.http(kind, "--json")), scenario, stateless=kind == "stateless")


def test_a_stream_that_ends_before_the_answer_is_gone_on_with(upstreams, play):
    async def scenario(scene):
        line = RecordingChannel()
        await scene.call("log", line, count=2)
        assert len(line.told) == 2
        return await echoes(scene)

    assert play(upstreams.opener(upstreams.http("streamable", "--polls")), scenario)


def test_a_call_that_is_not_answered_in_time_fails_and_is_cancelled(upstreams, play):
    async def scenario(scene):
        cancelled = False
        while (
            not cancelled
        ):  # a slow server may read the cancellation before the call, and then knows no such call
            with pytest.raises(UpstreamTimeout):
                await scene.call("hang")
            with anyio.move_on_after(5):
                cancelled = bool(await scene.until(lambda seen: "hang" in seen["cancelled"]))

    for kind in KINDS:
        opener = upstreams.opener(upstreams.http(kind), call_timeout_ms=300)
        play(opener, scenario, stateless=kind == "stateless")


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_that_is_too_long_fails(upstreams, play, kind):
    async def scenario(scene):
        with pytest.raises((UpstreamFailed, UpstreamDied)):
            await scene.call("big", bytes=3_000_000)
        await scene.until(lambda _seen: True)

    opener = upstreams.opener(upstreams.http(kind), max_line_bytes=1_000_000)
    play(opener, scenario, stateless=kind == "stateless")


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_wants_credentials_gives_another_error_than_a_missing_one(upstreams, play, kind):
    server = upstreams.http(kind, "--token", "sesame")

    async def refused(scene):
        for ask in (scene.source.facts, lambda: scene.source.request("tools/list", {})):
            with pytest.raises(UpstreamForbidden, match="refused our credentials") as refusal:
                await ask()
            assert refusal.value.status == 401

    play(upstreams.opener(server), refused, stateless=kind == "stateless")
    known = RemoteUpstream(server.url, {"Authorization": "Bearer sesame"})
    assert play(upstreams.opener(known), echoes, stateless=kind == "stateless")


def test_a_redirect_is_followed_at_the_same_origin(upstreams, play):
    assert play(upstreams.opener(upstreams.http("streamable", "--moved")), echoes)


def test_arguments_are_repeated_in_the_headers_that_the_listing_names(upstreams, play):
    async def scenario(scene):
        arguments = {"place": {"region": "süd"}}
        assert (await scene.structured("echo", **arguments))["arguments"] == arguments
        with pytest.raises(UpstreamFailed, match="header is missing"):
            await scene.call("echo", place={})
        return (await scene.source.request("tools/list", {}))["tools"]

    assert play(upstreams.opener(upstreams.http("stateless", "--headers")), scenario, stateless=True)


def subscribed_resources(seen):
    """Return the resources in each request for a stream of notifications."""
    asked = [each["params"].get("notifications", {}) for each in seen["requests"]]
    return [each["resourceSubscriptions"] for each in asked if "resourceSubscriptions" in each]


def test_a_resource_subscription_becomes_a_listen_request_in_the_modern_era(upstreams, play):
    async def scenario(scene):
        assert await scene.source.request("resources/subscribe", {"uri": "x://y"}) == {}
        await scene.until(lambda seen: subscribed_resources(seen) == [["x://y"]])
        with pytest.raises(UpstreamDied):
            await scene.call("die")
        await scene.until(lambda seen: subscribed_resources(seen) == [["x://y"]])
        assert await scene.source.request("resources/unsubscribe", {"uri": "x://y"}) == {}
        await scene.until(lambda seen: len(seen["cancelled"]) == 1)

    play(upstreams.opener(upstreams.http("stateless")), scenario, stateless=True)


def test_a_stream_that_is_late_when_its_connection_is_lost_does_not_reach_the_restarted_server(
    upstreams, play, soon, monkeypatch
):
    server, ask = upstreams.http("stateless"), Endpoint.ask
    late, refused = [], []

    def is_up():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", httpx2.URL(server.url).port)) == 0

    @asynccontextmanager
    async def ask_in_this_order(self, method, headers, body=b""):
        if b"resourceSubscriptions" in body:
            late.append(body)
            if len(late) == 1:
                await soon(lambda: not is_up())
                await soon(is_up)
        elif b"toolsListChanged" in body and not refused:
            refused.append(body)
            await soon(lambda: late)
            raise httpx2.ConnectError("refused")
        async with ask(self, method, headers, body) as response:
            yield response

    async def scenario(scene):
        await scene.source.request("resources/subscribe", {"uri": "x://y"})
        await scene.until(subscribed_resources)
        monkeypatch.setattr(Endpoint, "ask", ask_in_this_order)
        with pytest.raises(UpstreamDied):
            await scene.call("die")
        await soon(lambda: len(late) == 2)  # the next connection subscribes again
        await scene.until(subscribed_resources)
        await scene.source.request("resources/unsubscribe", {"uri": "x://y"})
        seen = await scene.until(lambda seen: seen["cancelled"])
        assert (subscribed_resources(seen), len(seen["cancelled"])) == ([["x://y"]], 1)

    play(upstreams.opener(server), scenario, stateless=True)


def test_a_server_with_only_sse_is_reached_by_sse(upstreams, play):
    async def scenario(scene):
        assert "initialize" in methods((await scene.until(lambda _seen: True))["requests"])
        return await echoes(scene)

    for stateless in (False, True):
        assert play(upstreams.opener(upstreams.http("sse")), scenario, stateless=stateless)
    server = upstreams.http("sse")
    assert play(upstreams.opener(RemoteUpstream(server.url, transport="sse")), scenario)


class OddServer(BaseHTTPRequestHandler):
    """A handler that answers every request with the server's scripted answer."""

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"] or 0))
        self.do_GET()

    def do_GET(self):
        status, kind, body, headers = self.server.answer
        self.server.asked.append({name.lower(): value for name, value in self.headers.items()})
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


class OnceBroken(OddServer):
    """A handler that breaks the connection of the first listing, and answers all else."""

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(message["method"])
        if message["method"] == "tools/list" and self.server.asked.count("tools/list") == 1:
            self.close_connection = True
            return
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "serverInfo": {"name": "u", "version": "1"},
        }
        result = {"initialize": hello, "tools/list": {"tools": []}}.get(message["method"], {})
        body = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": result}).encode()
        self.server.answer = 200, "application/json", body, {"mcp-session-id": "1"}
        self.do_GET()


@pytest.fixture
def odd_server():
    """Start a server that answers everything in the same way."""
    servers = []

    def start(status, kind="text/html", body=b"<html>", **headers):
        server = ThreadingHTTPServer(("127.0.0.1", 0), OddServer)
        server.answer, server.asked = (status, kind, body, headers), []
        server.url = f"http://127.0.0.1:{server.server_port}/mcp"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


ODD_ANSWERS = {
    "a page": ((200,), "HTTP 200 with text/html"),
    "no such place": ((404,), "answered HTTP 404 Not Found"),
    "a gateway without its server": ((502,), "answered HTTP 502 Bad Gateway"),
    "a receipt": ((202, "text/plain", b""), "HTTP 202 with text/plain"),
    "broken JSON": ((200, "application/json", b'{"jsonrpc"'), "HTTP 200 with application/json"),
    "an empty stream": ((200, "text/event-stream", b""), "stopped before it answered"),
    "an error": (
        (400, "application/json", b'{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"go away"}}'),
        "it refused: go away",
    ),
}


@pytest.mark.matrix
@pytest.mark.parametrize("name", ODD_ANSWERS)
@pytest.mark.parametrize("stateless", [False, True])
def test_a_server_that_is_no_mcp_server_is_described(upstreams, play, odd_server, name, stateless):
    answer, described = ODD_ANSWERS[name]
    server = odd_server(*answer)

    async def scenario(scene):
        with pytest.raises((UpstreamUnreachable, UpstreamDied), match=described):
            await scene.source.facts()

    play(upstreams.opener(RemoteUpstream(server.url), backoff=NEVER), scenario, stateless=stateless)


def test_a_list_whose_connection_broke_is_requested_again_in_the_same_session(upstreams, play, odd_server):
    server = odd_server(405)
    server.RequestHandlerClass = OnceBroken

    async def scenario(scene):
        with anyio.fail_after(4):  # less than a request waits for the next connection
            return await scene.source.request("tools/list", {})

    assert play(upstreams.opener(RemoteUpstream(server.url)), scenario) == {"tools": []}
    asked = [each for each in server.asked if isinstance(each, str)]
    assert (asked.count("initialize"), asked.count("tools/list")) == (1, 2)


def test_a_redirect_to_another_origin_is_not_followed(upstreams, play, odd_server):
    elsewhere = odd_server(200)
    server = odd_server(307, location=elsewhere.url)

    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable, match="HTTP 307"):
            await scene.source.facts()

    upstream = RemoteUpstream(server.url, {"Authorization": "secret"})
    play(upstreams.opener(upstream, backoff=NEVER), scenario)
    assert server.asked[0]["authorization"] == "secret"
    assert elsewhere.asked == []


@pytest.mark.parametrize("url", ["http://", "nonsense", "ftp://x/y", "http://[", "http://127.0.0.1:99999/"])
def test_a_wrong_address_is_an_error(upstreams, play, url):
    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable):
            await scene.source.facts()

    play(upstreams.opener(RemoteUpstream(url), backoff=NEVER), scenario)


def test_an_endpoint_on_another_origin_gets_no_message(upstreams, play, odd_server):
    elsewhere = odd_server(200)
    body = f"event: endpoint\ndata: {elsewhere.url}\n\n".encode()
    server = odd_server(200, "text/event-stream", body)

    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable, match="another origin"):
            await scene.source.facts()

    play(upstreams.opener(RemoteUpstream(server.url, transport="sse"), backoff=NEVER), scenario)
    assert elsewhere.asked == []


@pytest.mark.parametrize("value", ["hunter2\r\nX: y", "hunter2\x00", "hunter2 \U0001f600"])
def test_a_header_that_cannot_be_sent_is_an_error_without_its_value(upstreams, play, value):
    server = upstreams.http("streamable")

    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable, match="header") as unreachable:
            await scene.source.facts()
        return str(unreachable.value)

    said = play(upstreams.opener(RemoteUpstream(server.url, {"X-Key": value}), backoff=NEVER), scenario)
    assert "hunter2" not in said + str(upstreams.event_log.events)


def test_errors_do_not_show_secrets_of_an_address(upstreams, play):
    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable) as unreachable:
            await scene.source.facts()
        return str(unreachable.value)

    url = "http://user:hunter2@127.0.0.1:1/mcp?key=hunter2#hunter2"
    said = play(upstreams.opener(RemoteUpstream(url), backoff=NEVER), scenario)
    assert "hunter2" not in said + str(upstreams.event_log.events)
