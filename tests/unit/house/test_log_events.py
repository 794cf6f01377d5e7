"""The table of log events and the code that records them agree (requirement O1)."""

import ast

import pytest
from log_events import LOG_EVENTS

KNOWN = {each.name: each for each in LOG_EVENTS}
CARRIED = {"level", "component", "event", "metadata"}


@pytest.fixture(scope="module")
def recorded(syntax_trees):
    """Per call that records an event: the module, the event's name, level, fields and component."""
    return [
        (module, *found)
        for module, tree in syntax_trees.items()
        if ".testing." not in module
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and (found := recording(node)) is not None
    ]


def recording(call):
    levels = [
        each.attr for each in call.args if isinstance(each, ast.Attribute) and name_of(each.value) == "Level"
    ]
    texts = [
        each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    if not levels or not texts or name_of(call.func) == "RedactingEventLog" or texts[-1] == "cache":
        return None
    component = texts[-2] if len(texts) > 1 else None
    return texts[-1], levels[0].lower(), {each.arg for each in call.keywords if each.arg}, component


def name_of(node):
    return node.id if isinstance(node, ast.Name) else ""


def test_no_event_is_listed_twice():
    assert len(KNOWN) == len(LOG_EVENTS)


def test_every_event_that_is_recorded_is_listed_with_its_fields(recorded):
    assert len(recorded) > 30
    wrong = [
        (module, event, sorted(fields - {*KNOWN[event].fields} if event in KNOWN else fields))
        for module, event, _, fields, _ in recorded
        if event not in KNOWN or not fields <= {*KNOWN[event].fields}
    ]
    assert wrong == []


def test_every_event_that_is_listed_is_recorded_somewhere(syntax_trees):
    texts = {
        node.value
        for module, tree in syntax_trees.items()
        if not module.endswith(".log_events")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert [name for name in KNOWN if name not in texts] == []


def test_an_event_that_is_recorded_at_one_level_is_listed_with_it(recorded):
    levels = {}
    for _, event, level, _, _ in recorded:
        levels.setdefault(event, set()).add(level)
    wrong = {
        event: found
        for event, found in levels.items()
        if len(found) == 1
        and KNOWN[event].level not in found
        and "` for" not in KNOWN[event].about
        and "` where" not in KNOWN[event].about
    }
    assert wrong == {}


COMPONENTS = {"wrapper", "relay", "tool_proxy", "ui_generator", "llm", "validator", "cache"}


def test_every_event_is_listed_under_a_documented_component():
    wrong = {each.name: each.component for each in LOG_EVENTS if not components_of(each) <= COMPONENTS}
    assert wrong == {}


def test_every_event_is_recorded_under_the_component_that_it_is_listed_with(recorded):
    named = [(event, component) for _, event, _, _, component in recorded if component is not None]
    assert len(named) > 30
    wrong = [
        (event, component)
        for event, component in named
        if event in KNOWN and component not in components_of(KNOWN[event])
    ]
    assert wrong == []


def components_of(event):
    return {each.strip() for each in event.component.split("/")}
