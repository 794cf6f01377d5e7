"""Open pages wait for their next view while hosts, wrappers and the browser fail."""

import contextlib
import itertools
import json
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from made_views import FRAGMENTS, MadeViews, command, tool
from open_page import OpenPage
from playwright.sync_api import expect
from test_serve import META, Served
from view_host import ViewHost

from .conftest import Resources

MINIMAL, LONG_MS = "e3b0c442", 20_000
SOON = {"serveWithinMs": 1, "timeoutMs": 120_000}
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
RESULT = {
    "content": [],
    "structuredContent": {"rows": [{"name": "a", "value": 3}, {"name": "b", "value": 1200}]},
}
VIEW = (FRAGMENTS / "plain.txt").read_text()
SETTLED_MS = 2_500
OPEN_PAGES, GROWTH_KB, SPARE = 200, 24_000, 8
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is told by /proc")


pytestmark = pytest.mark.matrix(quick=0)
"""Each test starts a wrapper, and most a browser, so they run only with `--full`."""


def question(have=MINIMAL, wait_ms=LONG_MS):
    return {"name": "_ui_view", "arguments": {"toolName": "rows", "have": have, "waitMs": wait_ms}}


class Wrapper:
    """The command over HTTP with a person as its model."""

    def __init__(self, open_host, folder, name, port):
        folder = folder / name
        folder.mkdir(exist_ok=True)
        self.questions = folder / "questions"
        cache = {"type": "filesystem", "directory": str(folder.parent / "cache")}
        flags = ("--llm", f"manual:{self.questions}", "--transport", "http", "--port", str(port))
        self.host = open_host(*command(folder, [tool("rows")], *flags, generation=SOON, cache=cache))
        self.made, self.served = MadeViews(self.host), Served(self.host)
        self.served.until_ready()

    def result(self, method, params):
        meta = {**META, "io.modelcontextprotocol/clientCapabilities": APPS}
        headers = {"mcp-name": params["uri"]} if "uri" in params else {}
        status, answer = self.served.post(method, {"_meta": meta, **params}, **headers)
        assert status == 200, answer
        return answer.get("result") or {"content": [], "isError": True, **answer}

    def page(self):
        """Read the view of the tool, which starts a generation."""
        return self.result("resources/read", {"uri": "ui://rows"})["contents"][0]["text"]

    def part(self, **asked):
        """Request the next view as a page does."""
        return self.result("tools/call", question(**asked))["structuredContent"]

    def answer_file(self):
        """Wait until the model is asked; return the path of the file for its answer."""
        return self.questions.parent.parent / self.made.wait_for_event("answer_wanted")["metadata"]["answer"]

    def kill(self):
        self.host.child.kill()
        self.host.wait()


class StdioWrapper:
    """The command over stdio; if a person is its model, reads do not wait for the person."""

    def __init__(self, open_host, folder, name, *flags):
        folder = folder / name
        folder.mkdir()
        cache = {"type": "filesystem", "directory": str(folder.parent / "cache")}
        generation = SOON if flags else {}
        words = command(folder, [tool("rows")], *flags, generation=generation, cache=cache)
        self.made = MadeViews(open_host(*words))
        self.made.host.connect()
        self.made.host.request("tools/list")
        self._ids, self._sending = itertools.count(1000), threading.Lock()

    def result(self, method, params):
        with self._sending:
            number = next(self._ids)
            self.made.host.send(method, params, id=number)
        return self.made.host.answer(number)["result"]


@pytest.fixture
def start(open_host, tmp_path, monkeypatch):
    """Start a wrapper; all wrappers share a store, and a new one may take the port of an earlier one."""
    monkeypatch.chdir(tmp_path)
    return lambda name="one", port=0: Wrapper(open_host, tmp_path, name, port)


@pytest.fixture
def start_stdio(open_host, tmp_path, monkeypatch):
    """Start a wrapper over stdio; all wrappers share a store and have the same upstream."""
    monkeypatch.chdir(tmp_path)
    return partial(StdioWrapper, open_host, tmp_path)


@pytest.fixture
def open_page(browser, host_origins):
    """Open the page of a wrapper in a new host."""
    with contextlib.ExitStack() as hosts:

        def open_page(wrapper, page, **behaviour):
            view_host = ViewHost(browser, host_origins)
            hosts.callback(view_host.close)
            return OpenPage(view_host, wrapper, page, tool=tool("rows"), result=RESULT, **behaviour)

        yield open_page


def test_a_host_that_refuses_the_calls_of_views_is_asked_no_more(start, open_page):
    wrapper = start()
    page = open_page(wrapper, wrapper.page(), refuses=True)
    page.until(lambda: page.polls)
    wrapper.answer_file().write_text(VIEW)
    wrapper.made.wait_for_event("generation_completed")
    page.pump(SETTLED_MS)
    expect(page.view.frame.locator("section.result")).to_contain_text("1,200")
    expect(page.view.frame.get_by_text("Designing this view…")).to_have_count(0)
    assert len(page.polls) <= 2, "the first may make way for the question for the state of the page"


def test_a_host_that_makes_one_call_at_a_time_makes_a_persons_call_while_the_page_polls(start, open_page):
    wrapper = start()
    page = open_page(wrapper, wrapper.page(), serial=True)
    page.until(lambda: page.polls)
    began = time.monotonic()
    wrapper.result("tools/call", {"name": "rows", "arguments": {}})
    assert time.monotonic() - began < LONG_MS / 1000 / 2
    page.view.frame.get_by_role("button", name="Run again").first.click()
    page.until(lambda: [name for name, _ in page.asked if name == "rows"])
    cancelled = [
        one for one in page.view.messages if one["message"].get("method") == "notifications/cancelled"
    ]
    assert len(cancelled) == 1, "the page takes its question back before a person's call"
    wrapper.answer_file().write_text(VIEW)
    page.until(lambda: len(page.polls) > 1, 60)


def test_a_page_that_polls_outlives_a_restart_of_its_wrapper(start, open_page):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    wrapper = start(port=port)
    page = open_page(wrapper, wrapper.page())
    page.until(lambda: page.polls)
    wrapper.answer_file()
    wrapper.kill()
    again = start("again", port)
    page.wrapper = again
    page.pump(SETTLED_MS)
    expect(page.view.frame.locator("section.result")).to_contain_text("1,200")
    wanted = again.page() and again.answer_file()
    threading.Timer(0.3, wanted.write_text, (VIEW,)).start()
    part = again.part()
    assert part["state"] == "written"
    assert "drawn as plain" in part["template"] + part["script"]
    assert "Traceback" not in again.host.log_text()


def test_a_restarted_wrapper_keeps_the_state_of_a_page_that_is_still_open(start_stdio, open_page):
    def is_stored(wrapper, word):
        params = {"name": "_ui_view", "arguments": {"toolName": "rows", "view": "7"}}
        return word in json.dumps(wrapper.result("tools/call", params)["structuredContent"]["kept"])

    def sort(column):
        page.view.frame.get_by_role("columnheader", name=column).get_by_role("button").click()

    first = start_stdio("one")
    page = open_page(first, first.made.page("rows"), viewId=7)
    sort("Value")
    page.until(lambda: is_stored(first, '"value"'))
    first.made.host.child.kill()
    first.made.host.wait()
    asked = len(page.asked)
    sort("Value")
    page.until(lambda: len(page.asked) > asked and not page.pump(SETTLED_MS))
    page.wrapper = again = start_stdio("again")
    sort("Name")
    page.until(lambda: is_stored(again, '"name"'))
    reloaded = open_page(again, again.made.page("rows"), viewId=7)
    names = reloaded.view.frame.locator("section.result tbody tr td:first-child")
    reloaded.until(lambda: reloaded.view.frame.locator('th[aria-sort="ascending"]').count() == 1)
    assert names.all_inner_texts() == ["a", "b"]


def test_a_page_that_the_browser_froze_in_the_background_shows_the_view_when_it_comes_back(start, open_page):
    wrapper = start()
    page = open_page(wrapper, wrapper.page())
    page.until(lambda: page.polls)
    browser_page = page.view.page
    session = browser_page.context.new_cdp_session(browser_page)
    session.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    wrapper.answer_file().write_text(VIEW)
    wrapper.made.wait_for_event("generation_completed")
    time.sleep(1)
    assert len(page.polls) == 1
    session.send("Page.setWebLifecycleState", {"state": "active"})
    page.until(page.shows("drawn as plain"))
    polls = len(page.polls)
    page.pump(SETTLED_MS)
    assert len(page.polls) == polls <= 2, "nothing is pending, so nothing is asked"


@pytest.mark.parametrize("is_written_by_model", [True, False], ids=["generated", "submitted"])
def test_an_open_page_shows_the_view_of_another_wrapper_with_the_same_store(
    start_stdio, open_page, is_written_by_model
):
    one, other = (start_stdio(name, "--llm", "manual:questions") for name in ("one", "other"))
    page = open_page(other, other.made.page("rows"))
    page.until(lambda: page.polls)
    other.made.wait_for_event("answer_wanted")
    if is_written_by_model:
        one.made.page("rows")
        wanted = one.made.wait_for_event("answer_wanted")["metadata"]["answer"]
        Path(wanted).write_text(VIEW)
    else:
        assert not one.made.call("_ui_submit", toolName="rows", html=VIEW).get("isError")
    page.until(page.shows("drawn as plain"), LONG_MS / 1000)
    assert "drawn as plain" in other.made.page("rows")
    assert other.made.wait_for_event("generation_cancelled")
    polls = len(page.polls)
    page.pump(SETTLED_MS)
    assert len(page.polls) <= polls + 1, "nothing is pending, so nothing is asked"


def test_a_read_and_an_open_page_get_the_view_that_was_submitted_to_another_wrapper(start_stdio):
    one, other = map(start_stdio, ("one", "other"))
    assert "drawn as plain" not in other.made.page("rows")
    assert not one.made.call("_ui_submit", toolName="rows", html=VIEW).get("isError")
    assert "drawn as plain" in other.made.page("rows")
    part = other.result("tools/call", question())["structuredContent"]
    assert part["state"] == "written"
    assert "drawn as plain" in part["template"] + part["script"]
    other.made.call(part["undo"]["tool"], toolName="rows", version=part["undo"]["version"])
    after = other.result("tools/call", question())["structuredContent"]
    assert after["state"] == "minimal", "what a person took back does not come back"


@LINUX
@pytest.mark.parametrize("pages", [OPEN_PAGES])
def test_two_hundred_open_pages_get_the_view_and_leave_nothing_behind(start, pages):
    wrapper = start()
    wrapper.page()
    wanted = wrapper.answer_file()
    with ThreadPoolExecutor(20) as warm:
        list(warm.map(lambda _: wrapper.part(wait_ms=0), range(40)))
    before = Resources.by(wrapper.host.child.pid)
    with ThreadPoolExecutor(pages) as pool:

        def follow():
            while (part := wrapper.part())["version"] == MINIMAL:
                time.sleep(2)
            return part

        polls = [pool.submit(follow) for _ in range(pages)]
        time.sleep(3)
        during = Resources.by(wrapper.host.child.pid)
        began = time.monotonic()
        wrapper.result("tools/call", {"name": "rows", "arguments": {}})
        call_s = time.monotonic() - began
        wanted.write_text(VIEW)
        parts = [each.result() for each in polls]
    assert {each["state"] for each in parts} == {"written"}
    assert call_s < LONG_MS / 1000 / 2
    assert during.descriptors <= before.descriptors + pages + SPARE
    assert during.threads <= before.threads + SPARE
    deadline = time.monotonic() + 20
    while (after := Resources.by(wrapper.host.child.pid)).descriptors > before.descriptors + SPARE:
        assert time.monotonic() < deadline, after
        time.sleep(0.1)
    assert after.kilobytes - before.kilobytes < GROWTH_KB
    assert len(wrapper.made.events("generation_started")) == 1
