"""The layers of a page stop attacks in every kind of host of the preview, without the validator.

The normal run takes one kind of host; ``GENUI_GUARD=full`` takes all of them.
"""

import json
import os
import sys
import time

import pytest
from playwright.sync_api import expect
from spellings import CALLS, CHANNELS, SPELLINGS, TOOL, listener, page_of

from genui_cli.preview.guard import PROFILES

PATIENCE_S = 15
IS_FULL = os.environ.get("GENUI_GUARD") == "full"
MODES = ("fragment", "document") if IS_FULL else ("fragment",)
EVERYTHING = {
    **SPELLINGS,
    **{f"channel: {name}": body for name, body in CHANNELS.items()},
    **{f"call: {name}": body for name, body in CALLS.items()},
}
SERVER = """
import json, sys
pages, calls = sys.argv[1:]
def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}, "resources": {}}, "serverInfo": {"name": "a", "version": "1"}}
    if method == "tools/list":
        return {"tools": json.load(open(pages + "/tools.json"))}
    if method == "resources/read":
        html = open(pages + "/" + params["uri"].removeprefix("ui://"), encoding="utf-8").read()
        return {"contents": [{"uri": params["uri"], "mimeType": "text/html;profile=mcp-app", "text": html}]}
    if method == "tools/call":
        print(params["name"], file=open(calls, "a"))
        return {"content": [{"type": "text", "text": "x"}]}
    return {}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer(asked["method"], asked.get("params", {}))}), flush=True)
"""


@pytest.fixture
def attempt(start_preview, browser, tmp_path):
    """Show a page with attempts in the preview; return those that got a window, and the called tools.

    It waits until ``until``, which gets the called tools, returns true.
    """
    contexts = []

    def attempt(attempts, profile, mode="fragment", layers="all", port=0, until=list):
        calls = tmp_path / "calls"
        (tmp_path / "server.py").write_text(SERVER)
        shown = {**TOOL, "_meta": {"ui": {"resourceUri": "ui://page"}}}
        (tmp_path / "tools.json").write_text(json.dumps([shown, {**TOOL, "name": "delete_all"}]))
        (tmp_path / "page").write_text(page_of(attempts, mode, layers, port), encoding="utf-8")
        preview = start_preview(sys.executable, str(tmp_path / "server.py"), str(tmp_path), str(calls))
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.goto(f"{preview.address}&tool=tool&profile={profile}")
        expect(page.locator("#card")).to_have_attribute("data-state", "live")
        view = page.frames[2]
        view.evaluate("window.realMark = 'real'")
        page.locator("#call").click()
        root = view.locator("[data-done]")
        root.wait_for(state="attached")
        seen = root.evaluate("(root) => ({ ...root.dataset })")
        deadline = time.monotonic() + PATIENCE_S
        while not until(calls.read_text().split()) and time.monotonic() < deadline:
            page.wait_for_timeout(50)
        return {value for key, value in seen.items() if key != "done"}, calls.read_text().split()

    yield attempt
    for context in contexts:
        context.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("profile", PROFILES if IS_FULL else ("strict",))
def test_no_attempt_reaches_the_window_the_network_or_another_tool(attempt, profile, mode):
    with listener() as (port, heard):
        got, called = attempt(EVERYTHING, profile, mode, port=port)
        assert (got, called, len(heard)) == (set(), ["tool"], 0)


def test_the_same_attempts_get_through_without_the_layers(attempt):
    with listener() as (port, heard):
        got, called = attempt(
            EVERYTHING,
            "spec",
            layers="none",
            port=port,
            until=lambda called: "delete_all" in called and heard != [],
        )
        assert len(got) > len(SPELLINGS) / 2
        assert "delete_all" in called
        assert heard != []
