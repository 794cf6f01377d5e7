"""Every stdio driver keeps its promises with real processes, pipes and signals (requirement W7)."""

import json
import os
import signal
from pathlib import Path

import pytest

from genui_core.domain.tools.wrapper_tools import NAMES

HERE = Path(__file__).parent
UPSTREAM = HERE / "scripted_upstream.py"


def test_a_host_lists_calls_and_reads_views(serve, call):
    host = serve()
    assert host.connect()["result"]["capabilities"]["resources"]["listChanged"]
    tools = host.request("tools/list")["result"]["tools"]
    assert [each["name"] for each in tools] == ["echo", "big", *NAMES]
    view = host.request("resources/read", {"uri": tools[0]["_meta"]["ui"]["resourceUri"]})["result"][
        "contents"
    ][0]
    assert "<!DOCTYPE html>" in view["text"]
    assert call(host, "echo", text="héllo \u2028 😀") == "héllo \u2028 😀"
    assert host.close() == 0


@pytest.mark.parametrize("size", [1_000_000, 50_000_000])
def test_a_large_result_arrives_whole(serve, size, call):
    host = serve()
    host.connect()
    assert len(call(host, "big", bytes=size)) == size


def test_a_large_argument_arrives_whole(serve, call):
    host = serve()
    host.connect()
    assert len(call(host, "echo", text="y" * 3_000_000)) == 3_000_000


def test_many_requests_written_before_anything_is_read_are_all_answered_in_order(serve):
    host = serve()
    host.connect()
    requests = [
        {
            "jsonrpc": "2.0",
            "id": f"r{number}",
            "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": str(number)}},
        }
        for number in range(2000)
    ]
    host.send_bytes(b"".join(json.dumps(each).encode() + b"\n" for each in requests))
    host.answer("r1999")
    ids = [json.loads(line)["id"] for line in host.lines[1:]]
    assert ids == [each["id"] for each in requests]


def test_requests_piped_in_before_the_end_of_input_are_still_answered(serve):
    host = serve()
    host.connect()
    host.send("tools/call", {"name": "echo", "arguments": {"text": "last words"}}, id="last")
    assert host.close() == 0
    assert b"last words" in host.lines[-1]


def test_a_slow_reader_gets_everything(serve):
    """The host reads nothing until it has sent all requests: the pipes fill, reading pauses, nothing is lost."""
    reader, writer = os.pipe()
    host = serve(stdout=writer)
    os.close(writer)
    for number in range(20):
        host.send("tools/call", {"name": "big", "arguments": {"bytes": 1_000_000}}, id=number)
    with os.fdopen(reader, "rb") as late:
        answers = [json.loads(late.readline()) for _ in range(20)]
    assert [each["id"] for each in answers] == list(range(20))
    assert {len(each["result"]["content"][0]["text"]) for each in answers} == {1_000_000}


def test_noise_before_the_handshake_is_dropped_and_logged(serve):
    host = serve("--noise")
    assert host.connect()["result"]["serverInfo"]["name"] == "scripted"
    host.close()
    assert all(line.startswith(b"{") for line in host.lines)
    assert "not_a_message upstream=python" in host.log_text()
    assert "Starting up..." in host.log_text()


def test_the_upstreams_log_lines_are_in_the_wrappers_log_under_its_name(serve, call):
    host = serve()
    host.connect()
    call(host, "stderr", lines=3)
    host.wait_for(lambda: host.log_text().count("upstream_stderr upstream=python") >= 3)
    host.close()


def test_a_flood_of_log_lines_that_no_one_reads_stops_nothing(serve, call):
    reader, writer = os.pipe()
    host = serve(stderr=writer)
    host.connect()
    assert call(host, "stderr", lines=100_000) == "logged"
    assert call(host, "echo", text="still here") == "still here"
    assert host.close() == 0
    os.close(reader)
    os.close(writer)


def test_the_upstream_ends_when_the_host_leaves(serve, tmp_path, alive, pid_in):
    host = serve("--pid-file", tmp_path / "pid")
    host.connect()
    pid = pid_in(tmp_path / "pid")
    assert host.close() == 0
    assert not alive(pid)


@pytest.mark.parametrize("flags", [["--ignore-end"], ["--ignore-end", "--ignore-sigterm"]])
def test_an_upstream_that_does_not_exit_is_killed_within_three_seconds(serve, tmp_path, alive, flags, pid_in):
    host = serve("--pid-file", tmp_path / "pid", *flags)
    host.connect()
    pid = pid_in(tmp_path / "pid")
    host.close()
    assert not alive(pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_wrapper_the_upstream_and_its_children(
    serve, tmp_path, alive, number, call, pid_in, gone
):
    host = serve("--pid-file", tmp_path / "pid", "--ignore-end")
    host.connect()
    child = int(call(host, "child"))
    pid = pid_in(tmp_path / "pid")
    assert alive(child)
    host.child.send_signal(number)
    assert host.wait() == 0
    assert gone(pid)
    assert gone(child)


def test_a_killed_wrapper_leaves_no_upstream_behind(serve, tmp_path, pid_in, gone):
    host = serve("--pid-file", tmp_path / "pid")
    host.connect()
    pid = pid_in(tmp_path / "pid")
    host.child.kill()
    assert gone(pid)
