"""The form: defaults, nullable values, and properties named like members of the page."""

import pytest
from playwright.sync_api import expect

DEFAULTS = {
    "zero": {"type": "integer", "default": 0},
    "half": {"type": "number", "default": 0.5},
    "off": {"type": "boolean", "default": False},
    "on": {"type": "boolean", "default": True},
    "words": {"type": "string", "default": "as it is"},
    "pick": {"enum": ["a", "b"], "default": "b"},
    "list": {"type": "array", "items": {"type": "integer"}, "default": [3, 0]},
    "nothing": {"type": ["string", "null"], "default": None},
}
DOM_NAMES = {
    "name": "Name",
    "action": "Action",
    "method": "Method",
    "length": "Length",
    "elements": "Elements",
    "submit": "Submit",
    "reset": "Reset",
    "target": "Target",
    "id": "ID",
    "children": "Children",
    "parentNode": "Parent node",
    "nodeName": "Node name",
    "innerHTML": "Inner HTML",
    "toString": "To string",
    "hasOwnProperty": "Has own property",
    "constructor": "Constructor",
    "__proto__": "Proto",
}
VALUES = {name: f"value of {name}" for name in DOM_NAMES}


def test_defaults_are_filled_in_and_sent_zero_and_false_too(show_form):
    screen = show_form(DEFAULTS)
    expect(screen.control("Zero")).to_have_value("0")
    expect(screen.control("Off")).not_to_be_checked()
    expect(screen.control("On")).to_be_checked()
    assert screen.submit() == {
        "zero": 0,
        "half": 0.5,
        "off": False,
        "on": True,
        "words": "as it is",
        "pick": "b",
        "list": [3, 0],
    }


def test_an_empty_default_of_a_required_text_is_sent(show_form):
    assert show_form({"query": {"type": "string", "default": ""}}, "query").submit() == {"query": ""}


def test_an_empty_default_of_an_optional_text_is_left_out(show_form):
    assert show_form({"query": {"type": "string", "default": ""}}).submit() == {}


def test_a_default_that_was_changed_is_sent_as_changed(show_form):
    screen = show_form(
        {"off": {"type": "boolean", "default": True}, "zero": {"type": "number", "default": 0}}
    )
    screen.control("Off").uncheck()
    screen.control("Zero").fill("-0.25")
    assert screen.submit() == {"off": False, "zero": -0.25}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["integer", "null"]},
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/number"}]},
    ],
    ids=["types", "anyOf", "oneOf of a reference"],
)
def test_a_nullable_value_is_null_if_it_is_required_and_empty(show, schema):
    definition = {
        "name": "tool",
        "inputSchema": {
            "type": "object",
            "properties": {"must": schema, "may": schema},
            "required": ["must"],
            "$defs": {"number": {"type": "integer"}},
        },
    }
    screen = show(definition)
    assert screen.submit() == {"must": None}


def test_a_nullable_value_takes_a_value_of_its_type(show_form):
    screen = show_form({"count": {"type": ["integer", "null"]}}, "count")
    screen.control("Count").fill("12")
    assert screen.submit() == {"count": 12}


def test_null_is_chosen_where_an_empty_field_says_something_else(show_form):
    schema = {"limit": {"type": ["integer", "null"], "default": 10}, "name": {"type": ["string", "null"]}}
    screen = show_form(schema, call=lambda *_: {"content": []})
    assert screen.submit() == {"limit": 10}
    screen.open_form()
    screen.frame.get_by_role("checkbox", name="Limit: null").check()
    screen.frame.get_by_role("checkbox", name="Name: null").check()
    assert screen.submit() == {"limit": None, "name": None}
    screen.open_form()
    screen.control("Limit").fill("3")
    expect(screen.frame.get_by_role("checkbox", name="Limit: null")).not_to_be_checked()
    assert screen.submit() == {"limit": 3, "name": None}


def test_numbers_too_large_to_be_sent_exactly_are_refused_as_json_text_too(show_form):
    screen = show_form({"id": {"type": "integer"}})
    screen.write_raw('{"id": 12345678901234567891}')
    screen.run_button.click()
    expect(screen.problem_of(screen.raw)).to_contain_text("12345678901234567891: This number has more digits")
    assert screen.host.calls == []


def test_numbers_too_large_to_be_sent_exactly_are_refused(show_form):
    screen = show_form({"id": {"type": "integer"}})
    screen.control("ID").fill("12345678901234567891")
    screen.run_button.click()
    expect(screen.problem_of(screen.control("ID"))).to_contain_text("more digits")
    assert screen.host.calls == []


def test_properties_named_like_members_of_the_page_are_ordinary_ones(show_form):
    screen = show_form({name: {"type": "string"} for name in DOM_NAMES}, *DOM_NAMES)
    for name, label in DOM_NAMES.items():
        screen.control(label).fill(VALUES[name])
    screen.control("Submit").press("Enter")
    assert screen.host.wait_for_calls()[0]["arguments"] == VALUES


def test_properties_named_like_members_of_the_page_are_filled_in(show_form):
    screen = show_form({name: {"type": "string"} for name in DOM_NAMES}, tool_input=VALUES)
    for name, label in DOM_NAMES.items():
        expect(screen.control(label)).to_have_value(VALUES[name])
    screen.run_button.press("Enter")
    assert screen.host.wait_for_calls()[0]["arguments"] == VALUES


def test_required_properties_named_like_members_of_the_page_are_missed(show_form):
    screen = show_form({name: {"type": "string"} for name in DOM_NAMES}, *DOM_NAMES)
    screen.run_button.press("Enter")
    for label in DOM_NAMES.values():
        expect(screen.control(label)).to_have_attribute("aria-invalid", "true")
    assert screen.host.calls == []
