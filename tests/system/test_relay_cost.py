"""The cost of a call through the wrapper, in measures that noise does not change (requirement N1)."""

import sys
from functools import partial

import pytest
import relay

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the counters come from /proc")


@pytest.fixture(scope="module")
def rounds(tmp_path_factory):
    """The figures of a short benchmark run; its first round compiles the modules for the others."""
    subjects = {name: partial(relay.measure, argv, 300) for name, argv in relay.SUBJECTS.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("compiled")))
        return relay.measure_all(4, subjects)


@pytest.fixture(scope="module")
def rows(rounds):
    """The medians of the rounds."""
    return relay.medians(rounds)


def test_a_call_wakes_the_wrapper_twice_and_no_more(rows):
    assert rows["mcp-gen-ui"]["switches"] <= 2.1


def test_a_call_costs_at_most_six_times_the_processor_time_of_a_byte_pipe(rows):
    assert rows["mcp-gen-ui"]["cpu_us"] <= 6 * rows["byte pipe"]["cpu_us"]


def test_the_wrapper_takes_at_most_32_mb_and_three_times_the_memory_of_a_byte_pipe(rows):
    assert rows["mcp-gen-ui"]["memory_mb"] <= min(32, 3 * rows["byte pipe"]["memory_mb"])


def test_the_start_costs_at_most_nine_times_the_processor_time_of_a_byte_pipes(rounds):
    """The best round of each counts, because other programs and compiling only add time."""
    ours, floor = (min(each["start_cpu_ms"] for each in rounds[name]) for name in ("mcp-gen-ui", "byte pipe"))
    assert ours <= 9 * floor
