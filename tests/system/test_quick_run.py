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

ENVIRONMENT = {"PYTHONPATH": str(Path(__file__).parent), "PATH": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""The small suite needs no plugin but the one under test."""


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """Run a small suite and return the names of the tests that passed."""
    folder = tmp_path_factory.mktemp("suite")
    (folder / "test_suite.py").write_text(SUITE, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = matrix(quick=N): many cases\n", encoding="utf-8")

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
        done = subprocess.run(
            command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=True
        )
        return [
            line.split("::")[1].partition(" PASSED")[0]
            for line in done.stdout.splitlines()
            if "PASSED" in line
        ]

    return names


@pytest.fixture(scope="module")
def quick(names):
    """The names of the tests of a quick run."""
    return names("--quick")


def test_a_full_run_takes_every_case(names):
    assert len(names()) == 12 + 9 + 1 + 4


def test_a_quick_run_keeps_each_value_of_each_parameter_of_a_matrix(quick):
    cases = [name.partition("[")[2].strip("]") for name in quick if "decision" in name]
    assert {word for case in cases for word in case.split("-")} == {
        *("http", "sse", "stdio"),
        *("legacy", "modern"),
        *("local", "remote"),
    }
    assert len(cases) <= 4


def test_a_quick_run_takes_the_number_of_cases_that_a_matrix_names(quick):
    assert sum("test_numbers" in name for name in quick) == 2
    assert not [name for name in quick if "takes_long" in name]


def test_a_quick_run_takes_all_cases_of_a_test_that_is_no_matrix(quick):
    assert sum("no_matrix" in name for name in quick) == 4


def test_a_quick_run_takes_the_same_cases_each_time(names, quick):
    assert names("--quick") == quick
