"""Shapes of results that passed by: never a value, always a fit."""

import json

from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.prompting.learned_shape import merged_shapes, shape_of

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
