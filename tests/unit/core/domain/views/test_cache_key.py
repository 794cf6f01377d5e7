"""Shows requirement C1."""

import json
from typing import get_args

from attrs import evolve, fields
from hypothesis import assume, given
from hypothesis import strategies as st

from genui_core.domain.settings.llm_settings import GenerationMode
from genui_core.domain.settings.settings import Limits, Theme
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.stored_view import ViewConfiguration, refinement_hash

CONFIGURATION = ViewConfiguration("default", "1", "ab" * 32, 1, "1")
TOOL = Tool({"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}})

texts = st.text(st.characters(), max_size=10)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(texts, json_values, max_size=3)
SHARED = {
    "prompt_set_id": texts,
    "prompt_set_version": texts,
    "prompt_set_hash": texts,
    "kit_api_version": st.integers(1),
    "template_version": texts,
    "provider": texts,
    "model": st.none() | texts,
    "temperature": st.none() | st.floats(0, 2),
    "mode": st.sampled_from(get_args(GenerationMode)),
    "theme": st.sampled_from(get_args(Theme)),
}
LIMITS = {each.name: st.integers(1) for each in fields(Limits)}
PER_TOOL = {
    "ui_type": st.sampled_from(("rich", "minimal")),
    "hints": objects,
    "examples": st.lists(json_values),
}
OF_THE_TOOL = {
    "description": texts,
    "inputSchema": objects,
    "outputSchema": objects,
    "annotations": objects,
}
components = st.fixed_dictionaries(
    {**SHARED, **LIMITS, "name": texts, "feedback": st.lists(texts, max_size=3)},
    optional={**PER_TOOL, **OF_THE_TOOL},
)
"""Strategies for all components of a key, by name; optional ones may be absent."""
WAYS_IN = (
    lambda inner: {"type": "object", "properties": {"x": inner, "y": {}}},
    lambda inner: {"type": "array", "items": inner},
    lambda inner: {"anyOf": [{"type": "null"}, inner]},
    lambda inner: {"$ref": "#/$defs/D", "$defs": {"D": inner}},
)
"""The keywords whose values hold schemas."""


def key_of(parts):
    name = parts["name"]
    configuration = ViewConfiguration(
        **{each: parts[each] for each in SHARED},
        **{each: {name: parts[each]} for each in PER_TOOL if each in parts},
        limits=Limits(**{each: parts[each] for each in LIMITS}),
    )
    tool = Tool({each: parts[each] for each in ("name", *OF_THE_TOOL) if each in parts})
    return key(tool, configuration, parts["feedback"])


def with_other_part(parts, others, name):
    """Return the parts with one replaced by another's, or removed if the other has none."""
    rest = {each: value for each, value in parts.items() if each != name}
    return {**rest, name: others[name]} if name in others else rest


def written(value):
    return json.dumps(value, sort_keys=True)


def shuffled(value, chance):
    """Return the same value with the members of all its objects in another order."""
    if isinstance(value, list):
        return [shuffled(each, chance) for each in value]
    if not isinstance(value, dict):
        return value
    members = [(name, shuffled(each, chance)) for name, each in value.items()]
    chance.shuffle(members)
    return dict(members)


def key(tool=TOOL, configuration=CONFIGURATION, feedback=()):
    return configuration.cache_key(tool, refinement_hash(feedback))


def test_the_same_inputs_give_the_same_key_everywhere():
    again = Tool({"inputSchema": {"properties": {"x": {"type": "string"}}, "type": "object"}, "name": "a"})
    assert key() == key(again)
    assert len(key()) == 64


def test_each_part_of_the_configuration_gives_another_key():
    changed = [
        evolve(CONFIGURATION, **change)
        for change in (
            {"prompt_set_id": "mine"},
            {"prompt_set_version": "2"},
            {"prompt_set_hash": "cd" * 32},
            {"kit_api_version": 2},
            {"template_version": "2"},
            {"provider": "replay"},
            {"model": "m"},
            {"temperature": 0.2},
            {"mode": "document"},
            {"theme": "dark"},
            {"ui_type": {"a": "rich"}},
            {"hints": {"a": {"kind": "table"}}},
            {"examples": {"a": [1]}},
            {"limits": Limits(max_schema_depth=6)},
        )
    ]
    keys = {key(configuration=each) for each in (CONFIGURATION, *changed)}
    assert len(keys) == len(changed) + 1


def test_settings_for_another_tool_leave_the_key_alone():
    assert key(configuration=evolve(CONFIGURATION, hints={"b": {"kind": "table"}})) == key()


def test_the_order_of_refinements_matters():
    assert key(feedback=("x", "y")) != key(feedback=("y", "x"))
    assert key(feedback=("x",)) != key()


def test_all_that_a_configuration_has_is_among_the_components():
    assert {*SHARED, *PER_TOOL, "limits"} == {each.name for each in fields(ViewConfiguration)}


@given(components, components)
def test_another_value_of_any_component_gives_another_key(parts, others):
    changed = [
        with_other_part(parts, others, name)
        for name in {**parts, **others}
        if written([parts[name]] if name in parts else [])
        != written([others[name]] if name in others else [])
    ]
    assert len({key_of(each) for each in (parts, *changed)}) == len(changed) + 1


@given(components, st.randoms(use_true_random=False))
def test_the_order_of_members_does_not_matter_in_any_component(parts, chance):
    assert key_of(shuffled(parts, chance)) == key_of(parts)


@given(
    st.lists(st.sampled_from(WAYS_IN), min_size=1, max_size=40),
    json_values,
    json_values,
    st.sampled_from(("inputSchema", "outputSchema")),
)
def test_schemas_that_differ_only_deep_inside_give_different_keys(ways, one, other, place):
    assume(written(one) != written(other))
    for way in ways:
        one, other = way(one), way(other)
    assert key(Tool({"name": "a", place: one})) != key(Tool({"name": "a", place: other}))
