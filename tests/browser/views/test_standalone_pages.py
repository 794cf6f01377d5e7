"""Exported pages in a host of MCP Apps, in a host with mcp-ui only, and opened without a host."""

import json

import pytest
from accessibility import AXE, RUN_AXE
from playwright.sync_api import expect

from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.pages.page_frame import PageNeeds
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

TOOL = {
    "name": "find_books",
    "title": "Find books",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
}
FRAGMENT = """<style>b { color: inherit }</style>
<template><b></b></template>
<script>
function render(data, ui) {
  ui.root.querySelector("b").textContent = `${data.rows.length} found`;
  const ask = ui.el("button", { type: "button" }, "Ask");
  ask.addEventListener("click", () => ui.tellModel("Which one?"));
  ui.root.append(ask);
}
</script>"""
DOCUMENT = """<!DOCTYPE html>
<html lang="en"><head><title>Books</title></head><body><p id="out">waiting</p>
<script type="module">
import { App } from "@modelcontextprotocol/ext-apps";
const app = new App({ name: "books", version: "1.0.0" });
app.ontoolresult = (result) => { document.getElementById("out").textContent = `${result.structuredContent.rows.length} found`; };
await app.connect();
</script></body></html>"""
VIEWS = {"minimal": ("", "fragment"), "fragment": (FRAGMENT, "fragment"), "document": (DOCUMENT, "document")}
ROWS = {"rows": [{"title": "Middlemarch", "year": 1871}, {"title": "Kim", "year": 1901}]}
SEEN = {"minimal": "Middlemarch", "fragment": "2 found", "document": "2 found"}

MCP_UI_HOST = """<!doctype html><html lang="en"><title>Host</title><iframe title="View" sandbox="allow-scripts" width="700" height="600"></iframe>
<script>
const said = [];
const frame = document.querySelector("iframe");
const tell = (message) => frame.contentWindow.postMessage(message, "*");
addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  said.push(data);
  if (data.type === "ui-lifecycle-iframe-ready") tell({ type: "ui-lifecycle-iframe-render-data", payload: { renderData: RENDER_DATA } });
  if (data.type === "tool") {
    tell({ type: "ui-message-received", messageId: data.messageId });
    tell({ type: "ui-message-response", messageId: data.messageId, payload: { response: { content: [{ type: "text", text: `found ${data.payload.params.text}` }] } } });
  }
});
</script>"""


def standalone(kind):
    source, mode = VIEWS[kind]
    kit = BuiltViewKit()
    data = page_data(Tool(TOOL), Settings(default_theme="system"))
    parts = kit_parts(kit, PageNeeds()).with_script(kit.standalone_script)
    return view_page(Tool(TOOL), data, parts, source, mode)


@pytest.fixture(scope="module")
def tab(browser):
    """Open a tab; an error in it fails the test."""
    context = browser.new_context(viewport={"width": 800, "height": 700})
    context.set_default_timeout(20_000)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    yield page
    context.close()
    assert errors == []


@pytest.mark.parametrize("kind", VIEWS)
def test_an_exported_page_works_as_before_in_a_host_of_mcp_apps(mount, kind):
    host = mount(standalone(kind), tool=TOOL)
    host.send_result({"content": [], "structuredContent": ROWS})
    expect(host.frame.locator("body")).to_contain_text(SEEN[kind])
    # Whatever else it may have tried would stand among the messages.
    assert all(each["message"].get("jsonrpc") == "2.0" for each in host.messages)


@pytest.mark.parametrize("kind", VIEWS)
def test_an_exported_page_shows_the_render_data_and_acts_in_a_host_with_mcp_ui_only(tab, kind):
    tab.goto("about:blank")
    tab.set_content(MCP_UI_HOST.replace("RENDER_DATA", json.dumps(ROWS)))
    tab.evaluate("html => { frame.srcdoc = html }", standalone(kind))
    frame = tab.frame_locator("iframe")
    expect(frame.locator("body")).to_contain_text(SEEN[kind])
    tab.wait_for_function("said.some(({ type }) => type === 'ui-size-change')")
    if kind == "fragment":
        frame.get_by_role("button", name="Ask").click()
        tab.wait_for_function("said.some(({ type }) => type === 'intent')")
    if kind == "minimal":
        frame.get_by_role("button", name="Edit").click()
        frame.get_by_label("Text").fill("eliot")
        frame.get_by_role("button", name="Run").click()
        expect(frame.locator("body")).to_contain_text("found eliot")
        calls = tab.evaluate("said.filter(({ type }) => type === 'tool').map(({ payload }) => payload)")
        assert calls == [{"toolName": "find_books", "params": {"text": "eliot"}}]


@pytest.mark.parametrize("kind", ["minimal", "fragment"])
def test_an_exported_page_without_a_host_shows_the_form_and_says_so(tab, tmp_path, kind):
    path = tmp_path / "page.html"
    path.write_text(standalone(kind), encoding="utf-8")
    tab.goto(path.as_uri())
    expect(tab.get_by_role("complementary")).to_contain_text("No MCP host shows this page")
    tab.get_by_label("Text").fill("eliot")
    tab.get_by_role("button", name="Run").click()
    expect(tab.get_by_role("region", name="Result", exact=True)).to_contain_text("cannot be run here")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab.evaluate(AXE.read_text(encoding="utf-8"))
    assert tab.evaluate(RUN_AXE) == []


def test_an_exported_document_without_a_host_says_so_too(tab, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(standalone("document"), encoding="utf-8")
    tab.goto(path.as_uri())
    expect(tab.get_by_role("complementary")).to_contain_text("No MCP host shows this page")
