"""What a call through us costs, in what noise cannot touch."""

import importlib.util
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the counters come from /proc")


@pytest.fixture(scope="module")
def rows(repository):
    """The benchmark's figures for a short run."""
    place = importlib.util.spec_from_file_location("relay_benchmark", repository / "benchmarks" / "relay.py")
    benchmark = importlib.util.module_from_spec(place)
    place.loader.exec_module(benchmark)
    return benchmark.measure_all(rounds=3, calls=300)


def test_a_call_wakes_us_twice_and_no_more(rows):
    assert rows["mcp-gen-ui"]["switches"] <= 2.1


def test_a_call_costs_at_most_six_times_the_processor_time_of_a_byte_pipe(rows):
    assert rows["mcp-gen-ui"]["cpu_us"] <= 6 * rows["byte pipe"]["cpu_us"]


def test_we_take_at_most_two_and_a_half_times_the_memory_of_a_byte_pipe(rows):
    assert rows["mcp-gen-ui"]["memory_mb"] <= 2.5 * rows["byte pipe"]["memory_mb"]
