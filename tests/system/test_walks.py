"""A call, a read, a generation and a start visit few files of the packages; the numbers may only fall."""

import re
import subprocess
import sys

import pytest

MOST = {"call": (8, 1), "cached": (12, 2), "generation": (31, 20), "start": (37, 30)}
"""Per walk: the number of files that it visits, and of pairs of files with a turn back."""


@pytest.fixture(scope="module")
def walked(repository):
    """The numbers that `benchmarks/walk.py` prints."""
    command = [sys.executable, repository / "benchmarks" / "walk.py"]
    table = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout
    rows = re.findall(r"^(\w+) +(\d+) files, (\d+) turned back$", table, re.MULTILINE)
    return {name: (int(files), int(back)) for name, files, back in rows}


@pytest.mark.parametrize("walk", MOST)
def test_a_walk_visits_no_more_files_than_before(walked, walk):
    files, back = walked[walk]
    advice = f"compare `python benchmarks/walk.py {walk}` with its output before the change"
    assert files <= MOST[walk][0], advice
    assert back <= MOST[walk][1], advice
    assert files >= 8
