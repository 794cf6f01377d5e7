"""The official MCP Inspector in front of the wrapper shows the views in its tab for MCP Apps.

The Inspector is a download of 300 MB, so only a full run takes these tests (`dev.py test --full`).
"""

import json
import re
import socket
import subprocess
import sys
import time

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.matrix(quick=0)
WRITTEN = """<template><p></p></template><script>function render(data, ui) {
  ui.root.querySelector("p").textContent = `Written for ${data.place.city}`;
}</script><!--end-->"""
ERAS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
START_S = 120
WAIT_MS = 60_000
"""Generous timeouts, because the test machine may be busy."""


def first(look):
    """Wait until ``look`` finds something, and return the first."""
    deadline = time.monotonic() + START_S
    while not (found := list(look())):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found[0]


class Inspector:
    """The Inspector in a browser, connected to a server."""

    def __init__(self, page):
        self.page = page
        page.set_default_timeout(WAIT_MS)

    def connect(self):
        self.page.get_by_role("switch", name="Connect or disconnect").press("Space")
        self.page.get_by_text("Connected", exact=True).wait_for()

    def choose_app(self, title):
        """Open the tab for MCP Apps and choose a tool."""
        self.page.get_by_text("Apps", exact=True).click()
        self.page.get_by_text(title, exact=True).first.click()

    def open_app(self, **arguments):
        """Call the chosen tool, and return the frame of its view."""
        for label, value in arguments.items():
            self.page.get_by_role("textbox", name=label).fill(value)
        self.page.get_by_role("button", name="Open App").click()
        return self.page.frame_locator("iframe").frame_locator("iframe")


@pytest.fixture(params=ERAS)
def era(request):
    """The protocol era that the Inspector uses."""
    return request.param


@pytest.fixture(params=["", "views.example"], ids=["opaque origin", "own origin"])
def domain(request):
    """A value of ``security.domain``: with any text the Inspector gives the view its own origin."""
    return request.param


@pytest.fixture
def server(repository, tmp_path, era, domain):
    """The Inspector's entry of the wrapped weather server, whose views a person writes."""
    settings = {
        "generation": {"serveWithinMs": 1, "timeoutMs": 120_000},
        "security": {"permissions": ["clipboardWrite"], "domain": domain},
    }
    (tmp_path / "config.json").write_text(json.dumps(settings))
    words = ["-P", "-m", "genui_cli", "--config", str(tmp_path / "config.json")]
    words += ["--llm", f"manual:{tmp_path / 'questions'}", "--", sys.executable]
    upstream = repository / "examples" / "weather-server" / "weather_server.py"
    return {"command": sys.executable, "args": [*words, str(upstream)], "protocolEra": era}


@pytest.fixture
def address(inspector_program, server, tmp_path, environment):
    """The address of an Inspector with the server in its list."""
    (tmp_path / "servers.json").write_text(json.dumps({"mcpServers": {"weather": server}}))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    told = {**environment, "HOME": str(tmp_path), "CLIENT_PORT": str(port), "MCP_SANDBOX_PORT": "0"}
    told |= {
        "MCP_APP_ORIGIN_PORT": "0",
        "MCP_AUTO_OPEN_ENABLED": "false",
        "MCP_INSPECTOR_SECRET_STORE": "memory",
    }
    argv = [*inspector_program, "--web", "--config", tmp_path / "servers.json"]
    log = tmp_path / "inspector.log"

    def printed():
        assert child.poll() is None, log.read_text()
        return re.findall(r"http://\S+MCP_INSPECTOR_API_TOKEN=\w+", log.read_text())

    with (
        log.open("wb") as output,
        subprocess.Popen(argv, cwd=tmp_path, env=told, stdout=output, stderr=output) as child,
    ):
        try:
            yield first(printed)
        finally:
            child.terminate()


@pytest.fixture
def inspector(address, browser):
    """The Inspector's page without other network access; an error in it or in a view fails the test."""
    context, errors = browser.new_context(viewport={"width": 1920, "height": 1080}), []
    context.route(re.compile(r"^https?://(?!127\.0\.0\.1|localhost)"), lambda route: route.abort())
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield Inspector(page)
    context.close()
    assert errors == []


def test_the_inspector_mounts_the_view_and_shows_the_written_one_in_the_same_frame(
    inspector, tmp_path, era, domain
):
    inspector.connect()
    inspector.page.get_by_text(f"MCP {ERAS[era]}").wait_for()
    inspector.choose_app("Current weather")
    view = inspector.open_app(City="Oslo")
    view.get_by_text("Humidity Percent").wait_for()
    expect(view.get_by_text("Oslo", exact=True).last).to_be_visible()
    outer, inner = inspector.page.frames[1:]
    assert "clipboard-write" in inner.frame_element().get_attribute("allow")
    origin = inner.evaluate("origin")
    assert origin != outer.evaluate("origin")
    assert (origin != "null") is bool(domain)
    inner.evaluate("window.mark = 'the same document'")

    question = first(lambda: (tmp_path / "questions").glob("*.prompt.md"))
    assert '"get_current_weather"' in question.read_text()
    answer = question.with_name(question.name.replace(".prompt.", ".answer."))
    answer.write_text(WRITTEN)
    view.get_by_text("Written for Oslo").wait_for()
    assert inner.evaluate("window.mark") == "the same document"
    assert inspector.page.frames[1:] == [outer, inner]

    view.get_by_role("button", name="Edit").click()
    view.get_by_role("combobox", name="City").fill("Lima")
    view.get_by_role("button", name="Run again", exact=True).last.click()
    view.get_by_text("Written for Lima").wait_for()
    assert inner.evaluate("window.mark") == "the same document"
