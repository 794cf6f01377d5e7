"""A quick run takes a few cases of each matrix, the same in every process; a full run takes all."""

import subprocess
import sys
from pathlib import Path

import pytest

SUITE = """
import pytest

@pytest.mark.matrix
@pytest.mark.parametrize("transport", ["http", "sse", "stdio"])
@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("upstream", ["local", "remote"])
def test_a_decision(transport, era, upstream):
    pass

@pytest.mark.matrix(quick=2)
@pytest.mark.parametrize("number", range(9))
def test_numbers(number):
    pass

@pytest.mark.matrix(quick=0)
def test_that_takes_long():
    pass

@pytest.mark.parametrize("number", range(4))
def test_no_matrix(number):
    pass
"""


@pytest.fixture
def names(tmp_path):
    """Run a small suite and return the names of the tests that passed."""
    (tmp_path / "test_suite.py").write_text(SUITE, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers = matrix(quick=N): many cases\n", encoding="utf-8"
    )

    def names(*options):
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-v",
            "-p",
            "quick_run",
            "-p",
            "no:cacheprovider",
            *options,
        ]
        environment = {"PYTHONPATH": str(Path(__file__).parent), "PATH": ""}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return [
            line.split("::")[1].partition(" PASSED")[0]
            for line in done.stdout.splitlines()
            if "PASSED" in line
        ]

    return names


def test_a_full_run_takes_every_case(names):
    assert len(names()) == 12 + 9 + 1 + 4


def test_a_quick_run_keeps_each_value_of_each_parameter_of_a_matrix(names):
    cases = [name.partition("[")[2].strip("]") for name in names("--quick") if "decision" in name]
    assert {word for case in cases for word in case.split("-")} == {
        *("http", "sse", "stdio"),
        *("legacy", "modern"),
        *("local", "remote"),
    }
    assert len(cases) <= 4


def test_a_quick_run_takes_the_number_of_cases_that_a_matrix_names(names):
    quick = names("--quick")
    assert sum("test_numbers" in name for name in quick) == 2
    assert not [name for name in quick if "takes_long" in name]


def test_a_quick_run_takes_all_cases_of_a_test_that_is_no_matrix(names):
    assert sum("no_matrix" in name for name in names("--quick")) == 4


def test_a_quick_run_takes_the_same_cases_each_time(names):
    assert names("--quick") == names("--quick")
