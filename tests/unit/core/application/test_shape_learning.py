"""What results look like is learned on the way, and nothing of what they say unless that is allowed."""

import json

import pytest

from genui_core.domain.settings import Settings
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.studio_line import StudioAtOnce

RESULT = b'{"content":[{"type":"text","text":"{\\"rows\\": [{\\"city\\": \\"Oslo-77\\", \\"degrees\\": 1.0}]}"}],"x":null}'


@pytest.fixture
def wrapped(wire):
    """A connection whose wrapper has a model, and knows the tool read_rows."""

    def connected(**settings):
        one = wire(**settings)
        one.wrapper._making.llm = ScriptedProvider.saying(["unused"])
        one.wrapper.studio = StudioAtOnce(one.wrapper)
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
    return one.wrapper.facts(one.wrapper.tool("read_rows"))


def test_a_result_passes_as_the_same_bytes_and_leaves_its_shape_behind(wrapped):
    one = call(wrapped())
    shape = facts(one).learned_shape
    assert shape["properties"]["rows"]["items"]["properties"] == {
        "city": {"type": "string"},
        "degrees": {"type": "number"},
    }
    assert "Oslo-77" not in json.dumps(shape)
    assert facts(one).examples == ()


def test_values_are_kept_where_that_is_allowed(wrapped):
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


def test_three_results_are_enough(wrapped):
    one = wrapped()
    for _ in range(3):
        call(one)
    assert one.wrapper.learning_from("read_rows") is None


@pytest.mark.parametrize(
    "result",
    [
        b'{"content":[{"type":"text","text":"{\\"a\\":1}"}],"isError":true}',
        b'{"content":[{"type":"text","text":"plain words"}]}',
        b'{"content":7,"structuredContent":{}}',
        b'{"content":[{"type":"text","text":"12"}]}',
        b"[]",
    ],
)
def test_errors_words_and_odd_results_tell_nothing(wrapped, result):
    assert facts(call(wrapped(), result)).learned_shape is None


def test_a_tool_that_became_another_is_learned_anew(wrapped):
    one = call(wrapped())
    one.list_tools("read_rows", inputSchema={"type": "object", "required": []})
    assert facts(one).learned_shape is None


def test_without_a_model_nothing_is_looked_at(wire):
    one = wire().connect()
    one.list_tools("read_rows", inputSchema={"type": "object"})
    assert one.wrapper.settings == Settings()
    assert one.wrapper.learning_from("read_rows") is None
