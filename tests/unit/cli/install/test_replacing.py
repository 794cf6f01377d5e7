"""A host's file is replaced atomically: at any time it is either the old or the new file."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from genui_cli.cli_error import CliError
from genui_cli.install.installing import replace_file

WRITER = """
import sys
from pathlib import Path
from genui_cli.install.installing import replace_file
path, old, new = Path(sys.argv[1]), "a" * 3_000_000, "b" * 3_000_000
print("ready", flush=True)
while True:
    replace_file(path, old, new)
    old, new = new, old
"""


def test_the_old_file_is_backed_up_and_its_mode_stays(tmp_path):
    path = tmp_path / "mcp.json"
    path.write_text("old")
    path.chmod(0o640)
    backup = replace_file(path, "old", "new")
    assert (path.read_text(), backup.read_text()) == ("new", "old")
    assert path.stat().st_mode & 0o777 == 0o640
    assert {*tmp_path.iterdir()} == {path, backup}


def test_a_new_file_is_for_its_owner_only_and_needs_no_backup(tmp_path):
    path = tmp_path / "folder" / "mcp.json"
    assert replace_file(path, None, "new") is None
    assert path.stat().st_mode & 0o777 == 0o600
    assert [*path.parent.iterdir()] == [path]


def test_a_removed_file_is_backed_up(tmp_path):
    path = tmp_path / "mcp.json"
    path.write_text("old")
    backup = replace_file(path, "old", None)
    assert [*tmp_path.iterdir()] == [backup]
    assert backup.read_text() == "old"


@pytest.mark.parametrize("now", ["changed", None])
@pytest.mark.parametrize("after", ["new", None])
def test_a_file_that_another_program_has_changed_is_not_overwritten(tmp_path, now, after):
    path = tmp_path / "mcp.json"
    if now is not None:
        path.write_text(now)
    with pytest.raises(CliError, match="changed by another program"):
        replace_file(path, "old", after)
    assert [each.read_text() for each in tmp_path.iterdir()] == ([now] if now else [])


def test_a_file_that_appeared_in_the_meantime_is_not_overwritten(tmp_path):
    path = tmp_path / "mcp.json"
    path.write_text("theirs")
    with pytest.raises(CliError, match="changed by another program"):
        replace_file(path, None, "new")
    assert path.read_text() == "theirs"


def test_a_place_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path):
    blocking = tmp_path / "file"
    blocking.write_text("")
    with pytest.raises(CliError, match="cannot be written"):
        replace_file(blocking / "mcp.json", None, "new")
    with pytest.raises(CliError, match="cannot be written"):
        replace_file(tmp_path, None, "new")
    assert [*tmp_path.iterdir()] == [blocking]


@pytest.mark.skipif(os.name == "nt", reason="there is no such limit")
def test_a_backup_that_cannot_be_written_whole_leaves_nothing(tmp_path):
    import resource  # noqa: PLC0415 -- not on Windows

    path = tmp_path / "mcp.json"
    path.write_text("a long old text")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))  # as on a disk that is full
    try:
        with pytest.raises(CliError, match="cannot be written"):
            replace_file(path, "a long old text", "new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["a long old text"]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_killed_writer_leaves_a_whole_file(tmp_path):
    path = tmp_path / "mcp.json"
    for until in range(1, 6):
        path.write_text("a" * 3_000_000)
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        ) as writer:
            writer.stdout.readline()
            while len([*tmp_path.glob("*.backup")]) < until and writer.poll() is None:
                pass
            writer.send_signal(signal.SIGKILL)
        assert {*Path(path).read_text()} in ({"a"}, {"b"})
        assert path.stat().st_size == 3_000_000
        for left in {*tmp_path.iterdir()} - {path}:
            left.unlink()
