"""Fixtures that start the command in front of a faulty upstream, and measure the resources of its process."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest
from attrs import define
from made_views import FRAGMENTS, MadeViews, command, recordings

HERE = Path(__file__).parent
PATIENT = {"serveWithinMs": 120_000, "timeoutMs": 120_000}


@pytest.fixture
def full():
    """Whether tests use the sizes of the fault list (``GENUI_FAULTS=full``) instead of smaller ones."""
    return os.environ.get("GENUI_FAULTS") == "full"


def said(words):
    """Return a model's answer: a view that shows these words."""
    return (FRAGMENTS / "plain.txt").read_text().replace("drawn as plain", words)


@define
class Faulty(MadeViews):
    """A host of the command, with a switch that breaks the upstream."""

    spawned: Path
    broken: Path

    @property
    def starts(self):
        """The number of starts of the upstream."""
        return len(self.spawned.read_text().splitlines())

    def text(self, name, **arguments):
        """Return the text result of an upstream tool."""
        return self.call(name, **arguments)["content"][0]["text"]

    def kill_upstream(self):
        for pid in self.spawned.read_text().split()[-1:]:
            os.kill(int(pid), signal.SIGKILL)

    @property
    def held(self):
        return Resources.by(self.host.child.pid)


@define
class Resources:
    """The resources of a process.

    Attributes:
        descriptors: The number of open descriptors.
        threads: The number of threads.
        kilobytes: The resident memory.
    """

    descriptors: int
    threads: int
    kilobytes: int

    @classmethod
    def by(cls, pid):
        folder = Path(f"/proc/{pid}")
        memory = int(re.search(r"VmRSS:\s+(\d+)", (folder / "status").read_text())[1])
        return cls(len([*(folder / "fd").iterdir()]), len([*(folder / "task").iterdir()]), memory)


@pytest.fixture
def faulty(open_host, tmp_path, environment):
    """Start the command with a faulty upstream and a model that gives these answers in order."""

    def start(*answers, flags=(), answering=True, **sections):
        model = ("--llm", recordings(tmp_path / "answers", *map(said, answers))) if answers else flags
        ours = command(tmp_path, [], *model, **{"generation": PATIENT, **sections})
        spawned, broken = tmp_path / "spawned", tmp_path / "broken"
        words = (
            *ours[: ours.index("--")],
            "--",
            sys.executable,
            HERE / "faulty_upstream.py",
            spawned,
            broken,
        )
        made = Faulty(open_host(*words, env=environment), spawned, broken)
        if answering:
            made.host.connect()
            made.host.request("tools/list")
        return made

    return start
