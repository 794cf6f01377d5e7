import os
import sys
from contextlib import asynccontextmanager

import anyio
import pytest

from genui_cli.preview import connection as module
from genui_cli.preview.connection import Connection, ErrorOutput
from genui_cli.preview.happenings import Events
from genui_cli.preview.page_api import ServerEnded
from genui_core.errors import UpstreamFailed

pytestmark = pytest.mark.anyio

# What the server does with each request is a few lines of Python per test, between these two.
BEFORE = """
import json, os, sys
def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    method, number, params = message.get("method"), message.get("id"), message.get("params")
    if method == "initialize":
        send(id=number, result={"message": message})
        continue
    if method == "notifications/initialized":
        greeted = method
        continue
"""
ECHO = "    if number is not None: send(id=number, result={'message': message})"


class Heard(Events):
    """Records events, and lets a test wait for one."""

    def __init__(self):
        super().__init__()
        self.all = []

    def publish(self, event):
        self.all.append(event)
        super().publish(event)

    @property
    def messages(self):
        return [each["message"] for each in self.all if each["type"] == "notification"]


@asynccontextmanager
async def running(*argv):
    """A connection to the server of a command line."""
    connection = Connection(argv, Heard(), lambda _line: None, "1.2")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(connection.run)
        with anyio.fail_after(20):
            yield connection
        tasks.cancel_scope.cancel()


async def state_of(connection, wanted):
    """Wait for a state; return it."""
    while connection.state["state"] != wanted:
        await anyio.sleep(0.01)
    return connection.state


@asynccontextmanager
async def talking_to(behaviour):
    async with running(sys.executable, "-c", BEFORE + behaviour) as connection:
        await state_of(connection, "ready")
        yield connection


async def test_the_handshake_offers_mcp_apps():
    async with talking_to(ECHO) as server:
        sent = server.state["server"]["message"]["params"]
    assert sent["protocolVersion"] == "2025-11-25"
    assert sent["capabilities"]["extensions"]["io.modelcontextprotocol/ui"] == {
        "mimeTypes": ["text/html;profile=mcp-app"]
    }
    assert sent["clientInfo"] == {"name": "mcp-gen-ui-preview", "version": "1.2"}


async def test_the_handshake_ends_with_the_initialized_notification():
    behaviour = """
    send(id=number, result={"seen": greeted})
"""
    async with talking_to(behaviour) as server:
        assert await server.request("ping", {}) == {"seen": "notifications/initialized"}


async def test_a_result_keeps_unknown_fields_key_order_and_number_types():
    async with talking_to("    send(id=number, result={'z': 1.0, 'a': 1, 'odd': [None]})") as server:
        result = await server.request("tools/call", {})
    assert list(result) == ["z", "a", "odd"]
    assert [type(result["z"]), type(result["a"])] == [float, int]


async def test_an_error_carries_code_message_and_data():
    async with talking_to("    send(id=number, error={'code': -7, 'message': 'no', 'data': [1]})") as server:
        with pytest.raises(UpstreamFailed) as raised:
            await server.request("tools/call", {})
    assert raised.value.error == {"code": -7, "message": "no", "data": [1]}


async def test_an_answer_without_result_and_error_is_a_failure():
    async with talking_to("    send(id=number)") as server:
        with pytest.raises(UpstreamFailed, match="no JSON-RPC answer"):
            await server.request("tools/call", {})


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
            answers[method] = await server.request(method, {})

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "first")
            tasks.start_soon(ask, "second")
    assert answers == {"first": {"to": "first"}, "second": {"to": "second"}}


async def test_lines_of_tens_of_megabytes_pass():
    async with talking_to("    send(id=number, result={'text': 'x' * 30_000_000})") as server:
        result = await server.request("resources/read", {})
    assert len(result["text"]) == 30_000_000


async def test_lines_that_are_no_json_object_are_skipped():
    behaviour = """
    print("starting up...", flush=True); print("[1]", flush=True); print("", flush=True)
    send(id=number, result={"fine": True})
"""
    async with talking_to(behaviour) as server:
        assert await server.request("ping", {}) == {"fine": True}


async def test_notifications_arrive_whole():
    behaviour = """
    send(method="notifications/tools/list_changed")
    send(id=number, result={})
"""
    async with talking_to(behaviour) as server:
        await server.request("ping", {})
        while not (heard := server._events.messages):
            await anyio.sleep(0.01)
    assert heard == [{"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}}]


async def test_progress_arrives_under_the_token_of_the_page():
    behaviour = """
    if number is not None:
        token = params["_meta"]["progressToken"]
        send(method="notifications/progress", params={"progressToken": token, "progress": 1})
        send(id=number, result={})
"""
    async with talking_to(behaviour) as server:
        await server.request("tools/call", {"_meta": {"progressToken": "p1"}})
        assert [each["params"] for each in server._events.messages] == [
            {"progressToken": "p1", "progress": 1}
        ]


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
async def test_requests_of_the_server_are_answered(method, expected):
    behaviour = f"""
    if method: asker = number; send(id="q", method="{method}", params={{}})
    else: send(id=asker, result={{"got": message}})
"""
    async with talking_to(behaviour) as server:
        got = (await server.request("tools/call", {}))["got"]
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
    async with talking_to(behaviour) as server:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.request, "hang", {})
            while not server._events.messages:
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()
        assert await server.request("ping", {}) == {"cancelled": 2}


async def test_the_death_of_the_server_fails_pending_and_later_requests():
    async with talking_to("    os._exit(3)") as server:
        with pytest.raises(ServerEnded, match="closed its output"):
            await server.request("tools/call", {})
        assert (await state_of(server, "ended"))["reason"] == "The server ended with exit code 3."
        with pytest.raises(ServerEnded):
            await server.request("tools/list", {})


async def test_a_value_that_json_cannot_hold_is_refused_before_it_is_sent():
    async with talking_to(ECHO) as server:
        with pytest.raises(UpstreamFailed) as raised:
            await server.request("tools/call", {"name": "\ud800"})
        assert raised.value.error["code"] == -32602
        assert await server.request("ping", {})


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123 - a zombie is not running
        return stat.read().rsplit(")", 1)[1].split()[0] != "Z"


async def test_a_server_that_heeds_the_end_of_its_input_leaves_by_itself(tmp_path):
    noted = tmp_path / "left"
    script = f"import sys, pathlib; sys.stdin.read(); pathlib.Path({str(noted)!r}).touch()"
    async with running(sys.executable, "-c", script):
        await anyio.sleep(0.05)
    assert noted.exists()


async def test_a_server_that_does_not_exit_is_killed_with_its_children(monkeypatch):
    monkeypatch.setattr(module, "LEAVE_BY_ITSELF_S", 0.05)
    monkeypatch.setattr(module, "LEAVE_WHEN_TOLD_S", 0.05)
    behaviour = """
    import signal, subprocess, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if number is None: continue
    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
    send(id=number, result={"pids": [os.getpid(), child.pid]})
    time.sleep(600)
"""
    async with talking_to(behaviour) as server:
        pids = (await server.request("ping", {}))["pids"]
    with anyio.fail_after(10):
        while any(map(is_running, pids)):
            await anyio.sleep(0.01)


async def test_a_command_that_does_not_exist_says_so():
    async with running("/no/such/command") as server:
        ended = await state_of(server, "ended")
        assert ended["reason"] == "Cannot start /no/such/command: No such file or directory"
        with pytest.raises(ServerEnded, match="Cannot start"):
            await server.request("ping", {})


@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ("import sys; sys.exit(4)", "The server ended with exit code 4."),
        ("import os; os.kill(os.getpid(), 15)", "The server was ended by SIGTERM."),
        (
            "import os, time; os.close(1); time.sleep(60)",
            "The server closed its output but is still running.",
        ),
    ],
)
async def test_the_end_of_a_server_is_described_in_a_sentence(script, ending, monkeypatch):
    monkeypatch.setattr(module, "LEAVE_BY_ITSELF_S", 0.05)
    monkeypatch.setattr(module, "LEAVE_WHEN_TOLD_S", 0.5)
    async with running(sys.executable, "-c", script) as server:
        assert (await state_of(server, "ended"))["reason"] == ending


async def test_a_refused_handshake_is_reported_and_the_server_can_be_restarted():
    script = "import json; send = lambda m: print(json.dumps(m), flush=True); asked = json.loads(input())\n"
    script += (
        "send({'jsonrpc': '2.0', 'id': asked['id'], 'error': {'code': -1, 'message': 'not now'}}); input()"
    )
    async with running(sys.executable, "-c", script) as server:
        reason = (await state_of(server, "ended"))["reason"]
        server.restart()
        await state_of(server, "starting")
        await state_of(server, "ended")
    assert reason.startswith("The handshake failed: not now ")


def test_the_end_of_standard_error_has_whole_lines_whatever_pieces_it_comes_in():
    output = ErrorOutput("server")
    for piece in (b"a warn", b"ing", b"\n", b"another\nand", b" more"):
        output.stderr_sent(piece)
    assert output.end.splitlines() == ["a warning", "another", "and more"]


async def test_the_servers_standard_error_is_copied_and_its_end_is_kept(capsys):
    script = "import sys; print('a warning', file=sys.stderr)"
    async with running(sys.executable, "-c", script) as server:
        assert (await state_of(server, "ended"))["errorOutput"] == ["a warning"]
    assert "a warning" in capsys.readouterr().err
