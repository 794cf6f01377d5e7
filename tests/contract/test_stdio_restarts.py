"""When the upstream dies, every stdio driver reports it, restarts it and restores its state (requirement W8)."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.matrix(quick=1)  # the session decides; each driver is tried with some of these
QUICK = {"reconnect_delay_ms": 100, "max_reconnect_delay_ms": 200}
DEADLY = [
    "exit", "kill", "half a line", "half a long line", "exit, child holds output", "close output",
]  # fmt: skip


def fail(host, kind):
    """Make the upstream fail and return the error that the host gets."""
    return host.request("tools/call", {"name": "fault", "arguments": {"kind": kind}})["error"]


def wait_for_upstream(host):
    """Wait until the upstream answers again."""
    answer = host.request("ping")
    while "error" in answer:
        answer = host.request("ping")
    return answer


def messages_by_life(path):
    """Return the messages that each process of the upstream got, in order."""
    lives = {}
    for line in path.read_text().splitlines():
        pid, message = json.loads(line)
        lives.setdefault(pid, []).append(message)
    return list(lives.values())


@pytest.mark.matrix
@pytest.mark.parametrize("kind", DEADLY)
def test_a_death_fails_the_open_call_at_once_and_the_next_life_answers(serve, call, kind):
    host = serve(upstream=QUICK)
    host.connect()
    began = time.monotonic()
    error = fail(host, kind)
    assert time.monotonic() - began < 5
    assert (error["code"], error["data"]["errorType"]) == (-32000, "UPSTREAM_DIED")
    assert (error["data"]["toolName"], error["data"]["retryable"], error["data"]["fallbackUsed"]) == (
        "fault",
        True,
        None,
    )
    assert error["data"]["requestId"]
    wait_for_upstream(host)
    assert call(host, "echo", text="again") == "again"
    assert host.close() == 0


def test_every_open_request_fails_with_an_id_of_its_own_that_the_log_has(serve):
    host = serve(upstream=QUICK)
    host.connect()
    params = {"name": "fault", "arguments": {"kind": "exit"}}
    calls = [
        {"jsonrpc": "2.0", "id": f"call {n}", "method": "tools/call", "params": params} for n in range(20)
    ]
    host.send_bytes(b"".join(json.dumps(each).encode() + b"\n" for each in calls))
    errors = [host.answer(each["id"])["error"] for each in calls]
    assert {each["data"]["errorType"] for each in errors} == {"UPSTREAM_DIED"}
    ids = {each["data"]["requestId"] for each in errors}
    assert len(ids) == 20
    wait_for_upstream(host)
    host.close()
    assert "upstream_died upstream=python request_id=" in host.log_text()
    assert {
        each for each in ids if f"request_failed request_id={each} tool_name=fault" in host.log_text()
    } == ids
    assert "upstream_restarted upstream=python exit_code=7 count=1" in host.log_text()
    assert "the last words" in host.log_text()


def test_the_next_life_gets_the_handshake_the_log_level_and_the_subscriptions_but_no_call(serve, tmp_path):
    notes = tmp_path / "heard"
    host = serve("--heard", notes, upstream=QUICK)
    first = host.connect()
    host.request("logging/setLevel", {"level": "debug"})
    for uri in ("demo://1", "demo://2"):
        host.request("resources/subscribe", {"uri": uri})
    host.request("resources/unsubscribe", {"uri": "demo://1"})
    fail(host, "exit")
    wait_for_upstream(host)
    host.close()
    before, after = messages_by_life(notes)
    asked = next(each for each in before if each["method"] == "initialize")
    again = [(each["method"], each.get("params")) for each in after]
    assert again == [
        ("initialize", asked["params"]),
        ("notifications/initialized", None),
        ("logging/setLevel", {"level": "debug"}),
        ("resources/subscribe", {"uri": "demo://2"}),
        ("ping", None),
    ]
    # The host hears of none of it.
    assert sum(b'"protocolVersion"' in line for line in host.lines) == 1
    assert first["id"] == 1
    assert all(not str(json.loads(line).get("id")).startswith("mcp-gen-ui") for line in host.lines)


def test_a_host_without_a_handshake_needs_no_replay(serve, tmp_path):
    notes = tmp_path / "heard"
    host = serve("--heard", notes, upstream=QUICK)
    host.request("ping")
    fail(host, "exit")
    wait_for_upstream(host)
    host.close()
    assert [each["method"] for each in messages_by_life(notes)[1]] == ["ping"]


def test_changed_tools_of_the_next_life_are_announced(serve, tmp_path):
    listed = tmp_path / "tools.json"
    listed.write_text(json.dumps([{"name": "old", "inputSchema": {}}]))
    host = serve("--tools", listed, upstream=QUICK)
    host.connect()
    host.request("tools/list")
    host.request("resources/read", {"uri": "ui://old"})
    listed.write_text(json.dumps([{"name": "new", "inputSchema": {}}]))
    fail(host, "exit")
    host.wait_for(lambda: any(b"notifications/resources/updated" in line for line in host.lines))
    told = [json.loads(line)["method"] for line in host.lines if b'"method"' in line]
    assert told == [
        "notifications/tools/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
    ]
    assert (
        host.request("resources/read", {"uri": "ui://old"})["error"]["message"]
        == "Resource not found: ui://old"
    )
    assert host.request("resources/read", {"uri": "ui://new"})["result"]["contents"]


def test_views_and_own_tools_are_served_while_the_upstream_is_away_and_calls_are_refused(serve):
    host = serve(upstream={"reconnect_delay_ms": 60_000, "max_reconnect_delay_ms": 60_000})
    host.connect()
    host.request("tools/list")
    fail(host, "exit")
    host.wait_for(lambda: "delay_ms=60000" in host.log_text())
    began = time.monotonic()
    refused = host.request("tools/call", {"name": "echo", "arguments": {"text": "x"}})["error"]
    assert refused["data"]["errorType"] == "UPSTREAM_UNREACHABLE"
    assert refused["data"]["toolName"] == "echo"
    assert "exit code 7" in refused["message"]
    assert host.request("prompts/list")["error"]["data"]["errorType"] == "UPSTREAM_UNREACHABLE"
    assert host.request("resources/read", {"uri": "ui://echo"})["result"]["contents"]
    listed = host.request("tools/call", {"name": "_ui_list", "arguments": {}})["result"]
    assert [each["name"] for each in listed["structuredContent"]["tools"]] == ["echo", "big"]
    assert time.monotonic() - began < 4
    assert host.close() == 0


def test_a_host_may_leave_while_the_upstream_is_away(serve, tmp_path):
    broken = tmp_path / "broken"
    host = serve(
        "--broken-if", broken, upstream={"reconnect_delay_ms": 60_000, "max_reconnect_delay_ms": 60_000}
    )
    host.connect()
    broken.touch()
    fail(host, "exit")
    host.wait_for(lambda: "delay_ms=60000" in host.log_text())
    began = time.monotonic()
    host.send("prompts/list", {}, id="last")
    assert host.close() == 0
    assert time.monotonic() - began < 5
    assert host.answer("last")["error"]["data"]["errorType"] in {"UPSTREAM_UNREACHABLE", "UPSTREAM_DIED"}


@pytest.mark.matrix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_upstream_outlives_the_wrapper(serve, tmp_path, number, gone, pid_in):
    host = serve("--pid-file", tmp_path / "pid", upstream=QUICK)
    host.connect()
    first = pid_in(tmp_path / "pid")
    fail(host, "exit")
    wait_for_upstream(host)
    second = pid_in(tmp_path / "pid")
    assert first != second
    host.child.send_signal(number)
    host.wait()
    assert gone(second)
    assert gone(first)


def test_an_upstream_that_closes_its_output_but_will_not_die_is_gone_before_the_next_one(
    serve, tmp_path, gone, pid_in
):
    host = serve("--pid-file", tmp_path / "pid", "--ignore-sigterm", upstream=QUICK)
    host.connect()
    first = pid_in(tmp_path / "pid")
    fail(host, "close output")
    wait_for_upstream(host)
    assert gone(first, 0)
    host.close()


def test_an_upstream_that_stops_reading_is_replaced(serve, call):
    host = serve(upstream=QUICK)
    host.connect()
    host.send("tools/call", {"name": "fault", "arguments": {"kind": "close input"}}, id="deaf")
    host.send("ping", id="first")  # may still fit into the pipe
    while not any(b"UPSTREAM_DIED" in line for line in host.lines):
        host.send("ping", id="more")
        time.sleep(0.05)
    assert host.answer("deaf")["error"]["data"]["errorType"] == "UPSTREAM_DIED"
    wait_for_upstream(host)
    assert call(host, "echo", text="again") == "again"


def test_a_stopped_upstream_fails_calls_at_their_limit_and_ends_with_the_wrapper(
    serve, tmp_path, gone, pid_in
):
    host = serve("--pid-file", tmp_path / "pid", upstream={**QUICK, "call_timeout_ms": 400})
    host.connect()
    pid = pid_in(tmp_path / "pid")
    error = fail(host, "stop")
    assert error["data"]["errorType"] == "UPSTREAM_TIMEOUT"
    assert error["data"]["toolName"] == "fault"
    os.kill(pid, signal.SIGCONT)
    wait_for_upstream(host)
    assert not [line for line in host.lines if b'"stop"' in line], "the answer came too late"
    os.kill(pid, signal.SIGSTOP)
    host.close()
    assert gone(pid)


def test_an_upstream_that_never_answers_ends_the_wrapper_at_the_start_limit_with_a_clear_error(
    serve, gone, tmp_path, pid_in
):
    host = serve("--silent", "--pid-file", tmp_path / "pid", upstream={"start_timeout_ms": 700})
    error = host.connect()["error"]
    assert error["data"]["errorType"] == "UPSTREAM_TIMEOUT"
    assert "initialize within 700 ms" in error["message"]
    assert host.wait() == 1
    assert gone(pid_in(tmp_path / "pid"))


def test_an_upstream_that_dies_before_its_first_answer_ends_the_wrapper(serve):
    host = serve("--die-on", "initialize")
    assert host.connect()["error"]["data"]["errorType"] == "UPSTREAM_DIED"
    assert host.wait() == 4


def test_an_upstream_that_dies_of_the_stateless_probe_gets_a_second_chance(serve):
    host = serve("--die-on", "server/discover", upstream=QUICK)
    assert host.request("server/discover", {})["error"]["code"] == -32000
    assert host.connect()["result"]["serverInfo"]["name"] == "scripted"
    assert host.close() == 0


def test_a_request_of_a_dead_upstream_is_cancelled_and_its_answer_dropped(serve, call, tmp_path):
    notes = tmp_path / "heard"
    host = serve("--heard", notes, upstream=QUICK)
    host.connect()
    call(host, "ask")
    fail(host, "exit")
    cancelled = host.wait_for(
        lambda: next((line for line in host.lines if b"notifications/cancelled" in line), None)
    )
    assert json.loads(cancelled)["params"]["requestId"] == 0
    wait_for_upstream(host)
    host.send_bytes(b'{"jsonrpc":"2.0","id":0,"result":{"roots":[]}}\n')
    call(host, "ask")
    host.request("ping")
    assert not [each for each in messages_by_life(notes)[1] if "method" not in each]
    again = [json.loads(line)["id"] for line in host.lines if b"roots/list" in line][-1]
    host.send_bytes(json.dumps({"jsonrpc": "2.0", "id": again, "result": {"roots": [1]}}).encode() + b"\n")
    host.request("ping")
    assert [each for each in messages_by_life(notes)[1] if "method" not in each] == [
        {"jsonrpc": "2.0", "id": 0, "result": {"roots": [1]}}
    ]


def test_the_program_may_be_missing_for_a_while(driver, open_host, tmp_path):
    program, spare = tmp_path / "server.py", Path(__file__).parent / "scripted_upstream.py"
    program.write_text(f"#!{sys.executable}\n{spare.read_text()}")
    program.chmod(0o755)
    run = (
        "import json, os, sys; from genui_adapters.host.stdio_serving import serve_stdio;"
        "from genui_adapters.telemetry.configured_event_log import StreamEventLog;"
        "from genui_adapters.io.process import UpstreamCommand, UpstreamProcess;"
        "from genui_core.application.wrapper import Wrapper;"
        "from genui_core.domain.settings.settings import Settings;"
        "from genui_core.domain.settings.upstream_settings import UpstreamSettings;"
        "settings = Settings(upstream=UpstreamSettings(reconnect_delay_ms=100, max_reconnect_delay_ms=100));"
        "upstream = UpstreamProcess(UpstreamCommand((sys.argv[2],), dict(os.environ)));"
        "serve_stdio(Wrapper(settings=settings, event_log=StreamEventLog()), upstream, driver=sys.argv[1])"
    )
    host = open_host(sys.executable, "-c", run, driver, program)
    host.connect()
    program.rename(tmp_path / "away")
    fail(host, "exit")
    host.wait_for(lambda: host.log_text().count("upstream_not_started") >= 2)
    (tmp_path / "away").rename(program)
    wait_for_upstream(host)
    assert host.close() == 0


def list_one_more(listed):
    """Make the upstream list one more tool from now on."""
    listed.write_text(json.dumps([{"name": "old", "inputSchema": {}}, {"name": "new", "inputSchema": {}}]))


def test_changed_tools_are_listed_even_if_the_host_does_not_ask(serve, call, tmp_path):
    listed = tmp_path / "tools.json"
    listed.write_text(json.dumps([{"name": "old", "inputSchema": {}}]))
    host = serve("--tools", listed)
    host.connect()
    host.request("tools/list")
    list_one_more(listed)
    call(host, "announce")
    host.wait_for(lambda: any(b"resources/list_changed" in line for line in host.lines))
    assert host.request("resources/read", {"uri": "ui://new"})["result"]["contents"]


def test_tools_are_listed_again_periodically_and_on_demand(serve, tmp_path):
    listed = tmp_path / "tools.json"
    listed.write_text(json.dumps([{"name": "old", "inputSchema": {}}]))
    host = serve("--tools", listed, upstream={"tool_refresh": {"enabled": True, "interval_ms": 300}})
    host.connect()
    host.request("tools/list")
    list_one_more(listed)
    host.wait_for(lambda: any(b"tools/list_changed" in line for line in host.lines))
    result = host.request("tools/call", {"name": "_ui_refresh_tools", "arguments": {}})["result"]
    assert result["structuredContent"] == {
        "added": [],
        "removed": [],
        "changed": [],
        "unchanged": ["old", "new"],
    }
