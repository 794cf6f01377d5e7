"""Fixtures of the house's tests: the project's files, and a function that runs its tools."""

import ast
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

SKIPPED_FOLDERS = {"node_modules", "build", "dist", "__pycache__"}


@pytest.fixture(scope="session")
def project_files(repository: Path) -> list[Path]:
    """Every file of the project, by its path in the repository, without packages and build output."""
    return sorted(_files(repository, repository))


def _files(folder: Path, repository: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each not in SKIPPED_FOLDERS and not each.startswith(".")]
        yield from (Path(parent, name).relative_to(repository) for name in names)


@pytest.fixture(scope="session")
def syntax_trees(repository: Path, project_files: list[Path]) -> Mapping[str, ast.Module]:
    """The tree of every module under src, by its dotted name."""
    paths = [path for path in project_files if path.parts[0] == "src" and path.suffix == ".py"]
    return {_module_name(path): ast.parse((repository / path).read_bytes()) for path in paths}


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.fixture(scope="session")
def must_pass(repository: Path) -> Callable[..., None]:
    """Run a tool in the repository; if it fails, the test fails with the tool's output."""

    def run(*command: object) -> None:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=repository,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
        if done.returncode != 0:
            pytest.fail(done.stdout or f"status {done.returncode}", pytrace=False)

    return run
