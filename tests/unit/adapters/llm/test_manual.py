"""A person as the model: the prompt in a file, the answer from one."""

import anyio
import pytest

from genui_adapters.llm.manual import ManualProvider
from genui_core.domain.completion import CompletionRequest
from genui_core.testing.journal import RecordingJournal

pytestmark = pytest.mark.anyio

REQUEST = CompletionRequest(system="You write.", prompt="Write one.", max_tokens=10, request_id="r-1")


async def test_the_answer_is_taken_from_its_file_and_both_files_are_gone(tmp_path):
    one = ManualProvider(tmp_path / "new", RecordingJournal())

    async def answer():
        question = tmp_path / "new" / "r-1.prompt.md"
        with anyio.fail_after(10):
            while not question.exists():
                await anyio.sleep(0.01)
        assert question.read_text() == "You write.\n\nWrite one."
        (tmp_path / "new" / "r-1.answer.md").write_text("a view")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(answer)
        assert (await one.complete(REQUEST)).text == "a view"
    assert [*(tmp_path / "new").iterdir()] == []
    (event,) = one.journal.named("answer_wanted")
    assert event.metadata["answer"].endswith("r-1.answer.md")


async def test_a_question_that_is_given_up_takes_its_file_along(tmp_path):
    one = ManualProvider(tmp_path, RecordingJournal())
    with anyio.move_on_after(0.1):
        await one.complete(REQUEST)
    assert [*tmp_path.iterdir()] == []
