"""The linter, the formatter, the type checker and the contracts of the architecture find nothing."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

MustPass = Callable[..., None]

SCRIPTS = (
    "dev.py",
    "hatch_build.py",
    "deploy/healthcheck.py",
    "release/release.py",
    "examples/weather-server/weather_server.py",
    "examples/database-server/database_server.py",
    "examples/custom-provider/program_provider.py",
    "examples/custom-store/sqlite_store.py",
)
MOST_TYPE_ERRORS = {"benchmarks": 55}
"""The most errors that strict typing may find in a folder without complete types; numbers may only fall."""
LINTED = ("src", "tests", "examples", "docs", "benchmarks", "deploy", "release", "dev.py", "hatch_build.py")


@pytest.fixture
def linted(repository: Path) -> list[str]:
    """The files and folders with Python code that exist."""
    return [each for each in LINTED if (repository / each).exists()]


def test_the_linter_finds_nothing(must_pass: MustPass, linted: list[str]) -> None:
    must_pass(sys.executable, "-m", "ruff", "check", "--quiet", *linted)


def test_the_formatter_would_change_nothing(must_pass: MustPass, linted: list[str]) -> None:
    must_pass(sys.executable, "-m", "ruff", "format", "--quiet", "--check", *linted)


def test_the_packages_are_typed_strictly(must_pass: MustPass) -> None:
    must_pass(sys.executable, "-m", "mypy")


def test_the_scripts_outside_the_packages_are_typed_too(must_pass: MustPass) -> None:
    must_pass(sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", *SCRIPTS)


@pytest.mark.parametrize("folder", MOST_TYPE_ERRORS)
def test_a_folder_has_no_more_type_errors_than_before(repository: Path, folder: str) -> None:
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", folder]
    told = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False).stdout
    found = re.search(r"^Found (\d+) errors? in", told, re.MULTILINE)
    assert found is not None, told
    assert int(found[1]) <= MOST_TYPE_ERRORS[folder], told


def test_the_contracts_of_the_architecture_are_kept(must_pass: MustPass) -> None:
    must_pass(Path(sys.executable).with_name("lint-imports"), "--no-cache")
