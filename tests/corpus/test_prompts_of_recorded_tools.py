"""Prompts over recorded tools: they are short, hold no value of a result, and a rule decides the kind of view."""

import json
import re
from statistics import median

import pytest
from prompt_numbers import has_shape, learned_facts, measure
from recordings import SAMPLE, calls_of, folders, tools_of

from genui_core.domain.tools.classification import UiType
from genui_core.domain.tools.tool import Tool

MOST_TOKENS = 2_400
LEAST_SHARE = 0.6
FEWEST_TOOLS = 10


@pytest.fixture(scope="module", params=["sample", "all"])
def measured(request):
    """Measurements of each tool with a recorded result, of the sample and of all recordings."""
    where = folders(SAMPLE) if request.param == "sample" else folders()
    return [each for folder in where for each in measure(folder)]


def test_a_rule_makes_most_tools_rich_whose_result_has_a_shape(measured):
    shaped = [each for each in measured if each.has_shape]
    assert len(shaped) >= FEWEST_TOOLS
    rich = [each for each in shaped if each.by_shape is UiType.RICH]
    assert len(rich) / len(shaped) >= LEAST_SHARE


def test_a_rule_calls_no_tool_rich_whose_result_is_a_sentence(measured):
    sentences = [
        each for each in measured if not each.has_shape and each.learned in ("", '{"type":"string"}')
    ]
    promising = {each.tool.name for each in sentences if each.by_definition is UiType.RICH}
    assert {each.tool.name for each in sentences if each.by_shape is UiType.RICH} == promising


def test_the_median_prompt_is_short(measured):
    assert median(each.tokens for each in measured) <= MOST_TOKENS


@pytest.mark.parametrize("folder", folders(SAMPLE), ids=lambda folder: folder.name)
def test_a_learned_shape_has_no_word_of_a_value(folder):
    """Each text in a learned shape stands in the definition, is a name of a field, or is in the vocabulary."""
    tools = [Tool(each.definition) for each in tools_of(folder)]
    by_name = {each.name: each for each in tools}
    for call in calls_of(folder):
        if call.tool.name not in by_name:
            continue
        marked = _with_marked_values(call.result)
        facts = learned_facts(by_name[call.tool.name], marked, tools)
        assert "Zqx" not in str(facts.variables()["learnedShape"])


def _with_marked_values(value: object, key: str = "") -> object:
    """Return a result in which each word of a value, but none of a name, is marked."""
    if isinstance(value, dict):
        return {name: _with_marked_values(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_with_marked_values(each, key) for each in value]
    if not isinstance(value, str) or key == "type":
        return value
    try:
        inner = json.loads(value)
    except ValueError:
        inner = None
    if isinstance(inner, dict | list):
        return json.dumps(_with_marked_values(inner))
    return re.sub(r"[^\W\d_]{2,}", lambda word: f"Zqx{word[0]}", value)


@pytest.mark.parametrize(
    ("result", "shaped"),
    [
        ({"structuredContent": {"rows": [{"a": 1}, {"a": 2}, {"a": 3}]}}, True),
        ({"content": [{"type": "text", "text": '{"a": {"b": 1, "c": [2, "x"]}}'}]}, True),
        ({"content": [{"type": "text", "text": "one\n\ntwo\nthree"}]}, True),
        ({"content": [{"type": "text", "text": "Done.\n"}]}, False),
        ({"structuredContent": {"result": 42}, "content": [{"type": "text", "text": "42"}]}, False),
        ({"content": [{"type": "image", "data": "aaaa", "mimeType": "image/png"}]}, False),
        ({"content": None}, False),
    ],
)
def test_a_result_has_a_shape_by_its_values_and_lines(result, shaped):
    assert has_shape(result) is shaped
