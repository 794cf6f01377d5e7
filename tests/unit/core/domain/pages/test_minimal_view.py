import json
import re
from html.parser import HTMLParser

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import page_needs
from genui_core.domain.pages.minimal_view import Notice, body_version, minimal_page, page_data
from genui_core.domain.pages.tool_look import OUTLINES, ServerLook, accent
from genui_core.domain.settings.setting import Hints
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- <script>",
    "{{{tool}}} {{/x}} ${y} {0} {name} %s",
    "line\nbreak \"quotes\" 'and' `ticks` \\ back",
    "nul \x00 bell \x07 \u2028 \u2029",
    "\u202eright to left\u202c مرحبا",
    "lone \ud800 surrogate",
    "]]> &amp; &lt;",
]


class Kit:
    style = "body{color:red}"
    script = "globalThis.McpGenUi={startAdaptiveView(){}}"
    document_script = ""


def page(tool):
    return minimal_page(tool, page_data(tool, Settings()), Kit)


def data_of(html):
    return json.loads(re.search(r'id="mcp-gen-ui-page">(.*?)</script>', html, re.DOTALL)[1])


class Outline(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.attributes = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs


PLAIN = Outline(page(Tool({"name": "plain"}))).tags


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_adds_no_element_and_arrives_unchanged(text):
    definition = {
        "name": text,
        "title": text,
        "description": text,
        "inputSchema": {"properties": {text: {"default": text}}},
    }
    html = page(Tool(definition))
    outline = Outline(html)
    assert outline.tags == PLAIN
    assert not [name for name, _ in outline.attributes if name.startswith("on")]
    assert data_of(html)["tool"] == definition
    html.encode()


@given(st.text())
def test_any_name_makes_a_document_without_parse_errors(name):
    html = page(Tool({"name": name, "description": name}))
    assert Outline(html).tags == PLAIN
    parser = html5lib.HTMLParser(strict=True)
    parser.parse(html)


def test_a_description_of_100_kb_is_cut():
    shown = data_of(page(Tool({"name": "a", "description": "x" * 100_000})))["tool"]["description"]
    assert len(shown) < 21_000
    assert shown.endswith("…")


def test_a_schema_bomb_is_left_out_with_the_reason():
    values = [f"value {number}" for number in range(100_000)]
    data = data_of(page(Tool({"name": "a", "inputSchema": {"properties": {"x": {"enum": values}}}})))
    assert "inputSchema" not in data["tool"]
    assert "too large" in data["schemaOmitted"]
    assert data["notice"]["kind"] == "limit"


def test_a_huge_output_schema_goes_before_the_form_does():
    bomb = {"enum": ["x" * 100] * 5_000}
    data = data_of(page(Tool({"name": "a", "inputSchema": {"type": "object"}, "outputSchema": bomb})))
    assert data["tool"] == {"name": "a", "inputSchema": {"type": "object"}}
    assert data["schemaOmitted"] is None
    assert data["notice"]["kind"] == "limit"


def test_a_more_urgent_notice_is_not_pushed_aside_by_a_limit():
    bomb = Tool({"name": "a", "inputSchema": {"enum": ["x" * 100] * 5_000}})
    data = json.loads(page_data(bomb, Settings(default_theme="dark"), Notice("fallback", "why")))
    assert data["notice"]["kind"] == "fallback"


def test_a_page_stays_under_256_kb_whatever_the_definition():
    bomb = {"enum": ["\ud800" * 100] * 5_000}
    html = page(
        Tool({"name": "n" * 10_000, "description": "<" * 100_000, "inputSchema": bomb, "outputSchema": bomb})
    )
    assert len(html.encode()) < 256_000


@pytest.mark.parametrize(
    "key", ["title", "description", "inputSchema", "outputSchema", "annotations", "name"]
)
@pytest.mark.parametrize("bomb", ["<", "\ud800", "x"])
def test_a_page_with_the_kit_stays_under_256_kb_whatever_is_large(key, bomb):
    large = bomb * 8_000 if key == "name" else bomb * 150_000
    definition = {"name": "a", "inputSchema": {"type": "object"}, "description": bomb * 15_000}
    definition[key] = large if key in ("title", "description", "name") else {"enum": [large]}
    tool = Tool(definition)
    parts = kit_parts(BuiltViewKit(), page_needs(tool))
    html = minimal_page(tool, page_data(tool, Settings()), parts)
    assert len(html.encode()) < 256_000
    assert ("inputSchema" in data_of(html)["tool"]) is (key != "inputSchema")


def test_a_number_beyond_all_numbers_leaves_a_page_that_browsers_can_read():
    schema = json.loads('{"properties": {"x": {"maximum": 1e999, "default": -1e999, "minimum": 1}}}')
    text = page_data(Tool({"name": "a", "inputSchema": schema}), Settings())
    assert "Infinity" not in text
    shown = json.loads(text)["tool"]["inputSchema"]["properties"]["x"]
    assert shown == {"maximum": None, "default": None, "minimum": 1}


@pytest.mark.parametrize(
    ("kind", "told"), [("map", "map"), ("timeline", "timeline"), ("chart", None), (None, None)]
)
def test_the_page_gets_only_kinds_that_the_kit_draws(kind, told):
    assert (
        json.loads(page_data(Tool({"name": "t"}), Settings(hints={"t": Hints(kind=kind)}))).get("kind")
        == told
    )


def test_only_fields_that_the_view_shows_reach_the_page():
    html = page(Tool({"name": "a", "_meta": {"secret": "canary"}, "icons": [{"src": "data:canary"}]}))
    assert "canary" not in html


def test_a_title_that_a_program_made_of_the_name_does_not_reach_the_page():
    names = {"is_dst": {"title": "Is Dst"}, "of": {"title": "Time of day"}, "name": "no schema"}
    schema = {"type": "object", "properties": {**names, "list": {"items": {"properties": dict(names)}}}}
    told = data_of(page(Tool({"name": "tool", "inputSchema": schema})))["tool"]["inputSchema"]["properties"]
    assert told["is_dst"] == told["list"]["items"]["properties"]["is_dst"] == {}
    assert told["of"] == {"title": "Time of day"}
    assert names["is_dst"], "the definition itself stays as it is"


def test_a_notice_reaches_the_page():
    data = json.loads(
        page_data(Tool({"name": "a"}), Settings(default_theme="dark"), Notice("provisional", "soon"))
    )
    assert data["notice"] == {"kind": "provisional", "text": "soon"}
    assert data["theme"] == "dark"


def test_the_version_follows_the_key_the_data_and_the_kit():
    versions = {
        body_version(*parts) for parts in (("k", "d", "b"), ("K", "d", "b"), ("k", "D", "b"), ("k", "d", "B"))
    }
    assert len(versions) == 4
    assert all(re.fullmatch("[0-9a-f]{8}", each) for each in versions)


@pytest.mark.parametrize("server", HOSTILE)
def test_the_name_of_a_server_arrives_unchanged_and_adds_no_element(server):
    tool = Tool({"name": "plain"})
    html = minimal_page(tool, page_data(tool, Settings(), server=ServerLook(server)), Kit)
    assert Outline(html).tags == PLAIN
    assert data_of(html)["server"] == server


def test_a_page_gets_the_accent_of_its_server_and_the_icon_of_its_tool():
    tool = Tool({"name": "git_log"})
    one, same, other = (
        json.loads(page_data(tool, Settings(), server=ServerLook(name))) for name in ("git", "git", "weather")
    )
    assert one == same
    assert one["look"] != other["look"]
    assert one["look"] == accent("pink")
    assert one["icon"] == {"outline": OUTLINES["commit"]}
    assert "server" not in json.loads(page_data(tool, Settings()))
    assert len(json.loads(page_data(tool, Settings(), server=ServerLook("x" * 9000)))["server"]) == 200


def test_a_picture_of_the_tool_s_own_takes_the_place_of_the_outline():
    picture = "data:image/png;base64,iVBORw0KGgo="
    tool = Tool({"name": "git_log", "icons": [{"src": picture}]})
    assert json.loads(page_data(tool, Settings()))["icon"] == {"picture": picture}
