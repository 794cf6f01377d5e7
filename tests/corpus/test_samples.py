"""Sample arguments fit their schemas, and a choice of recorded tools covers every feature."""

import pytest
from features import features_of, spread
from recorded_upstream import without_ui
from recordings import RecordedTool
from samples import complaints, sample_arguments

TREE = {
    "$defs": {"node": {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/node"}}}},
    "properties": {"root": {"$ref": "#/$defs/node"}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "sample"),
    [
        ({"type": "integer", "minimum": 10, "maximum": 12}, 10),
        ({"type": "number", "exclusiveMaximum": 1}, 0.5),
        ({"type": "integer", "multipleOf": 5, "minimum": 1}, 5),
        ({"type": "boolean", "default": True}, False),
        ({"enum": [None, "a", "b"], "default": "a"}, "b"),
        ({"type": "string", "pattern": "^#[0-9a-f]{6}$"}, "#aabbcc"),
        ({"type": "string", "minLength": 8}, "2026-03-14"),
        ({"anyOf": [{"type": "null"}, {"type": "array", "items": {"type": "integer"}}]}, [3]),
        ({"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"const": 1}}}]}, {"a": 1}),
        ({"type": "array", "minItems": 2, "items": {"enum": ["x", "y", "z"]}}, ["x", "y"]),
    ],
)
def test_a_sample_fits_its_schema(schema, sample):
    arguments = sample_arguments({"properties": {"it": schema}})
    assert arguments == {"it": sample}
    assert complaints(arguments, {"properties": {"it": schema}}) == []


def test_a_schema_that_holds_itself_has_a_sample():
    assert sample_arguments(TREE) == {"root": {"name": "Paris"}}


def test_a_property_without_a_plain_value_is_left_out():
    assert sample_arguments({"properties": {"it": {"type": "string", "pattern": "^[ﬀ]{40}$"}}}) == {}


def test_features_are_found_however_deep_they_are():
    schema = {"properties": {"a": {"type": "array", "items": {"properties": {"b": {"format": "uri"}}}}}}
    assert {"format uri", "list of anything"} <= features_of({"name": "t", "inputSchema": schema})
    assert "recursion" in features_of({"name": "t", "inputSchema": TREE})


def test_a_choice_takes_turns_between_servers_and_takes_rare_features_first():
    def tool(server, name, **properties):
        return RecordedTool(server, {"name": name, "inputSchema": {"properties": properties}})

    plain = [tool("large", f"plain_{number}", a={"type": "string"}) for number in range(9)]
    rare = tool("large", "rare", a={"type": "string", "format": "date"}, b={"const": 1})
    small = tool("small", "only")
    assert {each.name for each in spread([*plain, rare, small], 2)} == {"rare", "only"}
    assert len(spread([*plain, rare, small], 5)) == 5
    assert len(spread([small], 5)) == 1


@pytest.mark.parametrize(
    ("meta", "left"),
    [
        ({"ui": {"resourceUri": "ui://own/t", "csp": {}}, "ui/resourceUri": "ui://own/t", "x": 1}, {"ui": {"csp": {}}, "x": 1}),
        ({"openai/outputTemplate": "ui://own/t.html", "openai/toolInvocation": "x"}, {"openai/toolInvocation": "x"}),
        ({"openai/outputTemplate": "ui://own/t.html", "ui": {"resourceUri": "ui://own/t"}}, None),
        ({"ui": {"resourceUri": "ui://own/t"}, "ui/resourceUri": "ui://own/t"}, None),
        (None, None),
    ],
)  # fmt: skip
def test_a_tool_is_replayed_without_its_ui_and_with_all_other_fields(meta, left):
    tool = {"name": "t", "description": "d"}
    replayed = without_ui(tool | ({} if meta is None else {"_meta": meta}))
    assert replayed == tool | ({} if left is None else {"_meta": left})
