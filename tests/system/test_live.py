"""With a person as the model, a waiting page gets the view as soon as it is written, over stdio and HTTP."""

import contextlib
import json
import threading
import time

import pytest
from open_page import OpenPage
from playwright.sync_api import expect
from view_host import ViewHost

from .made_views import FRAGMENTS, MadeViews, command, tool
from .test_serve import Served

APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
MINIMAL, LONG_MS = "e3b0c442", 20_000
SOON = {"serveWithinMs": 1, "timeoutMs": 120_000}
RESULT = {"content": [], "structuredContent": {"rows": [{"name": "a", "value": 3}]}}
FOCUS = "{ const then = performance.now(); performance.now = () => then + 60001; dispatchEvent(new Event('focus')); }"
"""Gives the page the focus, a minute later by its clock."""


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
def start(request, open_host, tmp_path):
    """Start the command with a tool ``rows``."""
    more = ("--transport", "http", "--port", "0") if request.param is OverHttp else ()
    return lambda *flags: request.param(
        open_host(*command(tmp_path, [tool("rows")], *flags, *more, generation=SOON))
    )


@pytest.fixture
def host(start, tmp_path):
    """Start the command with a person as its model."""
    return start("--llm", f"manual:{tmp_path / 'questions'}")


@pytest.fixture
def open_page(browser, host_origins):
    """Read the view of ``rows`` and open it in a browser whose calls go to the command."""
    view_host = ViewHost(browser, host_origins)

    def open_page(host):
        (read,) = host.result("resources/read", {"uri": "ui://rows"})["contents"]
        options = {"tool": tool("rows"), "result": RESULT, "capabilities": {"message": {"text": {}}}}
        return OpenPage(view_host, host, read["text"], serial=True, **options)

    yield open_page
    view_host.close()


def hand_in(host, words):
    view = (FRAGMENTS / "plain.txt").read_text().replace("drawn as plain", words)
    assert words in view
    arguments = {"toolName": "rows", "html": view}
    result = host.result("tools/call", {"name": "_ui_submit", "arguments": arguments})
    assert not result["isError"], result


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


def test_a_pending_call_of_a_page_does_not_delay_the_exit(host):
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


def test_a_page_that_was_finished_when_it_was_read_shows_the_next_view_on_its_next_focus(start, open_page):
    host = start("--llm", "none")
    hand_in(host, "the first view")
    page = open_page(host)
    page.until(page.shows("the first view"))
    frame = page.view.frame
    frame.evaluate("document.title = 'the same frame'")
    hand_in(host, "the second view")
    frame.evaluate(FOCUS)
    page.until(page.shows("the second view"))
    assert frame.evaluate("document.title") == "the same frame"
    frame.get_by_role("button", name="Undo").click()
    page.until(page.shows("the first view"))
    assert {given["waitMs"] for given in page.polls} == {0}, "it waits for none"
    assert page.view.violations == []


def test_a_page_of_a_tool_without_a_written_view_offers_the_one_that_is_handed_in(start, open_page):
    host = start("--llm", "none")
    page = open_page(host)
    expect(page.view.frame.locator("section.result")).to_contain_text("a")
    hand_in(host, "the first view")
    page.view.frame.evaluate(FOCUS)
    page.until(page.shows("Show the new view"))
    page.view.frame.get_by_role("button", name="Show the new view").click()
    page.view.until(lambda: page.view.said("ui/message"))
    assert "rows" in page.view.said("ui/message")[0]["content"][0]["text"]
    assert len(page.polls) == 1
    assert page.view.violations == []
