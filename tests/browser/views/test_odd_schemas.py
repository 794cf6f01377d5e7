"""Schemas nobody should write: the view comes up, and raw arguments work."""

import pytest
from playwright.sync_api import expect


def nested(depth):
    schema = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"in": schema}, "required": ["in"]}
    return schema


def doubling(keyword):
    """Every level names the next one twice: naive reading takes 2^40 steps."""
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
    "no conditions met": {**objects(x={}), "if": {"required": ["x"]}, "then": {"required": ["y"]}},
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


@pytest.mark.parametrize("schema", ODD.values(), ids=ODD)
def test_raw_arguments_reach_the_tool(show, schema):
    screen = show({"name": "odd_one", "inputSchema": schema}, tool={"name": "odd_one"})
    expect(screen.frame.get_by_role("heading", level=1)).to_have_text("Odd one")
    screen.write_raw('{"x": 1}')
    assert screen.submit() == {"x": 1}


def test_a_tool_without_a_schema_has_raw_arguments(show):
    screen = show({"name": "tool"})
    screen.write_raw('{"x": 1}')
    assert screen.submit() == {"x": 1}


def test_a_schema_that_allows_nothing_is_said_to(show):
    screen = show({"name": "tool", "inputSchema": False}, tool={"name": "tool"})
    screen.write_raw('{"x": 1}')
    screen.run_button.click()
    expect(screen.problem_of(screen.raw)).to_contain_text("Nothing is allowed")


def test_a_thousand_values_can_be_chosen_from(show_form):
    screen = show_form({"pick": {"enum": [f"value {n}" for n in range(1000)]}})
    screen.control("Pick").select_option("value 999")
    assert screen.submit() == {"pick": "value 999"}


def test_a_hundred_properties_each_have_a_control(show_form):
    screen = show_form({f"p{n}": {"type": "integer"} for n in range(100)})
    screen.control("P99").fill("99")
    assert screen.submit() == {"p99": 99}


def test_a_schema_too_large_for_the_page_is_said_to_be(show):
    schema = objects(y={"enum": ["v" * 1000 + str(n) for n in range(300)]})
    screen = show({"name": "tool", "inputSchema": schema}, tool={"name": "tool"})
    expect(screen.frame.get_by_text("too large to draw a form from")).to_be_visible()


def test_slow_and_wrong_patterns_do_not_freeze_the_page(show_form):
    properties = {name: {"type": "string", "pattern": pattern} for name, pattern in SLOW_PATTERNS.items()}
    screen = show_form(properties, call=lambda *_: {"content": []})
    for name in SLOW_PATTERNS:
        control = screen.control(name.replace("-", " ").capitalize())
        control.fill("a" * 2000 + "!")
        screen.run_button.click()
        assert screen.host.ask("ping")["result"] == {}
        control.fill("a" * 30 + "!")
        screen.run_button.click()
        assert screen.host.ask("ping")["result"] == {}
        control.fill("")
