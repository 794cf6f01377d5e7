import sys
from contextlib import asynccontextmanager

import anyio
import pytest

from genui_cli.preview.connection import child_process
from genui_cli.preview.wire import RequestFailed, ServerEnded
from genui_cli.preview.wrapped_server import WrappedServer

pytestmark = pytest.mark.anyio

# What the server does with each request is a few lines of Python per test, between these two.
BEFORE = """
import json, os, sys
def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    method, number, params = message.get("method"), message.get("id"), message.get("params")
"""
ECHO = "    if number is not None: send(id=number, result={'message': message})"


@asynccontextmanager
async def talking_to(behaviour, heard=lambda _message: None):
    async with child_process([sys.executable, "-c", BEFORE + behaviour]) as child:
        server = WrappedServer(child.output, child.to_child, heard)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.run)
            with anyio.fail_after(20):
                yield server
            tasks.cancel_scope.cancel()


async def test_the_handshake_offers_mcp_apps():
    async with talking_to(ECHO) as server:
        sent = (await server.initialize("1.2"))["message"]["params"]
    assert sent["protocolVersion"] == "2025-11-25"
    assert sent["capabilities"]["extensions"]["io.modelcontextprotocol/ui"] == {
        "mimeTypes": ["text/html;profile=mcp-app"]
    }
    assert sent["clientInfo"] == {"name": "mcp-gen-ui-preview", "version": "1.2"}


async def test_the_handshake_ends_with_the_initialized_notification():
    behaviour = """
    if number is None: seen = method
    elif method == "initialize": send(id=number, result={})
    else: send(id=number, result={"seen": seen})
"""
    async with talking_to(behaviour) as server:
        await server.initialize("1")
        assert await server.request("ping") == {"seen": "notifications/initialized"}


async def test_a_result_keeps_unknown_fields_key_order_and_number_types():
    async with talking_to("    send(id=number, result={'z': 1.0, 'a': 1, 'odd': [None]})") as server:
        result = await server.request("tools/call")
    assert list(result) == ["z", "a", "odd"]
    assert [type(result["z"]), type(result["a"])] == [float, int]


async def test_an_error_carries_code_message_and_data():
    async with talking_to("    send(id=number, error={'code': -7, 'message': 'no', 'data': [1]})") as server:
        with pytest.raises(RequestFailed) as raised:
            await server.request("tools/call")
    assert raised.value.as_wire() == {"code": -7, "message": "no", "data": [1]}


async def test_an_answer_without_result_and_error_is_a_failure():
    async with talking_to("    send(id=number)") as server:
        with pytest.raises(RequestFailed, match="neither"):
            await server.request("tools/call")


async def test_concurrent_requests_get_their_own_answers_in_any_order():
    behaviour = """
    if method == "first": held = number
    else:
        send(id=number, result={"to": "second"})
        send(id=held, result={"to": "first"})
"""
    answers = {}
    async with talking_to(behaviour) as server:

        async def ask(method):
            answers[method] = await server.request(method)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "first")
            tasks.start_soon(ask, "second")
    assert answers == {"first": {"to": "first"}, "second": {"to": "second"}}


async def test_lines_of_tens_of_megabytes_pass():
    async with talking_to("    send(id=number, result={'text': 'x' * 30_000_000})") as server:
        result = await server.request("resources/read")
    assert len(result["text"]) == 30_000_000


async def test_lines_that_are_no_json_object_are_skipped():
    behaviour = """
    print("starting up...", flush=True); print("[1]", flush=True); print("", flush=True)
    send(id=number, result={"fine": True})
"""
    async with talking_to(behaviour) as server:
        assert await server.request("ping") == {"fine": True}


async def test_notifications_arrive_whole():
    behaviour = """
    send(method="notifications/tools/list_changed")
    send(id=number, result={})
"""
    heard = []
    async with talking_to(behaviour, heard.append) as server:
        await server.request("ping")
    assert heard == [{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}]


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("ping", {"result": {}}),
        ("roots/list", {"result": {"roots": []}}),
        ("sampling/createMessage", {"error": "The preview does not support sampling/createMessage yet."}),
        ("elicitation/create", {"error": "The preview does not support elicitation/create yet."}),
        ("odd/thing", {"error": "Method not found: odd/thing"}),
    ],
)
async def test_what_the_server_asks_is_answered(method, expected):
    behaviour = f"""
    if method: asker = number; send(id="q", method="{method}", params={{}})
    else: send(id=asker, result={{"got": message}})
"""
    async with talking_to(behaviour) as server:
        got = (await server.request("tools/call"))["got"]
    assert got["id"] == "q"
    if "error" in expected:
        assert got["error"] == {"code": -32601, "message": expected["error"]}
    else:
        assert got["result"] == expected["result"]


async def test_a_cancelled_request_is_cancelled_at_the_server_too():
    behaviour = """
    if method == "hang": send(method="notifications/hanging")
    elif method == "notifications/cancelled": seen = params["requestId"]
    elif method == "ping": send(id=number, result={"cancelled": seen})
"""
    hanging = anyio.CancelScope()
    async with talking_to(behaviour, lambda _: hanging.cancel()) as server:
        with hanging:
            await server.request("hang")
        assert await server.request("ping") == {"cancelled": 1}


async def test_the_death_of_the_server_fails_what_is_in_flight_and_what_comes_after():
    async with talking_to("    os._exit(3)") as server:
        with pytest.raises(ServerEnded, match="closed its output"):
            await server.request("tools/call")
        with pytest.raises(ServerEnded):
            await server.request("tools/list")


async def test_what_json_cannot_carry_is_refused_before_it_is_sent():
    async with talking_to(ECHO) as server:
        with pytest.raises(RequestFailed) as raised:
            await server.request("tools/call", {"name": "\ud800"})
        assert raised.value.code == -32602
        assert await server.request("ping")
