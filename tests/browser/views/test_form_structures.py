"""The form: objects, lists, alternatives, and JSON text for every other schema."""

from playwright.sync_api import expect

ADDRESS = {
    "type": "object",
    "title": "Address",
    "properties": {"street": {"type": "string"}, "zip": {"type": "integer"}},
    "required": ["street"],
}
PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
SHAPE = {
    "oneOf": [
        {
            "title": "Circle",
            "type": "object",
            "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
            "required": ["kind", "radius"],
        },
        {
            "title": "Text",
            "type": "object",
            "properties": {"kind": {"const": "text"}, "words": {"type": "string"}},
            "required": ["kind", "words"],
        },
    ]
}
OTHER = {"type": "string"}


def test_a_nested_object_is_a_group_of_controls(show_form):
    screen = show_form({"address": ADDRESS, "other": OTHER}, "address")
    group = screen.frame.get_by_role("group", name="Address")
    group.get_by_label("Street").fill("Main Street 1")
    group.get_by_label("Zip").fill("10115")
    assert screen.submit() == {"address": {"street": "Main Street 1", "zip": 10115}}


def test_an_optional_object_that_no_one_filled_in_is_left_out(show_form):
    assert show_form({"address": ADDRESS, "other": OTHER}).submit() == {}


def test_a_required_part_of_a_begun_object_is_missed_at_its_place(show_form):
    screen = show_form({"address": ADDRESS, "other": OTHER})
    screen.control("Zip").fill("1")
    screen.run_button.click()
    expect(screen.control("Street")).to_be_focused()
    expect(screen.problem_of(screen.control("Street"))).to_contain_text("required")


def test_an_only_object_is_not_framed_twice(show_form):
    screen = show_form({"request": {**ADDRESS, "title": "Request"}}, "request")
    screen.control("Street").fill("Main Street 1")
    assert screen.submit() == {"request": {"street": "Main Street 1"}}


def test_a_list_grows_shrinks_and_leaves_out_empty_rows(show_form):
    screen = show_form({"numbers": {"type": "array", "items": {"type": "integer"}}, "other": OTHER})
    screen.control("Numbers 1").fill("1")
    for row in (2, 3, 4):
        screen.button("Add to Numbers").click()
        expect(screen.control(f"Numbers {row}")).to_be_focused()
    screen.control("Numbers 2").fill("2")
    screen.control("Numbers 4").fill("4")
    screen.button("Remove Numbers 1").click()
    assert screen.submit() == {"numbers": [2, 4]}


def test_rows_are_moved_with_the_keyboard_and_keep_the_focus(show_form):
    numbers = {"type": "array", "items": {"type": "integer"}, "maxItems": 3}
    screen = show_form({"numbers": numbers, "other": OTHER}, tool_input={"numbers": [1, 2, 3]})
    expect(screen.button("Add to Numbers")).to_be_disabled()
    screen.button("Move Numbers 3 up").press("Enter")
    expect(screen.button("Move Numbers 2 up")).to_be_focused()
    screen.button("Move Numbers 2 up").press("Space")
    expect(screen.button("Move Numbers 1 down")).to_be_focused()
    expect(screen.button("Move Numbers 1 up")).to_be_hidden()
    expect(screen.control("Numbers 1")).to_have_value("3")
    assert screen.submit() == {"numbers": [3, 1, 2]}


def test_a_list_of_objects_has_a_group_for_each(show_form):
    screen = show_form({"people": {"type": "array", "items": PERSON}, "other": OTHER})
    screen.button("Add to People").click()
    names = screen.frame.get_by_label("Name", exact=True)
    names.nth(0).fill("Ada")
    names.nth(1).fill("Grace")
    screen.frame.get_by_label("Age", exact=True).nth(1).fill("85")
    assert screen.submit() == {"people": [{"name": "Ada"}, {"name": "Grace", "age": 85}]}


def test_an_error_in_a_list_is_shown_at_its_row(show_form):
    screen = show_form({"numbers": {"type": "array", "items": {"type": "integer", "maximum": 5}}, "o": OTHER})
    screen.control("Numbers 1").fill("3")
    screen.button("Add to Numbers").click()
    screen.control("Numbers 2").fill("9")
    screen.run_button.click()
    expect(screen.problem_of(screen.control("Numbers 2"))).to_contain_text("5 or less")
    expect(screen.control("Numbers 1")).not_to_have_attribute("aria-invalid", "true")


def test_free_keys_are_pairs_of_key_and_value(show_form):
    schema = {"type": "object", "additionalProperties": {"type": "integer"}}
    screen = show_form({"limits": schema, "other": OTHER})
    screen.frame.get_by_role("textbox", name="Key 1").fill("__proto__")
    screen.frame.get_by_label("Value 1", exact=True).fill("7")
    assert screen.submit() == {"limits": {"__proto__": 7}}


def test_free_keys_stand_beside_fixed_properties(show_form):
    schema = {**PERSON, "additionalProperties": {"type": "integer"}}
    screen = show_form({"person": schema, "other": OTHER})
    screen.button("Add to Further entries").click()
    screen.frame.get_by_role("textbox", name="Key 1").fill("height")
    screen.control("Value 1").fill("180")
    screen.control("Name").fill("Ada")
    assert screen.submit() == {"person": {"name": "Ada", "height": 180}}


def test_fixed_places_have_a_field_each(show_form):
    size = {"type": "array", "prefixItems": [{"type": "number", "title": "Width"}, {"type": "number"}]}
    screen = show_form({"size": size, "other": OTHER})
    screen.control("Size 2").fill("3")
    screen.run_button.click()
    expect(screen.control("Width")).to_be_focused()
    screen.control("Width").fill("2.5")
    assert screen.submit() == {"size": [2.5, 3]}


def test_a_condition_asks_for_what_it_needs(show):
    schema = {
        "type": "object",
        "properties": {"method": {"enum": ["mail", "phone"]}},
        "required": ["method"],
        "if": {"properties": {"method": {"const": "phone"}}},
        "then": {"properties": {"number": {"type": "string"}}, "required": ["number"]},
    }
    screen = show({"name": "tool", "inputSchema": schema})
    screen.control("Method").select_option("phone")
    screen.run_button.click()
    expect(screen.control("Number")).to_be_focused()
    screen.control("Method").select_option("mail")
    assert screen.submit() == {"method": "mail"}


def test_alternatives_have_a_picker_and_send_the_picked_one(show_form):
    screen = show_form({"shape": SHAPE, "other": OTHER}, "shape")
    screen.frame.get_by_label("Kind", exact=True).first.select_option("Text")
    screen.control("Words").fill("hi")
    assert screen.submit() == {"shape": {"kind": "text", "words": "hi"}}


def test_a_value_without_a_control_is_a_json_box_at_its_place_only(show_form):
    screen = show_form({"pair": {"type": "array", "prefixItems": [{}, {}]}, "other": OTHER})
    screen.control("Pair").fill("[1, ")
    expect(screen.problem_of(screen.control("Pair"))).to_contain_text("JSON")
    screen.control("Pair").fill('[1, "two"]')
    screen.control("Other").fill("three")
    assert screen.submit() == {"pair": [1, "two"], "other": "three"}


def test_raw_arguments_begin_with_the_form_and_come_back_into_it(show_form):
    screen = show_form({"words": {"type": "string"}, "count": {"type": "integer"}})
    screen.control("Words").fill("hello")
    screen.frame.get_by_role("radio", name="Raw arguments (JSON)").check()
    expect(screen.raw).to_have_value('{\n  "words": "hello"\n}')
    screen.raw.fill('{"words": "bye", "count": 3}')
    screen.frame.get_by_role("radio", name="Form", exact=True).check()
    expect(screen.control("Count")).to_have_value("3")
    assert screen.submit() == {"words": "bye", "count": 3}


def test_raw_arguments_are_sent_with_what_the_form_does_not_know(show_form):
    screen = show_form({"words": {"type": "string"}})
    screen.write_raw('{"words": "hi", "unknown": {"a": [null]}}')
    assert screen.submit() == {"words": "hi", "unknown": {"a": [None]}}


def test_raw_arguments_that_are_no_json_object_are_refused(show_form):
    screen = show_form({"words": {"type": "string"}})
    for wrong in ("{", "[1]", "7"):
        screen.write_raw(wrong)
        screen.run_button.click()
        expect(screen.raw).to_be_focused()
        expect(screen.raw).to_have_attribute("aria-invalid", "true")
    assert screen.host.calls == []


def test_raw_arguments_are_checked_against_the_schema(show_form):
    screen = show_form({"count": {"type": "integer"}})
    screen.write_raw('{"count": "many"}')
    screen.run_button.click()
    expect(screen.problem_of(screen.raw)).to_contain_text("count: Expected a whole number")
    assert screen.host.calls == []
