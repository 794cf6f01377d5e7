"""Which other tools the page of a view lets it call."""

import json

from genui_core.application.generation.present_view import present_view
from genui_core.application.pages.view_pages import ViewPages
from genui_core.application.services import Services
from genui_core.application.upstream_tools import Listing, UpstreamTools
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.settings.setting import Hints
from genui_core.domain.settings.settings import GrantedDomains, Settings
from genui_core.domain.tools.tool import Tool, told_name
from genui_core.testing.view_kit import PlainViewKit
from genui_core.testing.view_store import a_view

TOOL = Tool({"name": "list_orders"})
LONG = f"get_{'very_' * 30}order"


def pages(*readers, **settings):
    services = Services(settings=Settings(**settings), kit=PlainViewKit())
    tools = UpstreamTools(services.settings, services.brand)
    tools.readers = frozenset(readers)
    return ViewPages(services, tools)


def view(script):
    source = f"<template><p>a</p></template><script>function render(data, ui) {{ {script} }}</script>"
    return present_view(a_view(html=source))


def listed(tools, *definitions):
    listing = Listing()
    tools.add_page(listing, {"tools": list(definitions)})
    tools.finish(listing)


def data_in(page):
    return json.loads(page.partition('id="mcp-gen-ui-page">')[2].partition("</script>")[0])


def test_a_view_may_call_the_tools_that_only_read_and_that_it_names():
    page = pages("get_order", "get_user").page(
        TOOL, view("ui.call('get_order', {}); ui.call('delete_order', {})")
    )
    assert data_in(page)["related"] == ["get_order"]


def test_the_minimal_view_and_a_view_that_names_none_may_call_their_own_tool_only():
    made = pages("get_order")
    assert "related" not in data_in(made.page(TOOL, None))
    assert "related" not in data_in(made.page(TOOL, view("")))


def test_a_hint_of_the_tool_reaches_its_page_and_that_of_another_tool_does_not():
    page = pages(hints={TOOL.name: Hints(kind="timeline"), "other": Hints(kind="map")}).page(TOOL, None)
    assert data_in(page)["kind"] == "timeline"
    assert "kind" not in data_in(pages().page(TOOL, None))


def test_a_long_name_counts_as_the_prompt_showed_it():
    page = pages(LONG).page(TOOL, view(f"ui.call('{told_name(LONG)}', {{}})"))
    assert data_in(page)["related"] == [LONG]


def test_the_validator_accepts_a_long_name_as_the_prompt_showed_it():
    names = Facts(tool=Tool({"name": LONG})).told_names
    assert names == {LONG, told_name(LONG)}
    assert len(told_name(LONG)) == 100


def test_the_version_of_a_page_follows_what_its_view_may_call_and_its_policy():
    named = view("ui.call('get_order', {})")
    versions = {
        pages().version(TOOL, named),
        pages("get_order").version(TOOL, named),
        pages(page_policy=False).version(TOOL, named),
    }
    assert len(versions) == 3


def test_a_page_and_its_address_follow_the_name_of_the_tool_that_the_page_calls_for_its_next_view():
    made = pages()
    listed(made.tools, TOOL.definition)
    before = made.address(TOOL)
    listed(made.tools, TOOL.definition, {"name": "_ui_view"})
    assert made.address(TOOL) != before
    assert made.address(TOOL) == made.address(TOOL)


def test_without_a_page_policy_the_page_neither_has_one_nor_guards_its_frame():
    page = pages(page_policy=False).page(TOOL, view(""))
    assert "Content-Security-Policy" not in page
    assert data_in(page)["guarded"] is False


def test_frames_are_left_to_a_view_only_where_an_origin_for_them_is_granted():
    granted = GrantedDomains(frame=("https://maps.example",))
    assert data_in(pages(granted=granted).page(TOOL, view("")))["frames"] is True
    others = GrantedDomains(connect=("https://maps.example",), base_uri=("https://maps.example",))
    assert "frames" not in data_in(pages(granted=others).page(TOOL, view("")))
