"""The summary names tests that a missing program skips, and such tests fail on a build server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from missing_parts import pytest_runtest_makereport

SUITE = """
import pytest

@pytest.mark.parametrize("number", [1, 2])
def test_with_a_browser(number):
    pytest.skip("Chromium is not installed")

@pytest.mark.skip(reason="fetches a package; set GENUI_FAULTS=full")
def test_that_is_asked_for():
    raise AssertionError

@pytest.mark.xfail(strict=True)
def test_that_fails():
    raise AssertionError

def test_that_runs():
    pass
"""


@pytest.fixture
def run(tmp_path):
    """Run a small test suite, as on a build server or elsewhere."""

    def run(ci):
        (tmp_path / "test_suite.py").write_text(SUITE, encoding="utf-8")
        (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "missing_parts", "-p", "no:cacheprovider", "."]
        kept = {key: value for key, value in os.environ.items() if key not in {"CI", "PYTEST_ADDOPTS"}}
        environment = {**kept, "PYTHONPATH": str(Path(__file__).parent), **({"CI": "true"} if ci else {})}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_the_summary_names_each_missing_part_once(run):
    done = run(ci=False)
    assert done.returncode == 0
    block = done.stdout.partition("tests that did not run")[2].splitlines()[1:3]
    assert block == [
        "2 tests: Chromium is not installed",
        "1 test: fetches a package; set GENUI_FAULTS=full",
    ]


def test_a_missing_part_fails_a_build_server(run):
    done = run(ci=True)
    assert done.returncode == 1
    assert "2 failed, 1 passed, 1 skipped, 1 xfailed" in done.stdout
    assert "Chromium is not installed\nWith CI set, a missing part is a failure." in done.stdout


def test_this_suite_is_watched(pytestconfig):
    hooks = pytestconfig.pluginmanager.hook
    assert pytest_runtest_makereport in [
        each.function for each in hooks.pytest_runtest_makereport.get_hookimpls()
    ]
