"""The data of a result, as the kit passes it to views."""

import json

import pytest

from genui_core.domain.prompting.learned_shape import data_of


def text(value):
    return {"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}


@pytest.mark.parametrize(
    ("result", "data"),
    [
        ({"structuredContent": {"a": 1}, "content": [text({"b": 2})]}, {"a": 1}),
        ({"structuredContent": {"result": [{"a": 1}]}, "content": []}, {"result": [{"a": 1}]}),
        ({"structuredContent": {}, "content": [text("words"), text([1])]}, [1]),
        ({"content": [text({"a": 1}), text({"a": 2})]}, [{"a": 1}, {"a": 2}]),
        ({"content": [text("12"), text("words"), {"type": "image"}]}, None),
        ({"content": "words"}, None),
        ({"isError": True, "structuredContent": {"a": 1}}, None),
        (None, None),
    ],
)
def test_the_data_of_a_result_are_those_that_a_view_gets(result, data):
    assert data_of(result) == data
