"""What a page stops by itself, with nothing validated: every spelling and every channel of `spellings`.

The normal run takes two kinds of hosts; ``GENUI_GUARD=full`` takes all of them, and says of each attempt which
layer stops it.
"""

import contextlib
import json
import os
import socket
import threading

import pytest
from spellings import CALLS, CHANNELS, SPELLINGS
from view_host import ViewHost

from genui_core.application.built_kit import BuiltViewKit
from genui_core.domain.generated_page import view_page
from genui_core.domain.minimal_view import page_data
from genui_core.domain.page_policy import PagePolicy
from genui_core.domain.settings import Limits
from genui_core.domain.tool import Tool

IS_FULL = os.environ.get("GENUI_GUARD") == "full"
PROFILES = ("spec", "opaque", "noforms", "vscode", "url") if IS_FULL else ("spec", "opaque")
TOOL = {"name": "tool", "inputSchema": {"type": "object"}}
BATCH = """<template><p>Here</p></template>
<script>function render(data, ui) {
  const got = ui.root.dataset;
  const attempts = {
%s
  };
  let w;
  const best = () => { for (const each of [window, document.defaultView, self]) if (each) return each; };
  const run = async () => {
    w = best();
    for (const [name, attempt] of Object.entries(attempts)) {
      const give = (value) => { try { if (value?.realMark === "real") got[`t${Object.keys(attempts).indexOf(name)}`] = name; } catch { got[`t${Object.keys(attempts).indexOf(name)}`] = name; } };
      try { await Promise.race([attempt(give), new Promise((done) => setTimeout(done, 150))]); } catch { /* stopped */ }
    }
    setTimeout(() => { got.done = "1"; }, 200);
  };
  run();
}</script>"""
DOCUMENT = """<!DOCTYPE html><html lang="en"><head><title>a</title></head><body><div id="root"></div><script type="module">
import {{ App }} from "@modelcontextprotocol/ext-apps";
import {{ ui as kit }} from "@mcp-gen-ui/kit";
const app = new App({{ name: "a", version: "1" }});
{script}
app.ontoolresult = () => render({{}}, {{ ...kit, root: document.getElementById("root") }});
await app.connect();
</script></body></html>"""


def source_of(attempts, mode, port=0):
    bodies = ",\n".join(
        f"{json.dumps(name)}: async (give) => {{ {body} }}" for name, body in attempts.items()
    )
    bodies = bodies.replace("'URL'", f"'http://127.0.0.1:{port}/?secret'").replace(
        "URL'", f"http://127.0.0.1:{port}/?secret'"
    )
    bodies = bodies.replace('"URL"', f'"http://127.0.0.1:{port}/?secret"').replace("PORT", str(port))
    fragment = BATCH % bodies
    if mode == "fragment":
        return fragment
    return DOCUMENT.format(script=fragment.partition("<script>")[2].partition("</script>")[0])


def page_of(attempts, mode, layers, port=0):
    """The page of all attempts: under ``none`` and ``policy`` with fewer layers than views are served with."""
    guarded = layers == "all"
    data = page_data(Tool(TOOL), Limits(), "system", guarded=guarded)
    source = source_of(attempts, mode, port)
    return view_page(
        Tool(TOOL), data, BuiltViewKit(), source, mode, policy=PagePolicy(is_on=layers != "none")
    )


@contextlib.contextmanager
def listener():
    """A port on this machine, and what came there."""
    heard = []
    with socket.socket() as ear:
        ear.bind(("127.0.0.1", 0))
        ear.listen(50)

        def hear():
            with contextlib.suppress(OSError):
                while True:
                    caller, _ = ear.accept()
                    heard.append(caller)
                    caller.close()

        threading.Thread(target=hear, daemon=True).start()
        yield ear.getsockname()[1], heard


@pytest.fixture
def attempt(browser, host_origins):
    """Show a page with attempts and return the names of those that got a window, and the view."""
    hosts = []

    def attempt(attempts, profile, mode="fragment", layers="all", port=0):
        host = ViewHost(browser, host_origins)
        hosts.append(host)
        called = {"content": [{"type": "text", "text": "x"}]}
        view = host.mount(
            page_of(attempts, mode, layers, port), profile=profile, tool=TOOL, call=lambda *_: called
        )
        view.frame.evaluate("window.realMark = 'real'")
        view.send_result(called)
        root = view.frame.locator("[data-done]")
        root.wait_for(state="attached")
        seen = root.evaluate("(root) => ({ ...root.dataset })")
        return {value for key, value in seen.items() if key != "done"}, view

    yield attempt
    for host in hosts:
        host.close()


@pytest.mark.parametrize("mode", ["fragment", "document"])
@pytest.mark.parametrize("profile", PROFILES)
def test_no_spelling_hands_a_script_the_window(attempt, profile, mode):
    got, _ = attempt(SPELLINGS, profile, mode)
    assert got == set()


def test_the_same_spellings_do_so_without_the_guard(attempt):
    got, _ = attempt(SPELLINGS, "spec", layers="none")
    assert len(got) > len(SPELLINGS) / 2


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_leaves_the_page(attempt, profile):
    with listener() as (port, heard):
        _, view = attempt(CHANNELS, profile, port=port)
        assert (len(heard), view.requests) == (0, [])


def test_a_peer_connection_leaves_a_page_without_the_guard(attempt):
    one = {name: body for name, body in CHANNELS.items() if name == "peer connection"}
    with listener() as (port, heard):
        attempt(one, "spec", layers="policy", port=port)
        assert heard != []


@pytest.mark.parametrize("mode", ["fragment", "document"])
@pytest.mark.parametrize("profile", PROFILES)
def test_no_channel_calls_a_tool_that_is_not_the_views(attempt, profile, mode):
    _, view = attempt(CALLS, profile, mode)
    assert view.calls == []


@pytest.mark.skipif(not IS_FULL, reason="takes one page for each attempt; set GENUI_GUARD=full")
@pytest.mark.parametrize("layers", ["none", "policy", "all"])
def test_each_layer_stops_what_the_table_says(attempt, layers):
    got = {name for name in SPELLINGS if attempt({name: SPELLINGS[name]}, "spec", layers=layers)[0]}
    print(f"\n{layers}: {len(got)} of {len(SPELLINGS)}: {sorted(got)}")  # noqa: T201 -- the table in docs/security.md
    if layers == "all":
        assert got == set()
