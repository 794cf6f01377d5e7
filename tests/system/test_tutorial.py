"""The commands of the tutorial and of other marked pages work, with only the wheel and without a key."""

import os
import shutil
import sys

import pytest

from .executed_page import Shell, Step, commands_without_mark, lacks, steps_of

INSTALLING = "installed by the test"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the tutorial speaks to a POSIX shell")


@pytest.fixture(scope="module")
def page(repository):
    return (repository / "docs" / "tutorial.md").read_text(encoding="utf-8")


@pytest.fixture
def newcomer(installed, repository, tmp_path):
    """A shell with the wheel in its path and an empty home, in a folder with the files of a clone."""
    shutil.copytree(repository / "examples" / "tutorial", tmp_path / "examples" / "tutorial")
    (tmp_path / "home").mkdir()
    path = os.pathsep.join((str(installed), os.environ["PATH"]))
    return Shell(
        tmp_path,
        {
            "PATH": path,
            "HOME": str(tmp_path / "home"),
            "BROWSER": "true",
            "LANG": "C.UTF-8",
            "COLUMNS": "200",
        },
    )


def test_a_newcomer_completes_the_tutorial(page, newcomer):
    steps = [step for step in steps_of(page) if step.mark != INSTALLING]
    assert len(steps) > 10
    for step in steps:
        newcomer.do(step)


@pytest.mark.parametrize("name", ["how-to/own-prompts.md"])
def test_the_marked_commands_of_another_page_work_too(repository, newcomer, name):
    steps = steps_of((repository / "docs" / name).read_text(encoding="utf-8"))
    assert steps
    for step in steps:
        newcomer.do(step)


def test_no_command_is_left_out(page):
    assert commands_without_mark(page) == []
    assert [step.text.splitlines()[-1] for step in steps_of(page) if step.mark == INSTALLING] == [
        "pip install ."
    ]


@pytest.mark.parametrize(
    "step",
    [
        Step("run", "exit 3\n"),
        Step("run", "echo one\n", ("two",)),
        Step("run", "echo one; echo two\n", ("two", "one")),
        Step("watch", "echo one\n", ("two",)),
        Step("something else", "echo one\n"),
    ],
)
def test_a_page_with_wrong_output_fails(newcomer, step):
    with pytest.raises(AssertionError):
        newcomer.do(step)


def test_a_line_may_leave_out_what_changes():
    assert lacks("a: port 8123, ready\nb\n", ("a: port …, ready", "b")) is None
    assert lacks("a: port 8123, waiting\n", ("a: port …, ready",)) == "a: port …, ready"
