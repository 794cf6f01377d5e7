"""Faulty upstreams, with real processes and the installed command (requirement W8)."""

import asyncio
import sys

import faults
import pytest
import remote_faults
import storms

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is left behind is told by /proc")

SEEN = {
    "exits": "UPSTREAM_DIED",
    "is killed": "UPSTREAM_DIED",
    "exits in the middle of a line": "UPSTREAM_DIED",
    "exits in the middle of a long line": "UPSTREAM_DIED",
    "exits, a child holds its output": "UPSTREAM_DIED",
    "closes its output, lives on": "UPSTREAM_DIED",
    "closes its input, lives on": "UPSTREAM_DIED",
    "writes garbage": "the result",
    "floods its log": "the result",
    "starts slowly": "the result",
    "writes a line of 50 MB": "the result",
    "hangs": "no answer (no limit set)",
    "hangs in the middle of a line": "no answer (no limit set)",
    "is stopped (SIGSTOP)": "no answer (no limit set)",
    "exits when it is probed": "UPSTREAM_DIED",
    "exits before it ever answered": "UPSTREAM_DIED",
}


def test_every_fault_is_tried():
    assert set(faults.FAULTS) == set(SEEN)


@pytest.mark.matrix(quick=7)
@pytest.mark.parametrize("fault", SEEN)
def test_a_fault_is_reported_clearly_and_overcome_and_leaves_nothing_behind(fault):
    row = faults.FAULTS[fault](fault)
    assert row["the host saw"] == SEEN[fault]
    assert row["left alive"] == 0
    assert row["exit code"] == (4 if fault == "exits before it ever answered" else 0)
    if row["well after ms"] is not None:
        assert row["well after ms"] < 30_000


SEEN_FROM_AFAR = {
    "refuses connections": "UPSTREAM_UNREACHABLE",
    "dies while it answers": "UPSTREAM_DIED",
    "resets the connection": "UPSTREAM_DIED",
    "cuts an event in half": "UPSTREAM_DIED",
    "answers HTTP 500": "UPSTREAM_UNREACHABLE",
    "answers HTTP 401": "UPSTREAM_UNREACHABLE",
    "answers with a page": "UPSTREAM_UNREACHABLE",
    "loses the session": "the result",
    "drips": "the result",
    "sends an event of 3 MiB": "the result",
    "sends garbage before the answer": "the result",
    "hangs": "no answer (no limit set)",
}


def test_every_fault_behind_a_url_is_tried():
    assert set(remote_faults.FAULTS) == set(SEEN_FROM_AFAR)


@pytest.mark.matrix(quick=5)
@pytest.mark.parametrize("fault", SEEN_FROM_AFAR)
def test_a_fault_behind_a_url_is_reported_clearly_and_overcome(fault):
    row = remote_faults.run_fault(fault)
    assert row["the host saw"] == SEEN_FROM_AFAR[fault]
    assert row["well after ms"] < 30_000
    assert (row["exit code"], row["left alive"]) == (0, 0)


def test_a_thousand_calls_through_ten_kills_get_one_answer_each():
    row = faults.storm(calls=1000, kills=10)
    assert "wrong" not in row
    outcomes = {"results", "UPSTREAM_DIED", "UPSTREAM_UNREACHABLE"} & row.keys()
    assert sum(row[each] for each in outcomes) == 1000
    assert row["results"] > 900
    assert (row["unreadable lines"], row["left alive"]) == (0, 0)


OUTCOMES = {
    "http": {"results", "UPSTREAM_DIED", "UPSTREAM_UNREACHABLE"},
    "attached": {"results", "connection lost", "session lost"},
}


@pytest.mark.parametrize(("transport", "kills"), [("http", 10), ("attached", 2)])
def test_calls_over_http_through_kills_get_one_answer_each(transport, kills):
    row = asyncio.run(storms.storm(transport, 400, kills))
    assert sum(row.get(each, 0) for each in OUTCOMES[transport]) == 400, row
    assert row["results"] > 200, row
    assert (row["asked twice"], row["left alive"]) == (0, 0)
