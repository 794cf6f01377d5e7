"""The arguments of a call fit the tool's schema, whatever a person enters (requirement M1)."""

import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from playwright.sync_api import expect

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
MOMENTS = {"date": "2026-02-28", "datetime-local": "2026-03-14T15:09", "time": "15:09"}


def objects(*required, **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


def lists(items, **limits):
    return {"type": "array", "items": items, **limits}


TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 1, "maximum": 9}
CIRCLE = objects("kind", "radius", kind={"const": "circle"}, radius={"type": "number"})
WORDS = objects("kind", "words", kind={"const": "words"}, words=TEXT)
SCHEMAS = {
    "texts": objects("a", a=TEXT, b={"type": "string", "minLength": 2, "maxLength": 5}),
    "numbers": objects(a=COUNT, b={"type": "number", "multipleOf": 0.5}, c={"exclusiveMinimum": 0}),
    "booleans": objects("a", a={"type": "boolean"}, b={"type": "boolean"}, c={"type": ["boolean", "null"]}),
    "choices": objects(
        a={"enum": ["x", 1, None]}, b={"const": 7}, c=lists({"enum": [1, 2]}, uniqueItems=True)
    ),
    "many choices": objects("a", a={"enum": [f"value {n}" for n in range(200)]}),
    "moments": objects(
        **{name: {"type": "string", "format": name} for name in ("date", "date-time", "time")}
    ),
    "patterns": objects(a={"type": "string", "pattern": "^[A-Z]{2}-\\d+$", "examples": ["AB-12"]}),
    "lists": objects("a", a=lists(TEXT, minItems=2, maxItems=3), b=lists(COUNT, uniqueItems=True)),
    "lists of lists": objects(a=lists(lists(COUNT, maxItems=2)), other=TEXT),
    "lists of objects": objects("a", a=lists(objects("n", n=COUNT, t=TEXT), minItems=1), other=TEXT),
    "groups": objects("g", g=objects("a", a=TEXT, h=objects(b=COUNT)), other=TEXT),
    "an envelope": objects("request", request=objects("a", a=TEXT, b=lists(COUNT))),
    "maps": objects(m={"type": "object", "additionalProperties": COUNT}, other=TEXT),
    "names by pattern": {
        **objects(a=TEXT),
        "patternProperties": {"^x": COUNT},
        "additionalProperties": False,
    },
    "places": objects(a={"type": "array", "prefixItems": [TEXT, COUNT], "items": False}, other=TEXT),
    "places of draft 7": {
        "$schema": DRAFT_7,
        **objects(a={"type": "array", "items": [TEXT, COUNT], "additionalItems": False}, other=TEXT),
    },
    "alternatives": objects("a", a={"oneOf": [CIRCLE, WORDS]}, b={"anyOf": [COUNT, lists(TEXT)]}),
    "all of several": {"type": "object", "allOf": [objects("a", a=TEXT), objects("b", b=COUNT)]},
    "references": {
        **objects("a", a={"$ref": "#/$defs/node"}, other=TEXT),
        "$defs": {"node": objects(name=TEXT, next={"$ref": "#/$defs/node"})},
    },
    "conditions": {
        **objects(a={"enum": ["x", "y"]}, b=TEXT),
        "if": {"required": ["a"]},
        "then": {"required": ["c"], "properties": {"c": COUNT}},
        "dependentRequired": {"b": ["a"]},
    },
    "nullable": objects("a", a={"type": ["integer", "null"]}, b={"anyOf": [TEXT, {"type": "null"}]}),
    "free": objects(a={}, b={"type": "object"}, c={"type": "array"}),
}


KIND = """one => ({
  kind: one.localName === "input" ? one.type : one.localName,
  placeholder: one.placeholder ?? "",
  choices: one.options?.length,
  searches: one.getAttribute("role") === "combobox",
  numeric: ["numeric", "decimal"].includes(one.inputMode),
  chooses: !!one.closest(".null, .picker"),
})"""


def fill_in(control):
    """Enter a value into a control, unless its value decides which other controls exist."""
    asks = control.evaluate(KIND)
    kind, placeholder = asks["kind"], asks["placeholder"]
    if asks["chooses"]:
        return
    if kind == "select":
        control.select_option(index=asks["choices"] - 1)
    elif kind == "checkbox":
        control.check()
    elif asks["searches"]:
        control.press_sequentially("19")
        control.press("ArrowDown")
        control.press("Enter")
    elif placeholder.startswith("e.g. "):
        control.fill(placeholder.removeprefix("e.g. "))
    elif asks["numeric"]:
        control.fill("3")
    else:
        control.fill({"JSON": "{}", "key": "x1", **MOMENTS}.get(placeholder or kind, "words"))


def fill_in_all(screen):
    """Fill in every control that takes a value, in the order of the page."""
    controls = screen.frame.locator(
        ":is(input:not([readonly], [type=radio], [type=search]), select, textarea):visible"
    )
    picker = screen.frame.locator(".picker select")
    for index in range(picker.count()):
        picker.nth(index).select_option(index=1)
    for index in range(controls.count()):
        fill_in(controls.nth(index))


@pytest.mark.matrix(quick=7)
@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_the_arguments_of_a_call_fit_the_schema(show, schema):
    screen = show({"name": "tool", "inputSchema": schema}, call=lambda *_: {"content": []})
    validator = (Draft7Validator if "$schema" in schema else Draft202012Validator)(schema)
    screen.run_button.click()
    screen.open_form()
    fill_in_all(screen)
    calls = len(screen.host.calls)
    screen.run_button.click()
    expect(screen.frame.locator(".error-line:visible")).to_have_text([])
    screen.host.wait_for_calls(calls + 1)
    assert screen.host.calls[-1]["arguments"]
    for call in screen.host.calls:
        assert list(validator.iter_errors(call["arguments"])) == []
