"""A page has the smaller build of the kit if the tool's schemas are plain, and the whole kit otherwise."""

import json

import pytest
from playwright.sync_api import expect
from view_host import adaptive_page

from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.minimal_view import minimal_page, page_data
from genui_core.domain.pages.page_frame import PageNeeds
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

KIT = BuiltViewKit()
PLAIN_MINIMAL = PageNeeds(any_schema=False, written=False)
MINIMAL = PageNeeds(any_schema=True, written=False)
CITY = {"type": "string", "minLength": 3}
PLAIN = {
    "name": "plain",
    "inputSchema": {"type": "object", "properties": {"city": CITY}, "required": ["city"]},
}
NESTED = {
    "name": "nested",
    "inputSchema": {
        "type": "object",
        "$defs": {"place": {"type": "object", "properties": {"city": CITY}, "required": ["city"]}},
        "properties": {
            "place": {"$ref": "#/$defs/place"},
            "days": {"type": "array", "items": {"type": "string", "format": "date"}},
        },
        "required": ["place"],
    },
}
WEATHER = {"structuredContent": {"temperature": 21}, "content": []}


def weather(*_):
    return WEATHER


@pytest.mark.parametrize(
    ("definition", "needs", "sent"),
    [(PLAIN, PLAIN_MINIMAL, {"city": "Oslo"}), (NESTED, MINIMAL, {"place": {"city": "Oslo"}})],
    ids=["plain", "nested"],
)
def test_each_build_calls_the_tool_and_shows_its_result(show, definition, needs, sent):
    assert KIT.script_for(needs) in adaptive_page(definition)
    screen = show(definition, call=weather)
    city = screen.control("City")
    city.fill("Os")
    screen.run_button.click()
    expect(screen.problem_of(city)).to_contain_text("3 characters")
    assert screen.host.calls == []
    city.fill("Oslo")
    assert screen.submit() == sent
    expect(screen.result).to_contain_text("21")


def test_the_smaller_build_takes_a_schema_that_is_not_plain_as_json(show):
    data = page_data(Tool(NESTED), Settings(default_theme="system"))
    page = minimal_page(Tool(NESTED), data, kit_parts(KIT, PLAIN_MINIMAL))
    screen = show(NESTED, page=page, call=weather)
    place = {"city": "Oslo"}
    screen.control("Place").fill(json.dumps(place))
    assert screen.submit() == {"place": place}
    expect(screen.result).to_contain_text("21")


NULLABLE = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}


@pytest.mark.parametrize(
    ("definition", "needs"), [(PLAIN, PLAIN_MINIMAL), (NESTED, MINIMAL)], ids=["plain", "nested"]
)
def test_the_header_leaves_out_a_null_that_the_schema_refuses(show, definition, needs):
    text = {"type": "string"}
    properties = definition["inputSchema"]["properties"] | {"until": text, "units": NULLABLE, "extra": {}}
    definition = definition | {"inputSchema": definition["inputSchema"] | {"properties": properties}}
    assert KIT.script_for(needs) in adaptive_page(definition)
    screen = show(definition, tool_input=dict.fromkeys(properties))
    screen.host.send_result(WEATHER)
    line = screen.host.frame.get_by_role("button", name="Arguments")
    expect(line).to_have_text("Arguments: Units null Extra null")


def test_the_header_has_no_line_of_arguments_where_all_are_left_out(show):
    screen = show(PLAIN)
    screen.host.send_input({"city": None})
    screen.host.send_result(WEATHER)
    expect(screen.result).to_contain_text("21")
    expect(screen.host.frame.locator("header .args")).to_be_hidden()
