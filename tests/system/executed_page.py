"""Executes the marked commands of a page and compares their output with the page.

A block is marked by a comment above it, which a reader of the page does not see:

``<!-- run -->``          a block of shell lines that must succeed
``<!-- watch -->``        a command that goes on until Ctrl-C, once it has printed what it must
``<!-- write: NAME -->``  a file to be written

A block of ``text`` after it shows the lines that must be among what was printed, in that order; ``…`` in a
line stands for anything.
"""

import re
import signal
import subprocess
import threading
from pathlib import Path

from attrs import frozen

BLOCK = re.compile(r"(?:<!-- (?P<mark>.+?) -->\n)?```(?P<language>\w+)\n(?P<text>.*?)```", re.DOTALL)
PATIENCE_S = 120


@frozen
class Step:
    """A marked block of a page.

    Attributes:
        mark: The mark, which says what to do with the block.
        text: The block.
        shown: The lines that the command must print.
    """

    mark: str
    text: str
    shown: tuple[str, ...] = ()


def steps_of(page):
    """Return the steps of a page, in order."""
    found = []
    for block in BLOCK.finditer(page):
        if block["mark"]:
            found.append(Step(block["mark"], block["text"]))
        elif block["language"] == "text" and found:
            found[-1] = Step(found[-1].mark, found[-1].text, tuple(block["text"].splitlines()))
    return found


def commands_without_mark(page):
    """Return the shell blocks that no test executes."""
    return [
        block["text"] for block in BLOCK.finditer(page) if block["language"] == "sh" and not block["mark"]
    ]


def lacks(printed, shown):
    """Return the first shown line that was not printed in order, or None."""
    lines = iter(printed.splitlines())
    for line in shown:
        pattern = ".*".join(map(re.escape, line.strip().split("…")))
        if not any(re.search(pattern, each) for each in lines):
            return line
    return None


class Shell:
    """Executes the steps of a page in order, as a person in one terminal does."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = environment

    def do(self, step):
        """Execute a step.

        Raises:
            AssertionError: The command failed, or did not print the shown lines.
        """
        if step.mark.startswith("write: "):
            (self._working_folder() / step.mark.removeprefix("write: ")).write_text(
                step.text, encoding="utf-8"
            )
        elif step.mark == "watch":
            self._watch(step)
        elif step.mark == "run":
            self._run(step)
        else:
            raise AssertionError(f"no such mark: {step.mark}")

    def _run(self, step):
        # Where a step ends is where the next one begins.
        script = f"cd {self._working_folder()}\n{step.text}\npwd > {self._place}\n"
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE_S,
            check=False,
        )
        printed = done.stderr + done.stdout
        assert done.returncode == 0, f"{step.text}\n{printed}"
        assert lacks(printed, step.shown) is None, f"{step.text}\nprinted\n{printed}"

    def _watch(self, step):
        process = subprocess.Popen(
            ["sh", "-c", f"exec {step.text}"],
            env=self.environment,
            cwd=self._working_folder(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        deadline = threading.Timer(PATIENCE_S, process.kill)
        deadline.start()
        printed = ""
        for line in process.stdout:
            printed += line
            if lacks(printed, step.shown) is None:
                process.send_signal(signal.SIGINT)
                break
        printed += process.stdout.read()
        process.stdout.close()
        code = process.wait()
        deadline.cancel()
        assert lacks(printed, step.shown) is None, f"{step.text}\nprinted\n{printed}"
        assert code in {0, 130}, f"{step.text}\nended with {code}\n{printed}"
        assert "Traceback" not in printed

    @property
    def _place(self):
        return self.folder / ".place"

    def _working_folder(self):
        return Path(self._place.read_text().strip()) if self._place.exists() else self.folder
