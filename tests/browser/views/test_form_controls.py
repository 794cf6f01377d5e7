"""The form: the values that a person enters become the arguments of the call."""

from playwright.sync_api import expect

EVERY_CONTROL = {
    "words": {"type": "string"},
    "colour": {"type": "string", "enum": ["red", "green", "blue"]},
    "level": {"enum": [1, 2, 3]},
    "day": {"type": "string", "format": "date"},
    "moment": {"type": "string", "format": "date-time"},
    "mail": {"type": "string", "format": "email"},
    "site": {"type": "string", "format": "uri"},
    "whole": {"type": "integer"},
    "amount": {"type": "number"},
    "sure": {"type": "boolean"},
    "code": {"type": "string", "pattern": "^[A-Z]{2}-\\d+$"},
    "version": {"const": "v1"},
    "body": {"type": "string", "maxLength": 9000},
    "tags": {"type": "array", "items": {"type": "string"}},
    "parts": {"type": "array", "items": {"enum": ["top", "end"]}},
    "anything": {},
}
REFUSALS = {
    "Too short": ({"type": "string", "minLength": 3}, "ab", "3 characters"),
    "Too long": ({"type": "string", "maxLength": 3}, "abcd", "3 characters"),
    "Unmatched": ({"type": "string", "pattern": "^[a-z]+$"}, "ABC", "^[a-z]+$"),
    "No mail": ({"type": "string", "format": "email"}, "nobody", "e-mail"),
    "No address": ({"type": "string", "format": "uri"}, "just words", "address"),
    "No whole number": ({"type": "integer"}, "1.5", "whole number"),
    "No number": ({"type": "number"}, "twelve", "number"),
    "Below": ({"type": "number", "minimum": 0}, "-1", "0 or more"),
    "Above": ({"type": "number", "maximum": 10}, "10.5", "10 or less"),
    "At an open bound": ({"type": "number", "exclusiveMinimum": 0}, "0", "more than 0"),
    "Between steps": ({"type": "number", "multipleOf": 0.25}, "0.3", "multiple of 0.25"),
}


def test_each_control_sends_its_value_in_the_type_of_the_schema(show_form):
    screen = show_form(EVERY_CONTROL, "version")
    screen.unfold()
    for label, words in {
        "Words": " two words ",
        "Day": "2026-03-01",
        "Moment": "2026-03-01T09:30",
        "Mail": "ada@example.com",
        "Site": "https://example.com/a?b=c#d",
        "Whole": "42",
        "Amount": "2.50",
        "Code": "AB-12",
        "Body": "one\ntwo",
        "Tags 1": "first",
        "Anything": '{"deep": [1, null]}',
    }.items():
        screen.control(label).fill(words)
    screen.control("Colour").select_option("green")
    screen.control("Level").select_option("2")
    screen.control("Sure").select_option("No")
    screen.control("end").check()
    assert screen.submit() == {
        "words": " two words ",
        "colour": "green",
        "level": 2,
        "day": "2026-03-01",
        "moment": "2026-03-01T09:30:00Z",
        "mail": "ada@example.com",
        "site": "https://example.com/a?b=c#d",
        "whole": 42,
        "amount": 2.5,
        "sure": False,
        "code": "AB-12",
        "version": "v1",
        "body": "one\ntwo",
        "tags": ["first"],
        "parts": ["end"],
        "anything": {"deep": [1, None]},
    }


def test_an_optional_control_that_stays_empty_is_not_sent(show_form):
    optional = {name: one for name, one in EVERY_CONTROL.items() if name != "version"}
    assert show_form(optional).submit() == {}


def test_a_control_that_was_emptied_again_is_not_sent(show_form):
    screen = show_form({"words": {"type": "string"}, "amount": {"type": "number", "default": 3}})
    for label in ("Words", "Amount"):
        screen.control(label).fill("7")
        screen.control(label).fill("")
    assert screen.submit() == {}


def test_a_value_that_does_not_fit_is_refused_with_the_reason_beside_its_control(show_form):
    screen = show_form({name: schema for name, (schema, _, _) in REFUSALS.items()})
    screen.unfold()
    for name, (_, entered, reason) in REFUSALS.items():
        control = screen.control(name)
        control.fill(entered)
        screen.run_button.click()
        expect(control).to_be_focused()
        expect(control).to_have_attribute("aria-invalid", "true")
        expect(screen.problem_of(control)).to_contain_text(reason)
        control.fill("")
    assert screen.host.calls == []


def test_a_missing_required_value_is_refused_at_its_control(show_form):
    screen = show_form({"first": {"type": "string"}, "thing": {"type": "string"}}, "thing")
    screen.run_button.click()
    expect(screen.control("Thing")).to_be_focused()
    expect(screen.problem_of(screen.control("Thing"))).to_contain_text("required")
    assert screen.host.calls == []


def test_a_refusal_goes_away_once_it_is_corrected(show_form):
    screen = show_form({"count": {"type": "integer", "minimum": 1}}, "count")
    screen.run_button.click()
    expect(screen.control("Count")).to_have_attribute("aria-invalid", "true")
    screen.control("Count").fill("1")
    expect(screen.control("Count")).not_to_have_attribute("aria-invalid", "true")
    assert screen.submit() == {"count": 1}


def test_the_first_of_several_refused_controls_has_the_focus(show_form):
    screen = show_form({name: {"type": "string"} for name in ("a1", "b2", "c3")}, "b2", "c3")
    screen.run_button.click()
    expect(screen.control("B2")).to_be_focused()
    for label in ("B2", "C3"):
        expect(screen.control(label)).to_have_attribute("aria-invalid", "true")


def test_required_controls_are_marked_and_described(show_form):
    screen = show_form({"city": {"type": "string", "description": "Where it rains"}}, "city")
    control = screen.control("City")
    expect(control).to_have_attribute("aria-required", "true")
    expect(control).to_have_accessible_description("Where it rains")


def test_an_optional_boolean_knows_not_sent_yes_and_no(show_form, text):
    screen = show_form({"sure": {"type": "boolean"}}, call=lambda *_: {"content": [text("done")]})
    assert screen.submit() == {}
    screen.open_form()
    screen.control("Sure").select_option("Yes")
    assert screen.submit() == {"sure": True}
    screen.open_form()
    screen.control("Sure").select_option("No")
    assert screen.submit() == {"sure": False}
