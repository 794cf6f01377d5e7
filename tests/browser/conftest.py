"""A browser, and a host on the official bridge that shows one view to each test."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from attrs import define, field
from playwright.sync_api import BrowserContext, Frame, Page, sync_playwright

HOST = Path(__file__).parent / "host"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
WAIT_MS = 20_000


@pytest.fixture(scope="module")
def browser():
    """Start Chromium, not for all modules at once: its event loop is in the way of other tests' own."""
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        missing("Chromium is not installed; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def host_origins():
    """Start the host's two servers and return where they are, and what they offer."""
    node = shutil.which("node")
    if node is None or not (HOST / "node_modules").is_dir():
        missing("the test host is not set up; run: npm ci --prefix tests/browser/host")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([node, "server.mjs"], cwd=HOST, **pipes) as server:
        yield json.loads(server.stdout.readline())
        server.stdin.close()


def missing(what):
    """End the test: what it needs is not there, which a build server may not pass over."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(what)


@define(eq=False, slots=False)
class MountedView:
    """A view in a host, as the test holds it. What crosses to the page does so as JSON text."""

    page: Page
    tool_call: object
    complaints: list = field(factory=list)
    requests: list = field(factory=list)

    @property
    def frame(self) -> Frame:
        """The frame of the view itself."""
        return self.page.main_frame.child_frames[0].child_frames[0]

    @property
    def messages(self):
        """All messages in order, as ``{"from": "view" or "host", "message": …}``."""
        return self.ask_host("host.messages")

    @property
    def sizes(self):
        return self.ask_host("host.sizes")

    @property
    def calls(self):
        """The parameters of the tool calls that the view made, as they came over the wire."""
        said = (one["message"] for one in self.messages if one["from"] == "view")
        return [message["params"] for message in said if message.get("method") == "tools/call"]

    @property
    def violations(self):
        """What the browser said about broken policies."""
        return [one for one in self.complaints if "Content Security Policy" in one]

    def ask_host(self, expression, value=None):
        """Evaluate an expression in the host page; ``value`` is there as ``given``."""
        text = f"async text => {{ const given = JSON.parse(text); return JSON.stringify(await ({expression}) ?? null) }}"
        return json.loads(self.page.evaluate(text, json.dumps(value)))

    def send_input(self, arguments, *, partial=False):
        method = "sendToolInputPartial" if partial else "sendToolInput"
        self.ask_host(f"host.bridge().{method}(given)", {"arguments": arguments})

    def send_result(self, result):
        self.ask_host("host.bridge().sendToolResult(given)", result)

    def cancel(self, reason=None):
        self.ask_host("host.bridge().sendToolCancelled(given)", {"reason": reason} if reason else {})

    def context(self, **changed):
        self.ask_host("host.bridge().sendHostContextChange(given)", changed)

    def answer(self, result, number=0):
        """Answer a call that was left waiting."""
        self.ask_host(f"host.answer({number}, given)", result)

    def wait_for_calls(self, count=1):
        self.page.wait_for_function("count => host.calls.length >= count", arg=count)
        return self.calls

    def ask(self, method, params=None):
        """Send a request of any method to the view and return its whole answer."""
        return self.ask_host("host.ask(given[0], given[1])", [method, params or {}])

    def post(self, message):
        """Send anything at all from the host's window."""
        self.ask_host("host.post(given)", message)

    def resize(self, width):
        self.ask_host("host.resize(given)", width)

    def teardown(self):
        return self.ask_host("host.bridge().teardownResource({})")

    def told_by_tool(self, params):
        """What the test's tool says to a call: a result, ``{"error": {code, message}}``, or null to wait."""
        given = json.loads(params)
        return json.dumps(self.tool_call and self.tool_call(given["name"], given.get("arguments")))


def own_addresses(origins):
    """How the addresses begin that the host itself asks for; a view may ask for none."""
    pages = (f"{origins['host']}/v", f"{origins['sandbox']}/sandbox/", f"{origins['sandbox']}/documents")
    return (*pages, "data:", "blob:", "about:")


def watch(view: MountedView, context: BrowserContext, own):
    """Keep what no view may cause: errors, dialogs, windows, requests."""
    page = view.page
    page.on("console", lambda line: view.complaints.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: view.complaints.append(f"uncaught: {error}"))
    page.on("dialog", lambda dialog: (view.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("popup", lambda popup: view.complaints.append(f"window: {popup.url}"))

    def refuse(route):
        view.requests.append(route.request.url)
        route.abort()

    context.route(lambda url: not url.startswith(own), refuse)


@pytest.fixture
def mount(browser, host_origins):
    """Show a page in a host and wait for its hello; an error, dialog, window or request fails the test."""
    views, contexts = [], []

    def mount(
        page_html,
        *,
        profile="spec",
        bridge="v2",
        theme="light",
        width=720,
        tool=None,
        tool_input=None,
        call=None,
    ):
        context = browser.new_context(
            viewport={"width": 1000, "height": 900}, timezone_id="UTC", reduced_motion="reduce"
        )
        context.set_default_timeout(WAIT_MS)
        contexts.append(context)
        view = MountedView(context.new_page(), call)
        views.append(view)
        watch(view, context, own_addresses(host_origins))
        view.page.expose_function("hostCalled", view.told_by_tool)
        view.page.goto(f"{host_origins['host']}/{bridge}")
        options = {
            "html": page_html,
            "sandboxUrl": f"{host_origins['sandbox']}/sandbox/{profile}",
            "width": width,
            "eager": profile == "vscode",
            "theme": theme,
            "tool": tool or {"name": "tool", "inputSchema": {"type": "object"}},
            "input": tool_input,
        }
        view.ask_host("host.mount(given)", options)
        view.page.wait_for_function("host.initialized()")
        if tool_input is not None and profile != "vscode":
            view.send_input(tool_input)
        return view

    yield mount
    for context in contexts:
        context.close()
    assert [one for view in views for one in (*view.complaints, *view.requests)] == []
