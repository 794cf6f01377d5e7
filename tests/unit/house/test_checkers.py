"""The linter, the formatter, the type checker and the rules of the architecture are content."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

MustPass = Callable[..., None]

SCRIPTS = (
    "dev.py",
    "examples/weather-server/weather_server.py",
    "examples/database-server/database_server.py",
    "examples/custom-provider/program_provider.py",
    "examples/custom-store/sqlite_store.py",
)
LINTED = ("src", "tests", "examples", "docs", "benchmarks", "dev.py")


@pytest.fixture
def linted(repository: Path) -> list[str]:
    """The places that hold Python, as far as they are there."""
    return [each for each in LINTED if (repository / each).exists()]


def test_the_linter_has_nothing_to_say(must_pass: MustPass, linted: list[str]) -> None:
    must_pass(sys.executable, "-m", "ruff", "check", "--quiet", *linted)


def test_the_formatter_would_change_nothing(must_pass: MustPass, linted: list[str]) -> None:
    must_pass(sys.executable, "-m", "ruff", "format", "--quiet", "--check", *linted)


def test_the_packages_are_typed_strictly(must_pass: MustPass) -> None:
    must_pass(sys.executable, "-m", "mypy")


def test_the_scripts_outside_the_packages_are_typed_too(must_pass: MustPass) -> None:
    must_pass(sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", *SCRIPTS)


def test_the_contracts_of_the_architecture_are_kept(must_pass: MustPass) -> None:
    must_pass(Path(sys.executable).with_name("lint-imports"), "--no-cache")
