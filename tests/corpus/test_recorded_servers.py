"""Each of thousands of real tools gets a view, keeps its definition, and has a page that parses
(requirement W3).
"""

import json
import sys
from pathlib import Path

import html5lib
import pytest

from genui_core.domain.mcp.json_text import canonical_json
from genui_core.domain.pages.minimal_view import minimal_page, page_data
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.testing.view_kit import PlainViewKit

UPSTREAM = Path(__file__).parent / "recorded_upstream.py"

pytestmark = pytest.mark.matrix(quick=8)


def test_every_tool_keeps_its_definition_and_gains_an_address_that_can_be_read(
    recording, recorded_tools, open_host, proxy
):
    host = open_host(*proxy, sys.executable, UPSTREAM, recording)
    host.connect()
    answered = host.request("tools/list")["result"]["tools"]
    listed, own = answered[: len(recorded_tools)], answered[len(recorded_tools) :]
    assert len(listed) == len(recorded_tools)
    assert all(each["name"].startswith("_ui_") for each in own)
    for before, after in zip(recorded_tools, listed, strict=True):
        ours = json.loads(json.dumps(after))
        uri = ours["_meta"]["ui"]["resourceUri"]
        if uri == before.get("_meta", {}).get("ui", {}).get("resourceUri"):
            assert after == before
            continue
        for added in ("ui/resourceUri", "openai/outputTemplate"):
            assert ours["_meta"].pop(added) == uri
        ours["_meta"]["ui"].pop("resourceUri")
        assert without_empty(ours) == without_empty(before)
    for tool in listed[:3]:
        uri = tool["_meta"]["ui"]["resourceUri"]
        if "?v=" in uri:
            assert host.request("resources/read", {"uri": uri})["result"]["contents"][0]["uri"] == uri
    assert host.close() == 0


def without_empty(tool):
    """Return a definition without empty objects in `_meta`, and without an empty `_meta`."""
    meta = {key: value for key, value in tool.get("_meta", {}).items() if value != {}}
    rest = {key: value for key, value in tool.items() if key != "_meta"}
    return {**rest, "_meta": meta} if meta else rest


def test_every_page_parses_without_an_error_and_carries_its_tool(recorded_tools):
    for definition in recorded_tools:
        tool = Tool(definition)
        page = minimal_page(tool, page_data(tool, Settings()), PlainViewKit())
        assert len(page.encode()) < 256_000
        document = html5lib.HTMLParser(strict=True).parse(page)
        (block,) = (each for each in document.iter() if each.get("id") == "mcp-gen-ui-page")
        assert json.loads(block.text)["tool"]["name"] == tool.name
        assert len(tool.hash) == 64
        assert json.loads(canonical_json(definition)) == definition
