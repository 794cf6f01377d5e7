"""The editor of an object whose schema names no members: one row per key, with a type and a value."""

import pytest
from accessibility import barriers
from playwright.sync_api import expect

FREE = {"type": "object", "description": "Fields of the record"}
OTHER = {"type": "boolean"}
DONE = {"content": [{"type": "text", "text": "Saved"}]}
GIVEN = {"city": "Paris", "people": 2148000, "capital": True, "mayor": None, "places": {"river": ["Seine"]}}


def test_the_keyboard_alone_fills_in_a_key_a_type_and_a_value(show_form):
    screen = show_form({"fields": FREE, "other": OTHER})
    keyboard = screen.host.page.keyboard
    screen.control("Key 1").focus()
    keyboard.type("people")
    keyboard.press("Tab")
    expect(screen.control("Type of Value 1")).to_be_focused()
    keyboard.press("n")
    keyboard.press("Tab")
    expect(screen.control("Value 1")).to_be_focused()
    keyboard.type("12")
    keyboard.press("Enter")
    assert screen.host.wait_for_calls(1)[0]["arguments"] == {"fields": {"people": 12}}


def test_host_input_comes_back_as_it_was(show_form):
    screen = show_form({"fields": FREE, "other": OTHER}, tool_input={"fields": GIVEN}, call=lambda *_: DONE)
    expect(screen.control("Key 5")).to_have_value("places")
    assert screen.submit() == {"fields": GIVEN}
    assert list(screen.host.calls[-1]["arguments"]["fields"]) == list(GIVEN)
    expect(screen.run_button).to_have_text("Run again")
    screen.open_form()
    screen.button("Remove Key 4").click()
    screen.control("Value 2").fill("7")
    assert screen.submit() == {"fields": {**{k: GIVEN[k] for k in GIVEN if k != "mayor"}, "people": 7}}


def test_text_of_several_lines_stays_as_it_is(show_form):
    screen = show_form({"fields": FREE, "other": OTHER})
    screen.control("Key 1").fill("note")
    screen.control("Value 1").fill("one\ntwo")
    assert screen.submit() == {"fields": {"note": "one\ntwo"}}


def test_a_key_that_is_there_twice_is_refused_with_the_reason(show_form):
    screen = show_form({"fields": FREE, "other": OTHER}, tool_input={"fields": {"a": 1, "b": 2}})
    screen.control("Key 2").fill("a")
    screen.run_button.click()
    expect(screen.control("Key 2")).to_be_focused()
    expect(screen.problem_of(screen.control("Key 2"))).to_have_text("This key is there already.")
    assert screen.host.calls == []
    assert barriers(screen.host) == []


@pytest.mark.parametrize("width", [320, 760])
def test_the_editor_fits_its_width_and_has_no_barriers(show_form, width):
    fields = {"fields": FREE, "rows": {"type": "array", "items": {"type": "object"}}}
    screen = show_form(fields, tool_input={"fields": GIVEN, "rows": [{"a": 1, "b": "x"}]}, width=width)
    expect(screen.control("Key 5")).to_have_value("places")
    assert screen.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 1
    narrow = "[...document.querySelectorAll('.any :is(input, textarea)')].map(one => one.offsetWidth)"
    assert min(screen.frame.evaluate(narrow)) >= 80
    assert barriers(screen.host) == []
