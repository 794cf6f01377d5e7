"""Which build of the kit a page carries."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.pages.generated_page import has_plain_schemas, is_plain_data, is_plain_form
from genui_core.domain.tools.tool import Tool

NULL = {"type": "null"}
PLAIN_FIELDS = [
    {"type": "string"},
    {"type": "string", "minLength": 1, "maxLength": 9, "default": "a", "title": "A", "x-order": 1},
    {"type": "integer", "minimum": 0, "maximum": 9, "description": "How many"},
    {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5, "examples": [0.5]},
    {"type": "boolean", "deprecated": True},
    {"enum": ["a", 1, None]},
    {"const": "a"},
    {"type": ["string", "null"]},
    {"type": ["null", "integer"], "default": None},
    {"anyOf": [{"type": "string", "enum": ["a"]}, NULL], "default": None, "title": "A"},
    {"description": "Anything"},
    {},
]
OTHER_FIELDS = [
    True,
    {"type": "object"},
    {"type": "object", "properties": {"a": {"type": "string"}}},
    {"type": "array"},
    {"type": "array", "items": {"type": "string"}},
    {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1, "uniqueItems": True},
    {"anyOf": [{"type": "array", "items": {"enum": ["a"]}}, NULL]},
    {"type": "array", "items": {"enum": ["a", None]}},
    {"type": "array", "items": {"type": ["string"], "enum": ["a"]}},
    {"type": "array", "items": {"enum": ["a"]}, "enum": [["a"]]},
    {"type": "array", "items": [{"enum": ["a"]}]},
    {"type": "string", "format": "date"},
    {"type": "string", "pattern": "^a"},
    {"type": ["string", "integer"]},
    {"type": ["string", "integer", "null"]},
    {"type": "null"},
    {"type": 7},
    {"type": [["string"], "null"]},
    {"minimum": 1},
    {"enum": [f"value {number}" for number in range(41)]},
    {"enum": [{"a": 1}]},
    {"enum": [None]},
    {"enum": []},
    {"enum": "a"},
    {"const": None},
    {"const": float("inf")},
    {"$ref": "#/$defs/a"},
    {"allOf": [{"type": "string"}]},
    {"oneOf": [{"type": "string"}, NULL]},
    {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    {"anyOf": [NULL, {"type": "string"}]},
    {"anyOf": [{"type": "string"}, NULL, {"type": "integer"}]},
    {"anyOf": [{"type": "string"}, NULL], "type": "string"},
    {"anyOf": [{"anyOf": [{"type": "string"}, NULL]}, NULL]},
    {"anyOf": [{"type": ["string", "null"]}, NULL]},
    {"anyOf": [{"enum": ["a"]}, NULL]},
    {"type": "string", "if": {}, "then": {}},
    {"type": "string", "a keyword that is new": 1},
]


def form(field, **more):
    return {"type": "object", "properties": {"a": field}, **more}


@pytest.mark.parametrize("field", PLAIN_FIELDS, ids=json.dumps)
def test_an_argument_of_single_values_is_plain(field):
    assert is_plain_form(form(field, required=["a"], additionalProperties=False))


@pytest.mark.parametrize("field", OTHER_FIELDS, ids=json.dumps)
def test_any_other_argument_needs_the_whole_kit(field):
    assert not is_plain_form(form(field))


@pytest.mark.parametrize(
    "schema",
    [
        {},
        [],
        "object",
        {"type": "string"},
        {"type": ["object", "null"]},
        {"properties": {}},
        {"type": "object", "properties": []},
        {"type": "object", "required": "a"},
        {"type": "object", "required": ["a", "a"]},
        {"type": "object", "required": [1]},
        {"type": "object", "additionalProperties": True},
        {"type": "object", "additionalProperties": {}},
        {"type": "object", "minProperties": 1},
        {"type": "object", "$defs": {}},
        {"type": "object", "anyOf": []},
        {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(201)}},
    ],
    ids=lambda schema: json.dumps(schema)[:60],
)
def test_arguments_of_any_other_shape_need_the_whole_kit(schema):
    assert not is_plain_form(schema)


def test_a_tool_without_arguments_is_plain():
    assert is_plain_form(None)
    assert is_plain_form({"type": "object", "properties": {}, "$schema": "https://example.com", "title": "A"})


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object"}}}},
        {"type": "object", "additionalProperties": {"type": ["number", "null"]}, "x-wrapped": True},
        {"properties": {"a": {"anyOf": [{"type": "object", "properties": {"b": {}}}, NULL], "title": "A"}}},
        {"type": "string", "format": "date-time", "pattern": "^2"},
    ],
    ids=json.dumps,
)
def test_results_of_nested_objects_and_lists_are_plain(schema):
    assert is_plain_data(schema)


@pytest.mark.parametrize(
    "part",
    [
        {"$ref": "#"},
        {"oneOf": [{"type": "string"}]},
        {"prefixItems": [{}]},
        {"items": [{}]},
        {"items": True},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "file"},
        {"additionalProperties": {"allOf": []}},
        7,
    ],
    ids=json.dumps,
)
@pytest.mark.parametrize("depth", [0, 1, 3])
def test_results_with_references_or_alternatives_need_the_whole_kit(part, depth):
    for _ in range(depth):
        part = {"type": "object", "properties": {"a": {"type": "array", "items": part}}}
    assert not is_plain_data(part)
    assert not has_plain_schemas(Tool({"name": "a", "outputSchema": part}))


def test_a_schema_of_many_levels_needs_the_whole_kit():
    schema = {}
    for _ in range(100_000):
        schema = {"items": schema}
    assert not is_plain_data(schema)
    assert not is_plain_form(form(schema))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["object", "string", "null", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "properties",
                    "items",
                    "enum",
                    "const",
                    "anyOf",
                    "required",
                    "additionalProperties",
                    "a",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_no_schema_makes_the_decision_fail(schema):
    is_plain_form(schema)
    is_plain_form(form(schema))
    is_plain_data(schema)
