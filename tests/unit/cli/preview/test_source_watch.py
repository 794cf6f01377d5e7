import os

import pytest

from genui_cli.preview.happenings import watch_sources

pytestmark = pytest.mark.anyio


async def changes(sources, *steps):
    """Run steps, check the sources twice after each, and return the reported changes."""
    told, left = [], [step for each in steps for step in (each, lambda: None)]

    async def sleep(_seconds):
        if not left:
            raise EOFError
        left.pop(0)()

    with pytest.raises(EOFError):
        await watch_sources(sources, told.append, sleep)
    return told


async def test_a_changed_a_new_and_a_vanished_file_are_noticed_once_each(tmp_path):
    (tmp_path / "a.txt").write_text("one")

    def change():
        (tmp_path / "a.txt").write_text("three")

    def add():
        (tmp_path / "deep").mkdir()
        (tmp_path / "deep" / "b.txt").write_text("new")

    def remove():
        (tmp_path / "a.txt").unlink()

    steps = (lambda: None, change, lambda: None, add, remove)
    assert await changes({"prompts": tmp_path}, *steps) == ["prompts"] * 3


async def test_only_the_source_that_changed_is_named(tmp_path):
    kit, prompts = tmp_path / "kit.py", tmp_path / "prompts"
    prompts.mkdir()
    kit.write_text("1")
    sources = {"kit": kit, "prompts": prompts, "gone": tmp_path / "none"}
    assert await changes(sources, lambda: os.utime(kit, ns=(1, 1))) == ["kit"]


async def test_a_file_that_is_still_being_written_is_waited_for(tmp_path):
    file, told = tmp_path / "a.txt", []
    looks = iter(range(5))

    async def sleep(_seconds):
        number = next(looks, None)
        if number is None:
            raise EOFError
        assert told == []
        file.write_text("x" * number)

    with pytest.raises(EOFError):
        await watch_sources({"prompts": tmp_path}, told.append, sleep)
    assert told == []
