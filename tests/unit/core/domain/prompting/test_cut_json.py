"""`cut_json` shortens JSON to a length: the result is JSON, and texts are cut before structure."""

import json

from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.prompting.cut_json import cut_json, without_noise

TEXT = st.text(max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(TEXT, inner, max_size=8),
    max_leaves=60,
)


@given(VALUES, st.integers(40, 400))
def test_cut_json_fits_the_limit_and_is_json(value, limit):
    text = cut_json(value, limit)
    json.loads(text)
    assert len(text) <= limit


@given(VALUES)
def test_a_value_that_fits_is_not_cut(value):
    assert json.loads(cut_json(value, 1_000_000)) == value


def test_texts_are_cut_before_structure():
    schema = {
        "type": "object",
        "description": "x" * 3000,
        "properties": {
            "title": {"type": "string", "description": "y" * 3000},
            "examples": {"type": "array", "examples": ["z" * 900], "items": {"type": "integer"}},
        },
        "required": ["title"],
    }
    cut = json.loads(cut_json(schema, 200))
    assert cut["properties"] == {
        "title": {"type": "string"},
        "examples": {"type": "array", "items": {"type": "integer"}},
    }
    assert cut["required"] == ["title"]


def test_long_words_are_shortened_where_that_is_enough():
    cut = json.loads(cut_json({"type": "object", "description": "x" * 3000}, 400))
    assert cut["description"].startswith("xxx")
    assert cut["description"].endswith("…")


def test_a_lone_surrogate_does_not_stop_cutting():
    cut_json({"a": "\ud800"}, 100).encode()


def test_keywords_that_do_not_help_to_write_a_view_are_removed_as_noise():
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "find_ordersArguments",
        "type": "object",
        "properties": {
            "order_id": {"title": "Order Id", "type": "string", "default": None},
            "title": {"title": "Heading", "type": "string", "examples": ["°C"], "description": "d" * 300},
        },
        "required": ["title"],
        "additionalProperties": False,
        "$defs": {"Row": {"title": "Row", "type": "object", "additionalProperties": {"title": "x"}}},
    }
    assert without_noise(schema) == {
        "type": "object",
        "properties": {
            "order_id": {"type": "string"},
            "title": {
                "title": "Heading",
                "type": "string",
                "examples": ["°C"],
                "description": "d" * 200 + "…",
            },
        },
        "required": ["title"],
        "$defs": {"Row": {"type": "object", "additionalProperties": {}}},
    }


def test_values_that_look_like_noise_stay():
    schema = {"enum": [{"title": "a", "$schema": "b"}], "const": {"default": None}, "default": {"title": "c"}}
    assert without_noise(schema) == schema


@given(VALUES)
def test_any_schema_can_be_read_without_noise(value):
    json.dumps(without_noise(value))
