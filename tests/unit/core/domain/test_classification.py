"""Which tools deserve a rich view, as far as their definitions tell."""

import pytest

from genui_core.domain.classification import UiType, classify
from genui_core.domain.tool import Tool


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
    "output", [{"type": "object"}, {"type": "object", "properties": {"ok": {"type": "boolean"}}}]
)
def test_next_to_nothing_needs_no_more_than_the_plain_view(output):
    assert classify(tool(output)) is UiType.MINIMAL


def test_what_destroys_keeps_the_plain_view():
    rows = {"type": "object", "properties": {"rows": {"type": "array"}}}
    assert classify(tool(rows, destructiveHint=True)) is UiType.MINIMAL


@pytest.mark.parametrize(
    "output",
    [
        None,
        {"type": "object", "properties": {"result": {"type": "string"}}},
        {"type": 7},
        {"type": ["string", 3]},
    ],
)
def test_a_text_or_nothing_at_all_decides_nothing(output):
    assert classify(tool(output)) is UiType.UNDETERMINED
