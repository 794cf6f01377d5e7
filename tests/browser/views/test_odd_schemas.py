"""Odd and hostile schemas: the view still appears, and raw arguments work."""

import pytest
from playwright.sync_api import expect


def nested(depth):
    schema = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"in": schema}, "required": ["in"]}
    return schema


def doubling(keyword):
    """Return a schema whose 40 levels each refer to the next one twice: a naive reader takes 2^40 steps."""
    levels = {f"l{n}": {keyword: [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(40)}
    properties = {"x": {"$ref": "#/$defs/l0"}}
    return {"type": "object", "properties": properties, "$defs": {**levels, "l40": {"type": "integer"}}}


def objects(**properties):
    return {"type": "object", "properties": properties}


ODD = {
    "none": None,
    "true": True,
    "a list": [],
    "words": "object",
    "a number": 7,
    "empty": {},
    "no properties": {"type": "object"},
    "properties are a list": {"type": "object", "properties": ["x"]},
    "required is words": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": "x"},
    "required names nothing": {"type": "object", "properties": {"x": {}}, "required": [None, 7, {}]},
    "null as schema": objects(x=None, y={"type": "array", "items": None}),
    "booleans as schemas": objects(x=True, y=False),
    "unknown types": objects(x={"type": "integer"}, y={"type": "hologram"}, z={"type": [[]]}),
    "itself": {"$ref": "#"},
    "its own part": objects(x={"type": "integer"}, y={"$ref": "#"}),
    "each other": {
        **objects(x={"$ref": "#/$defs/a"}),
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
    },
    "a tree": {
        **objects(x={}, root={"$ref": "#/$defs/node"}),
        "$defs": {
            "node": objects(
                name={"type": "string"}, children={"type": "array", "items": {"$ref": "#/$defs/node"}}
            )
        },
    },
    "nowhere": objects(x={"$ref": "#/$defs/missing"}, y={"$ref": "https://example.com/schema.json"}),
    "many values": objects(x={"type": "integer"}, y={"enum": [f"value {n}" for n in range(1000)]}),
    "many properties": objects(x={"type": "integer"}, **{f"p{n}": {"type": "string"} for n in range(100)}),
    "deep": objects(x={"type": "integer"}, y=nested(150)),
    "deep lists": objects(
        x={}, y={"type": "array", "items": {"type": "array", "items": {"type": "array", "items": nested(9)}}}
    ),
    "twice allOf": doubling("allOf"),
    "twice anyOf": doubling("anyOf"),
    "odd bounds": objects(
        x={"type": "integer", "minimum": "a", "maximum": None, "multipleOf": 0, "minLength": {}}
    ),
    "odd words": objects(
        x={"title": 7, "description": [], "enum": "a", "default": {}, "examples": 7, "format": []}
    ),
    "conditions": {**objects(x={}, y={}), "if": {"required": ["y"]}, "then": {"required": ["z"]}},
    "what only a server can check": objects(
        x={"not": {"$ref": "https://example.com/a.json"}, "oneOf": [{"$ref": "#/nowhere"}, True]}
    ),
    "rules about rules": {
        **objects(x={}),
        "unevaluatedProperties": False,
        "propertyNames": {"maxLength": 3},
        "dependentSchemas": {"y": False},
        "not": {"required": ["z"]},
    },
    "too large": objects(x={"type": "integer"}, y={"enum": ["v" * 1000 + str(n) for n in range(300)]}),
}
SLOW_PATTERNS = {
    "nested": "^(a+)+$",
    "alternatives": "^(a|a)*$",
    "overlap": r"^(\w+\s?)*$",
    "many stars": "^a*a*a*a*a*a*a*a*a*a*a*b$",
    "back-reference": r"^(a+)\1+b$",
    "look-ahead": "^(?=(a+)+$)x",
    "counted": "^(a{1,40}){1,40}$",
    "unanchored": "(.*)*x",
    "wrong": "(unclosed[",
    "empty": "",
}


@pytest.mark.matrix(quick=5)
@pytest.mark.parametrize("schema", ODD.values(), ids=ODD)
def test_raw_arguments_reach_the_tool_with_any_schema(show, schema):
    screen = show({"name": "odd_one", "inputSchema": schema}, tool={"name": "odd_one"})
    expect(screen.frame.get_by_role("heading", level=1)).to_have_text("Odd one")
    screen.write_raw('{"x": 1}')
    assert screen.submit() == {"x": 1}


def test_a_tool_without_a_schema_has_raw_arguments(show):
    screen = show({"name": "tool"})
    screen.write_raw('{"x": 1}')
    assert screen.submit() == {"x": 1}


def test_the_view_says_that_a_schema_allows_nothing(show):
    screen = show({"name": "tool", "inputSchema": False}, tool={"name": "tool"})
    screen.write_raw('{"x": 1}')
    screen.run_button.click()
    expect(screen.problem_of(screen.raw)).to_contain_text("Nothing is allowed")


def test_a_thousand_values_are_searched_with_the_keyboard(show_form):
    screen = show_form({"pick": {"enum": [f"value {n}" for n in range(1000)]}})
    pick = screen.control("Pick")
    pick.press_sequentially("99")
    expect(screen.frame.get_by_role("option")).to_have_count(19)
    pick.press("ArrowDown")
    pick.press("ArrowDown")
    expect(screen.frame.get_by_role("option", selected=True)).to_have_text("value 199")
    pick.press("Enter")
    expect(pick).to_have_value("value 199")
    expect(screen.frame.get_by_role("listbox")).to_have_count(0)
    assert screen.submit() == {"pick": "value 199"}


def test_a_thousand_values_are_taken_with_the_mouse_and_refused_when_there_is_no_such_one(show_form):
    screen = show_form({"pick": {"enum": list(range(1000))}}, call=lambda *_: {"content": []})
    pick = screen.control("Pick")
    pick.click()
    screen.frame.get_by_role("option", name="7", exact=True).click()
    assert screen.submit() == {"pick": 7}
    screen.open_form()
    pick.fill("7 or so")
    screen.run_button.click()
    expect(screen.problem_of(pick)).to_contain_text("listed values")
    assert len(screen.host.calls) == 1


def test_several_of_a_thousand_values_are_searched_and_ticked(show_form):
    values = {"type": "array", "items": {"enum": [f"value {n}" for n in range(1000)]}}
    screen = show_form({"picks": values})
    search = screen.frame.get_by_role("searchbox", name="Search Picks")
    for words in ("value 999", "value 5"):
        search.fill(words)
        screen.frame.get_by_role("checkbox", name=words, exact=True).check()
    search.press("Enter")
    assert screen.submit() == {"picks": ["value 5", "value 999"]}


def test_a_hundred_properties_each_have_a_control(show_form):
    screen = show_form({f"p{n}": {"type": "integer"} for n in range(100)}, "p50")
    expect(screen.frame.locator("[data-field]").first).to_have_attribute("data-field", "p50")
    expect(screen.control("P99")).to_be_hidden()
    screen.frame.get_by_text("More options (90)").click()
    screen.frame.get_by_role("searchbox", name="Search the options").fill("p99")
    expect(screen.control("P98")).to_be_hidden()
    screen.control("P99").fill("99")
    screen.control("P50").fill("50")
    assert screen.submit() == {"p50": 50, "p99": 99}


def test_folded_properties_are_shown_when_they_have_a_value_or_a_mistake(show_form):
    properties = {f"p{n}": {"type": "integer", "maximum": 5} for n in range(100)}
    screen = show_form(properties, tool_input={"p99": 9})
    expect(screen.control("P99")).to_have_value("9")
    screen.frame.get_by_text("More options (90)").click()
    screen.run_button.click()
    expect(screen.control("P99")).to_be_focused()
    expect(screen.problem_of(screen.control("P99"))).to_contain_text("5 or less")


def test_the_view_says_that_a_schema_is_too_large_for_the_page(show):
    schema = objects(y={"enum": ["v" * 1000 + str(n) for n in range(300)]})
    screen = show({"name": "tool", "inputSchema": schema}, tool={"name": "tool"})
    expect(screen.frame.get_by_text("too large to draw a form from")).to_be_visible()


def test_slow_and_wrong_patterns_do_not_freeze_the_page(show_form):
    properties = {name: {"type": "string", "pattern": pattern} for name, pattern in SLOW_PATTERNS.items()}
    screen = show_form(properties, call=lambda *_: {"content": []})
    for name in SLOW_PATTERNS:
        control = screen.control(name.replace("-", " ").capitalize())
        screen.open_form()
        control.fill("a" * 2000 + "!")
        screen.run_button.click()
        assert screen.host.ask("ping")["result"] == {}
        screen.open_form()
        control.fill("a" * 30 + "!")
        screen.run_button.click()
        assert screen.host.ask("ping")["result"] == {}
        screen.open_form()
        control.fill("")
