"""The provider `manual`: a file holds the prompt, and a person writes the answer into another."""

import os
import threading

import anyio
import pytest

from genui_adapters.llm.replay import ManualProvider
from genui_core.domain.generation.completion import CompletionRequest
from genui_core.testing.event_log import RecordingEventLog

pytestmark = pytest.mark.anyio

REQUEST = CompletionRequest(system="You write.", prompt="Write one.", max_tokens=10, request_id="r-1")


async def until(true):
    with anyio.fail_after(10):
        while not true():
            await anyio.sleep(0.01)


async def test_the_answer_is_taken_from_its_file_and_both_files_are_gone(tmp_path):
    one = ManualProvider(tmp_path / "new", RecordingEventLog())

    async def answer():
        question = tmp_path / "new" / "r-1.prompt.md"
        await until(question.exists)
        assert question.read_text() == "You write.\n\nWrite one."
        (tmp_path / "new" / "r-1.answer.md").write_text("a view")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(answer)
        assert (await one.complete(REQUEST)).text == "a view"
    assert [*(tmp_path / "new").iterdir()] == []
    (event,) = one.event_log.named("answer_wanted")
    assert event.metadata["answer"].endswith("r-1.answer.md")


async def test_a_cancelled_question_removes_its_file(tmp_path):
    one = ManualProvider(tmp_path, RecordingEventLog())
    with anyio.move_on_after(0.1):
        await one.complete(REQUEST)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.skipif(os.name == "nt", reason="files have no modes there")
async def test_the_file_of_a_question_is_private_to_the_user(tmp_path):
    question = tmp_path / "new" / "r-1.prompt.md"

    async def look():
        await until(question.exists)
        assert question.read_text()
        assert question.stat().st_mode & 0o777 == 0o600
        assert question.parent.stat().st_mode & 0o777 == 0o700
        tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(look)
        await ManualProvider(tmp_path / "new", RecordingEventLog()).complete(REQUEST)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
async def test_a_pipe_in_the_place_of_the_answer_holds_nothing_up(tmp_path):
    answer = tmp_path / "r-1.answer.md"
    os.mkfifo(answer)
    descriptor = os.open(answer, os.O_RDWR)
    letting_go = threading.Timer(
        5, os.close, [descriptor]
    )  # then the reader gets the end of the file, and the test ends
    letting_go.start()
    os.write(descriptor, b"a view")
    with anyio.move_on_after(0.6):
        await ManualProvider(tmp_path, RecordingEventLog()).complete(REQUEST)
    assert letting_go.is_alive()
    assert os.read(descriptor, 100) == b"a view"
    letting_go.cancel()
    os.close(descriptor)


async def test_a_question_takes_the_place_of_a_link_and_does_not_follow_it(tmp_path):
    question = tmp_path / "r-1.prompt.md"
    question.symlink_to(tmp_path / "elsewhere")

    async def look():
        await until(lambda: not question.is_symlink())
        tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(look)
        await ManualProvider(tmp_path, RecordingEventLog()).complete(REQUEST)
    assert not (tmp_path / "elsewhere").exists()
