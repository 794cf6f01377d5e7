"""The rules that classify a tool as rich by its definition and shape (requirement G2)."""

import pytest

from genui_core.domain.tools.classification import UiType, classify
from genui_core.domain.tools.tool import Tool


def tool(output=None, **annotations):
    definition = {"name": "t", "inputSchema": {"type": "object"}, "annotations": annotations}
    return Tool(definition if output is None else {**definition, "outputSchema": output})


@pytest.mark.parametrize(
    "output",
    [
        {"type": "object", "properties": {"rows": {"type": "array"}}},
        {"type": "object", "properties": {"total": {"type": "integer"}}},
        {"type": "object", "properties": {"a": {"anyOf": [{"type": "null"}, {"type": "number"}]}}},
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/a"}},
            "$defs": {"a": {"type": ["number", "null"]}},
        },
    ],
)
def test_lists_and_numbers_are_worth_drawing(output):
    assert classify(tool(output)) is UiType.RICH


def test_a_shape_seen_in_results_counts_like_a_declared_one():
    assert classify(tool(), {"type": "array", "items": {"type": "string"}}) is UiType.RICH


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "object", "properties": {name: {"type": "string"} for name in "abcd"}},
        {
            "type": "object",
            "properties": {
                "from": {"type": "object", "properties": {"zone": {"type": "string"}}},
                "state": {"type": "string"},
            },
        },
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "string", "format": "fields"},
        {"type": "string", "format": "markdown", "parts": ["table"]},
        {"type": "object", "properties": {"result": {"type": "string", "format": "diff"}}},
        {"type": "string", "format": "text with json", "contentSchema": {"type": "array"}},
    ],
    ids=["four fields", "a nested object", "a map", "labels", "a table", "a diff inside", "JSON inside"],
)
def test_structure_is_worth_drawing_where_it_was_seen_or_declared(shape):
    assert classify(tool(), shape) is UiType.RICH


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "object", "properties": {"status": {"type": "string"}, "message": {"type": "string"}}},
        {"type": "object", "properties": {"result": {"type": "object", "properties": {"ok": {}}}}},
        {"type": "string", "format": "markdown", "lines": ["# Summary"]},
        {"type": "string", "format": "text with json", "contentSchema": {"type": "object"}},
    ],
    ids=["a confirmation", "a wrapped confirmation", "a document", "an empty object inside"],
)
def test_a_confirmation_or_a_document_decides_nothing(shape):
    assert classify(tool(), shape) is UiType.UNDETERMINED


def test_flags_alone_need_no_more_than_the_minimal_view():
    flags = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    assert classify(tool(flags)) is UiType.MINIMAL
    assert classify(tool(flags), {"type": "array"}) is UiType.RICH


def test_what_a_tool_destroys_says_nothing_about_its_result():
    rows = {"type": "object", "properties": {"rows": {"type": "array"}}}
    assert classify(tool(rows, destructiveHint=True)) is UiType.RICH
    assert classify(tool(destructiveHint=True)) is UiType.UNDETERMINED


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("list_orders", UiType.RICH),
        ("searchBooks", UiType.RICH),
        ("github.search-issues", UiType.RICH),
        ("query", UiType.RICH),
        ("mcp_find_rows", UiType.RICH),
        ("listen", UiType.UNDETERMINED),
        ("research_topic", UiType.UNDETERMINED),
        ("get_order", UiType.UNDETERMINED),
        ("delete_list", UiType.RICH),
    ],
)
def test_a_name_that_promises_a_list_decides_where_no_output_is_declared(name, kind):
    assert classify(Tool({"name": name, "inputSchema": {"type": "object"}})) is kind
    text = {"type": "object", "properties": {"result": {"type": "string"}}}
    declared = Tool({"name": name, "inputSchema": {"type": "object"}, "outputSchema": text})
    assert classify(declared) is UiType.UNDETERMINED


@pytest.mark.parametrize(
    "output",
    [
        None,
        {"type": "object"},
        {"type": "object", "additionalProperties": True},
        {"type": "object", "properties": {"result": {"type": "string"}}},
        {"type": 7},
        {"type": ["string", 3]},
    ],
)
def test_a_text_an_open_object_or_nothing_at_all_decides_nothing(output):
    assert classify(tool(output)) is UiType.UNDETERMINED
