"""Learned shapes hold no value, and every learned result fits its shape."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.prompting.learned_shape import merged_shapes, shape_of, sketch
from genui_core.domain.prompting.text_structure import safe_shape

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
def test_a_shape_holds_no_value(one, other):
    assert SECRET not in json.dumps(merged_shapes(shape_of(one), shape_of(other)))


@given(VALUES, VALUES)
def test_two_shapes_merge_to_the_same_either_way(one, other):
    first, second = (
        merged_shapes(shape_of(one), shape_of(other)),
        merged_shapes(shape_of(other), shape_of(one)),
    )
    assert json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


@given(VALUES)
def test_the_same_result_again_changes_no_shape(value):
    shape = shape_of(value)
    assert merged_shapes(shape, shape) == shape


def test_a_shape_has_names_types_formats_and_lengths():
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
                        "n": {"type": ["integer", "number"], "digits": 1, "decimals": 1},
                        "site": {"type": "string", "format": "uri"},
                    },
                },
            }
        },
    }


def test_a_shape_has_no_names_that_are_data():
    by_id = {f"user-{number}": {"age": number} for number in range(200)}
    shape = shape_of(by_id)
    assert "user-" not in json.dumps(shape)
    assert shape["additionalProperties"]["properties"] == {"age": {"type": "integer", "digits": 2}}


@pytest.mark.parametrize(
    "name",
    ["ada@example.org", "42", "-3.5", "2026-05-04", "2026-05-04T09:30", "https://example.org/a", "/home/ada/notes.txt",
     "6f1c2a9e-7b0d-4c11-9d5e-1a2b3c4d5e6f", "INV-2026004711", "C:\\\\notes.txt"],
)  # fmt: skip
def test_a_name_that_is_a_value_is_replaced_by_the_shape_behind_it(name):
    shape = shape_of({"total": 1, name: {"score": 2}})
    assert shape["properties"] == {"total": {"type": "integer", "digits": 1}}
    assert shape["additionalProperties"] == {
        "type": "object",
        "properties": {"score": {"type": "integer", "digits": 1}},
    }
    assert name not in str(shape)


@pytest.mark.parametrize(
    "name", ["title", "created_at", "$ref", "h264", "2fa_enabled", "Total Cost", "größe", "top10", "sha256"]
)
def test_a_shape_has_the_name_of_a_field(name):
    assert name in shape_of({name: 1})["properties"]


def test_rows_by_the_names_of_people_are_a_table():
    row = {"score": 2, "team": "x"}
    shape = shape_of(dict.fromkeys(("Ada", "Grace", "Alan", "Edsger"), row))
    assert "properties" not in shape
    assert set(shape["additionalProperties"]["properties"]) == {"score", "team"}
    assert set(shape_of({"min": {"x": 1}, "max": {"x": 2}})["properties"]) == {"min", "max"}


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (
            {"id": "A-1", "size": "12 kB", "n": -1500, "share": 0.25},
            '{id: text≤3, size: text≤5 built ["0 kB"], n: 0000, share: 0.00}',
        ),
        ([{"a": None}, {"a": True}], "[{a: true or false or null}]*2"),
        ([{"day": "2026-05-04"}, {"day": "2026-05-05"}], "[{day: date}]*2"),
        ({"two words": [], "more": {}}, '{"two words": []*0, more: {}}'),
        ([1, 2.5, 40], "[00.0]*3"),
        ({"note": "one\ntwo"}, '{note: text≤7 lines ["one","two"]}'),
        ('{"a": [1]}', "JSON in a text: {a: [0]*1}"),
        ({"x": 1e300, "y": float("inf")}, "{x: 000000000000.0, y: 0.0}"),
        ({"z": -(10**5000)}, "{z: 000000000000}"),
        (None, "null"),
    ],
)
def test_a_sketch_looks_like_an_example(value, wanted):
    assert sketch(shape_of(value), 200) == wanted


def test_a_sketch_tells_the_words_of_states_and_how_many_kinds_there_are():
    rows = [{"state": ("open", "closed")[at % 2], "team": f"team {'abc'[at % 3]}"} for at in range(9)]
    told = sketch(safe_shape(shape_of(rows), "{}"), 200)
    assert told == '[{state: text≤6 one of ["closed","open"], team: text≤6 of 3 kinds}]*9'


def test_texts_that_all_differ_are_of_no_kind():
    rows = [{"name": name} for name in ("Ada", "Bob", "Cleo", "Dan")]
    assert sketch(safe_shape(shape_of(rows), "{}"), 200) == "[{name: text≤4}]*4"


@given(VALUES, st.integers(min_value=2, max_value=60))
def test_a_sketch_is_no_longer_than_it_may_be(value, most):
    assert len(sketch(shape_of(value), most)) <= most


@pytest.mark.parametrize("shape", [None, 7, {}, {"type": 7}, {"type": "unknown"}])
def test_a_value_that_is_no_shape_has_an_empty_sketch(shape):
    assert sketch(shape, 50) == "…"
