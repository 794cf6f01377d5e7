"""Shapes of results that passed by: never a value, always a fit."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.prompting.learned_shape import beyond_schema, merged_shapes, shape_of

SECRET = "canary-4711"
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=10).map(lambda text: SECRET + text),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from("abcdef"), inner, max_size=6),
    max_leaves=30,
)


@given(VALUES, VALUES)
def test_no_value_is_kept(one, other):
    assert SECRET not in json.dumps(merged_shapes(shape_of(one), shape_of(other)))


@given(VALUES, VALUES)
def test_two_shapes_merge_to_the_same_either_way(one, other):
    first, second = (
        merged_shapes(shape_of(one), shape_of(other)),
        merged_shapes(shape_of(other), shape_of(one)),
    )
    assert json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


@given(VALUES)
def test_the_same_again_changes_nothing(value):
    shape = shape_of(value)
    assert merged_shapes(shape, shape) == shape


def test_names_types_formats_and_lengths_are_told():
    assert shape_of(
        {"rows": [{"when": "2026-01-01T00:00:00Z", "n": 1}, {"n": 2.5, "site": "https://a.example/b"}]}
    ) == {
        "type": "object",
        "properties": {
            "rows": {
                "type": "array",
                "maxItems": 2,
                "items": {
                    "type": "object",
                    "properties": {
                        "when": {"type": "string", "format": "date-time"},
                        "n": {"type": ["integer", "number"]},
                        "site": {"type": "string", "format": "uri"},
                    },
                },
            }
        },
    }


def test_names_that_are_data_are_not_told():
    by_id = {f"user-{number}": {"age": number} for number in range(200)}
    shape = shape_of(by_id)
    assert "user-" not in json.dumps(shape)
    assert shape["additionalProperties"]["properties"] == {"age": {"type": "integer"}}


@pytest.mark.parametrize(
    "name",
    ["ada@example.org", "42", "-3.5", "2026-05-04", "2026-05-04T09:30", "https://example.org/a", "/home/ada/notes.txt",
     "6f1c2a9e-7b0d-4c11-9d5e-1a2b3c4d5e6f", "INV-2026004711", "C:\\\\notes.txt"],
)  # fmt: skip
def test_a_name_that_is_a_value_is_told_as_what_it_leads_to(name):
    shape = shape_of({"total": 1, name: {"score": 2}})
    assert shape["properties"] == {"total": {"type": "integer"}}
    assert shape["additionalProperties"] == {"type": "object", "properties": {"score": {"type": "integer"}}}
    assert name not in str(shape)


@pytest.mark.parametrize(
    "name", ["title", "created_at", "$ref", "h264", "2fa_enabled", "Total Cost", "größe", "top10", "sha256"]
)
def test_a_name_of_a_field_is_told(name):
    assert name in shape_of({name: 1})["properties"]


def test_rows_by_the_names_of_people_are_a_table():
    row = {"score": 2, "team": "x"}
    shape = shape_of(dict.fromkeys(("Ada", "Grace", "Alan", "Edsger"), row))
    assert "properties" not in shape
    assert set(shape["additionalProperties"]["properties"]) == {"score", "team"}
    assert set(shape_of({"min": {"x": 1}, "max": {"x": 2}})["properties"]) == {"min", "max"}


DECLARED = {
    "type": "object",
    "properties": {
        "rows": {"type": "array", "items": {"$ref": "#/$defs/Row"}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "extra": {"type": "object"},
        "anything": {},
    },
    "$defs": {
        "Row": {"type": "object", "properties": {"id": {"type": "integer"}, "text": {"type": "string"}}}
    },
}


@pytest.mark.parametrize(
    ("value", "beyond"),
    [
        ({"rows": [{"id": 1, "text": "a"}], "note": "b"}, None),
        ({"rows": [], "note": None}, None),
        (
            {"rows": [{"id": 1, "colour": "red"}]},
            {"properties": {"rows": {"items": {"properties": {"colour": {"type": "string"}}}}}},
        ),
        ({"note": "2026-05-04"}, {"properties": {"note": {"format": "date"}}}),
        ({"extra": {"a": 1}}, {"properties": {"extra": {"properties": {"a": {"type": "integer"}}}}}),
        ({"anything": 1}, {"properties": {"anything": {"type": "integer"}}}),
        ({"other": 1}, {"properties": {"other": {"type": "integer"}}}),
        ([1], {"type": "array", "maxItems": 1, "items": {"type": "integer"}}),
    ],
    ids=[
        "as declared",
        "empty",
        "a new field",
        "a format",
        "an open object",
        "no type",
        "a new name",
        "another type",
    ],
)
def test_what_a_shape_tells_beyond_a_declared_schema(value, beyond):
    assert beyond_schema(shape_of(value), DECLARED) == beyond


@pytest.mark.parametrize("schema", [None, True, {}, 7, {"$ref": "#"}, {"$ref": "#/nowhere"}, {"type": 7}])
def test_a_shape_is_told_whole_where_a_schema_says_nothing(schema):
    assert beyond_schema(shape_of({"a": 1}), schema) == shape_of({"a": 1})
