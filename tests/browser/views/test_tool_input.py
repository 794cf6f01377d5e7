"""The form shows the arguments that the host sends, and sends them back unchanged."""

from playwright.sync_api import expect

PROPERTIES = {
    "words": {"type": "string"},
    "count": {"type": "integer", "default": 5},
    "sure": {"type": "boolean"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "place": {"type": "object", "properties": {"city": {"type": "string"}}},
}
GIVEN = {"words": "", "count": 0, "sure": False, "tags": ["a", "b"], "place": {"city": "Łódź"}}


def test_every_kind_of_control_shows_the_input_and_sends_it_unchanged(show_form):
    screen = show_form(PROPERTIES, tool_input=GIVEN)
    expect(screen.control("City")).to_have_value("Łódź")
    expect(screen.control("Count")).to_have_value("0")
    expect(screen.control("Tags 2")).to_have_value("b")
    assert screen.submit() == GIVEN


def test_partial_input_grows_in_the_form(show_form):
    screen = show_form(PROPERTIES)
    for words in ("Hel", "Hello, wor", "Hello, world"):
        screen.host.send_input({"words": words}, partial=True)
        expect(screen.control("Words")).to_have_value(words)
    screen.host.send_input({"words": "Hello, world", "count": 2})
    expect(screen.control("Count")).to_have_value("2")


def test_arguments_without_a_control_are_kept(show_form):
    given = {"words": "a", "unlisted": {"deep": [1]}}
    screen = show_form(PROPERTIES, tool_input=given)
    expect(screen.control("Words")).to_have_value("a")
    assert screen.submit() == given


def test_input_does_not_overwrite_what_a_person_began(show_form):
    screen = show_form(PROPERTIES)
    screen.control("Words").fill("mine")
    screen.host.send_input({"words": "theirs"})
    screen.host.ask("ping")
    expect(screen.control("Words")).to_have_value("mine")


def test_reset_brings_the_input_back(show_form):
    screen = show_form(PROPERTIES, tool_input={"words": "given", "count": 1})
    screen.control("Words").fill("changed")
    screen.button("Reset").click()
    assert screen.submit() == {"words": "given", "count": 1}


def test_input_of_the_wrong_type_is_refused_at_its_control_and_can_be_corrected(show_form):
    screen = show_form(PROPERTIES, tool_input={"count": "many"})
    expect(screen.control("Count")).to_have_value("many")
    screen.run_button.click()
    expect(screen.control("Count")).to_be_focused()
    screen.control("Count").fill("3")
    assert screen.submit() == {"count": 3}


def test_the_tool_is_called_by_the_name_that_the_host_gives_it(show):
    definition = {"name": "search", "inputSchema": {"type": "object"}}
    screen = show(definition, tool={**definition, "name": "gateway__search"})
    screen.submit()
    assert screen.host.calls == [{"name": "gateway__search", "arguments": {}}]
