"""Stories come from files, or are made to fit the schemas of real and odd tools."""

import json
from pathlib import Path

import pytest

from genui_cli.check.stories import Story, misfit, read_stories, sample, sampled
from genui_cli.cli_error import CliError

TEXT = {"content": [{"type": "text", "text": "done"}]}


@pytest.mark.parametrize(
    "content",
    ["{", "[]", {"tool": "a"}, {"tool": "a", "result": TEXT, "error": {}}, {"tool": 1, "result": TEXT},
     {"tool": "a", "arguments": [], "result": TEXT}],
)  # fmt: skip
def test_a_file_that_is_no_story_is_an_error_that_names_it(tmp_path: Path, content: object) -> None:
    (tmp_path / "odd.json").write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(CliError, match=r"odd\.json"):
        read_stories(tmp_path)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CliError, match="is no folder"):
        read_stories(tmp_path / "nowhere")


def test_stories_are_read_in_order_with_the_names_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(json.dumps({"tool": "t", "error": {"message": "no"}}))
    (tmp_path / "a.json").write_text(json.dumps({"tool": "t", "name": "one", "result": TEXT}))
    assert [(each.name, each.values) for each in read_stories(tmp_path)] == [("one", ["done"]), ("b", ["no"])]


def test_shown_texts_exclude_fields_that_only_the_protocol_needs() -> None:
    result = {
        "content": [{"type": "text", "text": "t"}],
        "structuredContent": {"rows": [{"n": 4, "on": True}]},
    }
    assert Story("t", "n", {}, result).values == ["4"]
    image = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    resource = {"type": "resource", "resource": {"uri": "demo:a", "blob": "AAAA"}}
    assert Story("t", "n", {}, {"content": [image, resource]}).values == ["demo:a"]


NODE = {"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#/$defs/node"}}}
SCHEMAS = (
    {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "minLength": 9}, "b": {}}},
    {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": 2}}},
    {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": ["null", "string"], "format": "date"}},
    },
    {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"anyOf": [{"enum": ["x"]}, {"type": "null"}]}},
    },
    {"type": "object", "required": ["a"], "properties": {"a": {"type": "array", "minItems": 3, "items": {}}}},
    {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "exclusiveMinimum": 4}}},
    {"type": "object", "required": ["a"], "properties": {"a": {"type": "number", "maximum": -2}}},
    {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"$ref": "#/$defs/~1"}},
        "$defs": {"/": {"const": 3}},
    },
    {"type": "object", "required": ["a"], "properties": {"a": {"type": "boolean"}}},
)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_sample_fits_its_schema(schema: dict[str, object]) -> None:
    assert misfit(sample(schema), schema) is None
    assert misfit(sample(schema, whole=True), schema) is None


def test_a_schema_that_contains_itself_ends() -> None:
    assert "next" in sample({**NODE, "$defs": {"node": NODE}})


def test_a_tool_without_schemas_still_has_a_story() -> None:
    story = sampled("t", {"inputSchema": True})
    assert (story.arguments, story.values) == ({}, ["This text is a sample result."])


def test_data_that_do_not_fit_a_schema_are_described_and_odd_schemas_are_skipped() -> None:
    assert misfit({"a": "x"}, SCHEMAS[5]) == "$.a: 'x' is not of type 'integer'"
    assert misfit({}, {"type": 3}) is None
    assert misfit({"a": 1}, {"properties": {"a": {"$ref": "https://example.org/none"}}}) is None
