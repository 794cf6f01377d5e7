"""Every stdio driver survives full pipes, output that outlives its process, and hangups."""

import json
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from genui_adapters.telemetry.configured_event_log import StreamEventLog
from genui_core.ports.event_log import Level

HERE = Path(__file__).parent
UPSTREAM = HERE / "scripted_upstream.py"


def test_full_pipes_in_both_directions_are_drained(serve):
    """The wrapper buffers large requests and large answers at once, and must still read from both peers."""
    reader, writer = os.pipe()
    host = serve(stdout=writer)
    os.close(writer)
    text = {"text": "y" * 200_000}

    def send():
        for number in range(40):
            host.send("tools/call", {"name": "echo", "arguments": text}, id=number)

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    sender.join(2)  # every pipe is full after that
    lines = []
    with os.fdopen(reader, "rb") as late:
        taker = threading.Thread(target=lambda: lines.extend(late.readline() for _ in range(40)), daemon=True)
        taker.start()
        taker.join(15)
        done = not taker.is_alive()
        host.child.kill()
        taker.join()
    assert done, "neither side moves any more"


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("fields", [{"text": "世" * 2000}, {"added": tuple(map(str, range(1000)))}])
def test_a_line_never_exceeds_what_a_pipe_takes_whole(form, fields):
    reader, writer = os.pipe()
    StreamEventLog(Level.DEBUG, form, writer).record(Level.INFO, "relay", "odd", **fields)
    assert len(os.read(reader, 1 << 20)) <= 4096
    os.close(reader)
    os.close(writer)


def test_the_end_of_an_upstream_whose_child_holds_its_output_is_noticed_at_once(driver, open_host, tmp_path):
    up = tmp_path / "up.py"
    up.write_text(
        "import subprocess, sys\nsubprocess.Popen(['sleep', '30'])\nsys.stdin.readline()\nsys.exit(3)\n"
    )
    host = open_host(sys.executable, HERE / "run_driver.py", driver, "{}", up)
    host.send("ping", id=1)
    assert host.child.wait(8) == 4


def test_a_hangup_ends_the_upstream_too(serve, tmp_path, pid_in, gone):
    host = serve("--pid-file", tmp_path / "pid", "--ignore-end")
    host.connect()
    pid = pid_in(tmp_path / "pid")
    host.child.send_signal(signal.SIGHUP)
    host.wait()
    dead = gone(pid, 5)
    if not dead:
        os.kill(pid, 9)
    assert dead


def test_standard_input_and_output_may_be_files(open_host, proxy, tmp_path):
    script, output = tmp_path / "session.jsonl", tmp_path / "answers.jsonl"
    call = {"name": "echo", "arguments": {"text": "from a file"}}
    messages = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    script.write_text("".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in messages))
    with script.open("rb") as stdin, output.open("wb") as stdout:
        host = open_host(*proxy, sys.executable, HERE / "scripted_upstream.py", stdin=stdin, stdout=stdout)
        assert host.wait() == 0
    assert "from a file" in output.read_text().splitlines()[-1]


def test_closed_standard_streams_are_no_fault(open_host, repository):
    command = (
        f'"{sys.executable}" -P -m genui_cli -- "{sys.executable}" "{HERE / "scripted_upstream.py"}" <&- 2>&-'
    )
    host = open_host("sh", "-c", command)
    assert host.wait() == 0
    assert host.lines == []


def test_a_signal_before_the_wrapper_is_ready_leaves_no_upstream(open_host, proxy, tmp_path, pid_in, gone):
    upstream = (sys.executable, HERE / "scripted_upstream.py", "--pid-file", tmp_path / "pid", "--ignore-end")
    host = open_host(*proxy, *upstream)
    pid = pid_in(tmp_path / "pid")
    host.child.terminate()
    host.wait()
    assert gone(pid)
