"""The provider `replay`, which answers from files, and the rules for these files."""

import json

import pytest

from genui_adapters.llm.replay import BrokenRecording, ReplayProvider
from genui_core.domain.generation.completion import CompletionRequest
from genui_core.errors import ProviderFailed

pytestmark = pytest.mark.anyio


def asking(prompt="Write the view.\nof read_rows"):
    return CompletionRequest(system="s", prompt=prompt, max_tokens=10, request_id="r")


def record(folder, name, **data):
    (folder / f"{name}.json").write_text(json.dumps(data))


async def test_the_first_recording_that_fits_answers_and_each_answers_once(tmp_path):
    record(tmp_path, "1", when=["other"], text="no")
    record(tmp_path, "2", when=["read_rows"], text="first")
    record(tmp_path, "3", when=["read_rows"], text="second")
    one = ReplayProvider(tmp_path)
    texts = [(await one.complete(asking())).text for _ in range(3)]
    assert texts == ["first", "second", "second"]


async def test_an_answer_comes_in_pieces(tmp_path):
    record(tmp_path, "1", text="x" * 1000)
    pieces = []
    await ReplayProvider(tmp_path).complete(asking(), pieces.append)
    assert len(pieces) == 3
    assert "".join(pieces) == "x" * 1000


async def test_a_request_without_a_recording_is_an_error(tmp_path):
    with pytest.raises(ProviderFailed, match=r"no recording for: Write the view\."):
        await ReplayProvider(tmp_path).complete(asking())


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"when": "x", "text": "y"}',
        '{"when": [1], "text": "y"}',
        "{}",
        '{"text": "y", "finish": "length"}',
    ],
)
async def test_a_file_that_is_no_recording_is_an_error_that_names_it(tmp_path, content):
    (tmp_path / "odd.json").write_text(content)
    with pytest.raises(BrokenRecording, match=r"odd\.json"):
        await ReplayProvider(tmp_path).complete(asking())
    with pytest.raises(BrokenRecording, match="no such folder"):
        await ReplayProvider(tmp_path / "none").complete(asking())
