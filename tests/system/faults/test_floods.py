"""Floods of notifications, requests and cancellations cost no lasting resources."""

import json
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is told by /proc")
SPARE_THREADS = 4
GROWTH_KB = 6_000
"""Memory that an allocator may keep; ten thousand leaked objects would take more."""


@pytest.mark.parametrize("times", [10_000, pytest.param(100_000, marks=pytest.mark.matrix(quick=0))])
def test_a_flood_of_changes_of_the_tools_causes_two_listings_at_most(faulty, times):
    made = faulty()
    before = json.loads(made.text("heard"))["tools/list"]
    assert made.text("change", times=times) == "done"
    made.host.request("resources/list")
    assert json.loads(made.text("heard"))["tools/list"] - before <= 2


def test_many_changes_cause_two_listings_at_most_while_the_host_reads_views(faulty, full):
    made = faulty("viewone")
    assert "viewone" in made.page("read_rows")
    before = json.loads(made.text("heard"))["tools/list"]
    assert made.text("change", times=100_000 if full else 10_000) == "done"
    assert "viewone" in made.page("read_rows")
    assert json.loads(made.text("heard"))["tools/list"] - before <= 2


def send_and_cancel(made, number, method, params):
    """Send a request and cancel it at once, many times; wait until the wrapper has read all of them."""
    asked = json.dumps(params)
    lines = [
        f'{{"jsonrpc":"2.0","id":"{method} {each}","method":"{method}","params":{asked}}}\n'
        f'{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":"{method} {each}"}}}}\n'
        for each in range(number)
    ]
    for start in range(0, number, 100):
        made.host.send_bytes("".join(lines[start : start + 100]).encode())
    made.host.request("ping")
    made.text("heard")


def is_let_go(now, before):
    return now.descriptors <= before.descriptors and now.threads <= before.threads + SPARE_THREADS


def assert_nothing_stays(made, number, method, params):
    """Check that many cancelled requests leave no more resources than a few; a pool may add threads."""
    send_and_cancel(made, 400, method, params)
    before = made.held
    send_and_cancel(made, number, method, params)
    deadline = time.monotonic() + 30  # a pool lets its threads go when they have been idle for some seconds
    while not is_let_go(made.held, before) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert is_let_go(made.held, before)
    assert made.held.kilobytes - before.kilobytes < GROWTH_KB
    assert made.host.close() == 0


def test_cancelled_calls_leave_nothing_behind(faulty, full):
    number = 10_000 if full else 2_000
    assert_nothing_stays(faulty(), number, "tools/call", {"name": "never", "arguments": {}})


def test_cancelled_generations_leave_nothing_behind(faulty, full, tmp_path):
    """The model is a person who never answers: each pending question is a file."""
    questions, read = tmp_path / "questions", {"uri": "ui://read_rows"}
    made = faulty(flags=("--llm", f"manual:{questions}"))
    made.host.send("resources/read", read, id="first")
    made.wait_for_event("answer_wanted")  # the generation has opened everything that it needs
    made.host.send("notifications/cancelled", {"requestId": "first"})
    assert_nothing_stays(made, 10_000 if full else 1_000, "resources/read", read)
    assert [*questions.glob("*")] == []
