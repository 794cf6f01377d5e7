from attrs import evolve

from genui_core.domain.cache_key import ViewConfiguration, cache_key, refinement_hash
from genui_core.domain.settings import Limits
from genui_core.domain.tool import Tool

CONFIGURATION = ViewConfiguration("default", "1", "ab" * 32, 1)
TOOL = Tool({"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}})


def key(tool=TOOL, configuration=CONFIGURATION, feedback=()):
    return cache_key(tool, configuration.hash_for(tool.name), refinement_hash(feedback))


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
