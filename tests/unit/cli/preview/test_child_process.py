import os
import sys

import anyio
import pytest

from genui_cli.preview import connection as module
from genui_cli.preview.connection import child_process
from genui_cli.preview.wire import ServerEnded

pytestmark = pytest.mark.anyio


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123 - a zombie is not running
        return stat.read().rsplit(")", 1)[1].split()[0] != "Z"


async def said_by(child):
    return (await child.output.receive()).decode()


async def test_a_child_that_heeds_the_end_of_its_input_leaves_by_itself():
    script = "import sys; print('up', flush=True); sys.stdin.read()"
    async with child_process([sys.executable, "-c", script]) as child:
        await said_by(child)
    assert child.process.returncode == 0


async def test_a_stubborn_child_and_what_it_started_are_killed(monkeypatch):
    monkeypatch.setattr(module, "LEAVE_BY_ITSELF_S", 0.05)
    monkeypatch.setattr(module, "LEAVE_WHEN_TOLD_S", 0.05)
    script = (
        "import signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
        "print(p.pid, flush=True); time.sleep(600)"
    )
    async with child_process([sys.executable, "-c", script]) as child:
        grandchild = int(await said_by(child))
    with anyio.fail_after(10):
        while is_running(child.process.pid) or is_running(grandchild):
            await anyio.lowlevel.checkpoint()


async def test_a_command_that_does_not_exist_says_so():
    with pytest.raises(ServerEnded, match="Cannot start /no/such/command: No such file"):
        async with child_process(["/no/such/command"]):
            pass


@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ("import sys; sys.exit(4)", "The server ended with exit code 4."),
        ("import os; os.kill(os.getpid(), 15)", "The server was ended by SIGTERM."),
    ],
)
async def test_how_a_child_ended_is_told_in_a_sentence(script, ending):
    async with child_process([sys.executable, "-c", script]) as child:
        assert await child.farewell() == ending


async def test_standard_error_is_copied_to_ours_and_its_end_is_kept(capsys):
    script = "import sys; print('a warning', file=sys.stderr, flush=True); print('done', flush=True); sys.stdin.read()"
    async with child_process([sys.executable, "-c", script]) as child:
        with anyio.fail_after(10):
            while not child.tail:
                await anyio.lowlevel.checkpoint()
    assert list(child.tail) == ["a warning"]
    assert "a warning" in capsys.readouterr().err
