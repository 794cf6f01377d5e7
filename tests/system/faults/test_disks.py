"""If the disk is full, read-only or holds foreign files, views come from memory or are made again."""

import os
import resource
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and owners are those of Linux")


def test_a_full_disk_prevents_only_the_storing_of_views(faulty, tmp_path):
    folder = tmp_path / "kept"
    made = faulty("viewone", "viewtwo", cache={"type": "filesystem", "directory": str(folder)})
    resource.prlimit(made.host.child.pid, resource.RLIMIT_FSIZE, (100, 100))
    assert "viewone" in made.page("read_rows")
    assert made.events("not_kept")
    assert (
        made.call("_ui_refine", toolName="read_rows", feedback="x")["structuredContent"]["status"] == "done"
    )
    assert "viewtwo" in made.page("read_rows")
    assert [*folder.glob("*")] == []
    assert made.host.close() == 0


@pytest.mark.parametrize("place", ["/proc/views", "/dev/null/views", "missing/in/between"])
def test_views_are_served_without_a_cache_folder(faulty, tmp_path, place):
    made = faulty("viewone", cache={"type": "filesystem", "directory": str(tmp_path / place)})
    for _ in range(2):
        assert "viewone" in made.page("read_rows")
    assert (tmp_path / place).is_dir() is (place == "missing/in/between")
    assert made.host.close() == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_files_of_another_owner_are_not_read(faulty, tmp_path):
    cache = {"type": "filesystem", "directory": str(tmp_path / "kept")}
    first = faulty("viewone", cache=cache)
    assert "viewone" in first.page("read_rows")
    assert first.host.close() == 0
    (kept,) = Path(cache["directory"]).glob("*.view")
    os.chown(kept, 65534, 65534)
    (tmp_path / "answers" / "00.json").rename(tmp_path / "old answer")
    (tmp_path / "answers").rmdir()
    second = faulty("viewtwo", cache=cache)
    assert "viewtwo" in second.page("read_rows")
    assert second.events("set_aside")


def test_the_key_of_the_seals_lies_outside_the_cache(faulty, tmp_path, environment):
    environment["XDG_DATA_HOME"] = environment["XDG_STATE_HOME"] = str(tmp_path / "secret")
    folder = tmp_path / "kept"
    made = faulty("viewone", cache={"type": "filesystem", "directory": str(folder)})
    made.page("read_rows")
    assert made.host.close() == 0
    assert {each.suffix for each in folder.iterdir()} == {".view"}
    (key,) = (each for each in (tmp_path / "secret").rglob("*") if each.is_file())
    assert key.read_bytes() not in b"".join(each.read_bytes() for each in folder.iterdir())
