"""The bar below the form: run again, reset, copy."""

import json

from playwright.sync_api import expect

PROPERTIES = {
    "words": {"type": "string", "default": "as it was"},
    "count": {"type": "integer"},
    "place": {"type": "object", "properties": {"country": {"type": "string", "default": "FR"}}},
}
LISTEN = "document.addEventListener('copy', () => { globalThis.copied = document.activeElement.value })"


def test_the_arguments_are_copied_as_they_stand(show_form):
    screen = show_form(PROPERTIES)
    screen.control("Count").fill("3")
    screen.frame.evaluate(LISTEN)
    screen.button("Copy as JSON").click()
    expect(screen.button("Copy as JSON")).to_be_focused()
    expect(screen.button("Copy as JSON")).to_have_attribute("data-copied", "")
    assert json.loads(screen.frame.evaluate("globalThis.copied")) == {"words": "as it was", "count": 3}
    screen.control("Count").focus()
    expect(screen.button("Copy as JSON")).not_to_have_attribute("data-copied", "")


def test_reset_brings_the_defaults_back(show_form):
    screen = show_form(PROPERTIES)
    for label in ("Words", "Country", "Count"):
        screen.control(label).fill("7")
    screen.button("Reset").click()
    expect(screen.control("Country")).to_have_value("FR")
    assert screen.submit() == {"words": "as it was"}


def test_the_last_call_is_run_again(show_form, text):
    screen = show_form(PROPERTIES, call=lambda *_: {"content": [text("done")]})
    screen.control("Count").fill("3")
    first = screen.submit()
    screen.open_form()
    expect(screen.run_button).to_have_text("Run again")
    assert screen.submit() == first == {"words": "as it was", "count": 3}


def test_a_tool_that_asks_for_nothing_has_just_its_button(show, text):
    tool = {"name": "tool", "inputSchema": {"type": "object", "properties": {}}}
    screen = show(tool, call=lambda *_: {"content": [text("done")]})
    expect(screen.raw).not_to_be_visible()
    expect(screen.form.get_by_role("button")).to_have_count(1)
    assert screen.submit() == {}
    screen.write_raw('{"x": 1}')
    assert screen.submit() == {"x": 1}


def test_arguments_that_no_schema_names_are_in_sight_when_the_host_sends_them(show):
    screen = show({"name": "tool", "inputSchema": {"type": "object"}}, tool_input={"x": 1})
    expect(screen.raw).to_have_value('{\n  "x": 1\n}')
