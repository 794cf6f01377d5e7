"""The wrapper learns the shapes of passing results, and stores values only if that is allowed (requirement G1)."""

import json

import pytest
from generation_workers import WorkerAtOnce

from genui_core.domain.settings.settings import Settings
from genui_core.testing.llm_provider import ScriptedProvider

RESULT = b'{"content":[{"type":"text","text":"{\\"rows\\": [{\\"city\\": \\"Oslo-77\\", \\"degrees\\": 1.0}]}"}],"x":null}'


@pytest.fixture
def wrapped(wire):
    """A connection whose wrapper has a model and has listed the tool read_rows."""

    def connected(**settings):
        one = wire(ScriptedProvider.saying(["unused"]), WorkerAtOnce, **settings)
        one.connect()
        one.list_tools("read_rows", inputSchema={"type": "object"})
        return one

    return connected


def call(one, result=RESULT):
    asked = one.ask("tools/call", {"name": "read_rows", "arguments": {}})
    line = b'{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (asked, result)
    one.relay.upstream_sent(line)
    got = b"".join(one.relay.to_host)
    one.relay.to_host.clear()
    assert got == line
    return one


def facts(one):
    return one.views.facts(one.views.tools.tool("read_rows"))


def test_a_result_is_forwarded_as_the_same_bytes_and_its_shape_is_learned(wrapped):
    one = call(wrapped())
    shape = facts(one).learned_shape
    assert shape["properties"]["rows"]["items"]["properties"] == {
        "city": {"type": "string", "maxLength": 7},
        "degrees": {"type": "number", "digits": 1, "decimals": 1},
    }
    assert "Oslo-77" not in json.dumps(shape)
    assert facts(one).examples == ()


def text_result(text):
    return json.dumps({"content": [{"type": "text", "text": text}]}).encode()


def test_the_format_and_names_of_a_structured_text_are_learned(wrapped):
    one = call(wrapped(), text_result("Author: Oslo-77\nDate: Oslo-77\nMessage: Oslo-77\n"))
    learned = facts(one).learned_shape
    assert (learned["format"], learned["lines"]) == ("fields", ["Author: …", "Date: …", "Message: …"])
    assert "Oslo" not in json.dumps(learned)


def test_names_in_a_text_that_may_be_values_reach_no_prompt(without_model):
    one = call(without_model, text_result("Oslo: x\nBergen: y\nAuthor: z\n# Trondheim\n"))
    prompt = prompt_of(one)
    assert 'lines ["Author: …"]' in prompt
    assert all(each not in prompt for each in ("Oslo", "Bergen", "Trondheim"))


def test_the_first_shape_and_the_first_with_something_to_draw_are_announced(wrapped):
    one, announced = wrapped(), []
    one.views.shapes._when_first_shape = announced.append
    words = b'{"content":[],"structuredContent":{"message":"nothing found"}}'
    text = b'{"content":[{"type":"text","text":"plain words"}]}'
    for result, count in ((text, 0), (words, 1), (RESULT, 2)):
        call(one, result)
        assert announced == ["read_rows"] * count


def test_values_are_stored_if_that_is_allowed(wrapped):
    one = call(wrapped(share_result_values=True))
    assert facts(one).examples == ({"rows": [{"city": "Oslo-77", "degrees": 1.0}]},)


def test_later_results_widen_the_shape(wrapped):
    one = call(wrapped())
    call(one, b'{"content":[],"structuredContent":{"rows":[{"city":null,"wind":3}]}}')
    assert set(facts(one).learned_shape["properties"]["rows"]["items"]["properties"]) == {
        "city",
        "degrees",
        "wind",
    }


def test_a_shape_is_learned_from_three_results(wrapped):
    one = wrapped()
    for _ in range(3):
        call(one)
    assert one.views.learning_from("read_rows") is None


@pytest.mark.parametrize(
    "result",
    [
        b'{"content":[{"type":"text","text":"{\\"a\\":1}"}],"isError":true}',
        b'{"content":[{"type":"text","text":" "}]}',
        b'{"content":7,"structuredContent":{}}',
        b"[]",
    ],
)
def test_errors_and_empty_results_give_no_shape(wrapped, result):
    assert facts(call(wrapped(), result)).learned_shape is None


def test_an_error_counts_as_no_result_and_a_too_long_result_counts_but_gives_no_shape(wrapped):
    one = wrapped()
    learning = one.views.shapes
    for _ in range(5):
        asked = one.ask("tools/call", {"name": "read_rows", "arguments": {}})
        one.relay.upstream_sent(b'{"jsonrpc":"2.0","id":%d,"error":{"code":1,"message":"no"}}\n' % asked)
        one.relay.to_host.clear()
    assert learning.wants("read_rows")
    for _ in range(3):
        call(one, text_result("x" * 1_000_001))
    assert not learning.wants("read_rows")
    assert facts(one).learned_shape is None


def test_a_result_that_says_error_somewhere_is_a_result(wrapped):
    one = call(wrapped(), b'{"content":[],"structuredContent":{"error":"none","rows":[1.5]}}')
    assert set(facts(one).learned_shape["properties"]) == {"error", "rows"}


def test_the_shape_of_a_changed_tool_is_learned_again(wrapped):
    one = call(wrapped())
    one.list_tools("read_rows", inputSchema={"type": "object", "required": []})
    assert facts(one).learned_shape is None


class NeverAsked(WorkerAtOnce):
    """A generation worker that fails the test if it gets work."""

    def run(self, *_words):
        raise AssertionError("the generation worker was asked")


@pytest.fixture
def without_model(wire):
    """A connection whose wrapper has no model and has listed the tool read_rows."""
    one = wire().connect()
    one.list_tools("read_rows", inputSchema={"type": "object"})
    assert one.views.settings == Settings()
    one.views.worker = NeverAsked(one.views)
    return one


def prompt_of(one):
    one.views.worker = WorkerAtOnce(one.views)
    one.ask("tools/call", {"name": "_ui_prompt", "arguments": {"toolName": "read_rows"}})
    return one.host_got()[0]["result"]["structuredContent"]["prompt"]


def test_without_a_model_the_prompt_for_the_host_holds_the_learned_shape(without_model):
    one = call(without_model)
    prompt = prompt_of(one)
    assert "Shape of earlier results" in prompt
    assert "degrees: 0.0" in prompt
    assert "Oslo-77" not in prompt


def test_without_a_model_results_of_later_calls_widen_the_shape_as_well(without_model):
    one = call(without_model)
    call(one, b'{"content":[],"structuredContent":{"rows":[{"city":null,"wind":3}]}}')
    assert "wind: 0}" in prompt_of(one)


def test_without_a_model_results_that_came_as_data_are_held_as_well(without_model):
    learning, run = without_model.views.shapes, without_model.views.worker.run
    learning.see("read_rows", json.loads(RESULT), run)
    learning.see("read_rows", {"structuredContent": {"no JSON": object()}}, run)
    assert len(learning._held["read_rows"]) == 1
    assert "degrees: 0.0" in prompt_of(without_model)


def test_without_a_model_three_results_are_looked_at_and_no_result_is_kept(without_model):
    one = without_model
    for _ in range(5):
        call(one)
    learning = one.views.shapes
    assert len(learning._held["read_rows"]) == 3
    assert facts(one).learned_shape
    assert (learning._held, learning._held_characters) == ({}, 0)


def test_without_a_model_the_memory_for_results_is_limited(without_model):
    one = without_model
    big = b'{"content":[],"structuredContent":{"a":"' + b"x" * 900_000 + b'"}}'
    names = [f"tool_{number}" for number in range(6)]
    one.list_tools(*names, inputSchema={"type": "object"})
    for name in names:
        one.relay.upstream_sent(
            b'{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (one.ask("tools/call", {"name": name}), big)
        )
        one.relay.to_host.clear()
    held = one.views.shapes._held
    assert 0 < sum(len(each) for texts in held.values() for each in texts) <= 4_000_000


def test_a_call_is_under_way_until_it_is_answered_cancelled_or_lost(wrapped):
    one = wrapped()
    learning = one.views.shapes

    def under_way():
        return learning.is_under_way("read_rows")

    assert not under_way()
    first, second = (one.ask("tools/call", {"name": "read_rows"}) for _ in range(2))
    assert under_way()
    one.answer(first, {"content": []})
    assert under_way()
    one.answer(second, error={"code": 1, "message": "no"})
    assert not under_way()
    third = one.ask("tools/call", {"name": "read_rows"})
    assert under_way()
    one.host_says({"method": "notifications/cancelled", "params": {"requestId": third}})
    assert not under_way()
    one.ask("tools/call", {"name": "read_rows"})
    assert under_way()
    one.supervision.ended()
    assert not under_way()
