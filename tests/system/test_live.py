"""The command with a person as its model: a page that waits gets the view when it is written, over stdio and HTTP."""

import contextlib
import json
import threading
import time

import pytest

from .made_views import FRAGMENTS, MadeViews, command, tool
from .test_serve import Served

APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
MINIMAL, LONG_MS = "e3b0c442", 20_000
SOON = {"serveWithinMs": 1, "timeoutMs": 120_000}


def question(**more):
    return {"name": "_ui_view", "arguments": {"toolName": "rows", "have": MINIMAL, **more}}


class OverStdio:
    """A host on standard streams."""

    def __init__(self, host):
        self.made = MadeViews(host)
        self.made.host.connect()
        self.made.host.request("tools/list")

    def result(self, method, params):
        return self.made.host.request(method, params)["result"]


class OverHttp:
    """A stateless host over Streamable HTTP."""

    def __init__(self, host):
        self.served = Served(host)
        self.served.until_ready()
        self.made = MadeViews(host)

    def result(self, method, params):
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": APPS,
        }
        headers = {"mcp-name": params["uri"]} if "uri" in params else {}
        status, answer = self.served.post(method, {"_meta": meta, **params}, **headers)
        assert status == 200, answer
        return answer["result"]


@pytest.fixture(params=[OverStdio, OverHttp])
def host(request, open_host, tmp_path):
    """Start the command with a tool ``rows`` and a person as its model."""
    flags = ("--llm", f"manual:{tmp_path / 'questions'}")
    if request.param is OverHttp:
        flags = (*flags, "--transport", "http", "--port", "0")
    return request.param(open_host(*command(tmp_path, [tool("rows")], *flags, generation=SOON)))


def test_a_page_that_waits_gets_the_view_when_it_is_written(host, tmp_path):
    read = host.result("resources/read", {"uri": "ui://rows"})
    assert '"live":{"tool":"_ui_view"' in read["contents"][0]["text"]
    wanted = host.made.wait_for_event("answer_wanted")["metadata"]["answer"]
    assert host.result("tools/call", question())["structuredContent"] == {
        "tool": "rows",
        "version": MINIMAL,
        "state": "pending",
    }
    view = (FRAGMENTS / "plain.txt").read_text()
    threading.Timer(0.5, lambda: (tmp_path / wanted).write_text(view)).start()
    began = time.monotonic()
    result = host.result("tools/call", question(waitMs=LONG_MS))
    assert 0.5 < time.monotonic() - began < 5
    part = result["structuredContent"]
    assert part["state"] == "written"
    assert "drawn as plain" in part["template"] + part["script"]
    assert json.loads(result["content"][0]["text"]) == part
    assert len(host.made.events("generation_started")) == 1


def test_an_open_question_does_not_hold_up_the_end(host):
    host.result("resources/read", {"uri": "ui://rows"})
    host.made.wait_for_event("answer_wanted")
    ask = threading.Thread(target=_quietly, args=(host, question(waitMs=LONG_MS)), daemon=True)
    ask.start()
    time.sleep(0.5)
    began = time.monotonic()
    host.made.host.child.terminate()
    host.made.host.wait()
    assert time.monotonic() - began < 5
    assert "Traceback" not in host.made.host.log_text()


def _quietly(host, params):
    with contextlib.suppress(Exception):  # the command ends before it answers
        host.result("tools/call", params)
