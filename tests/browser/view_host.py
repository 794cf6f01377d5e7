"""A host in a real browser, with the official bridge: it shows views and records their messages."""

import contextlib
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import define, evolve, field
from playwright.sync_api import Browser, BrowserContext, Frame, Page, sync_playwright

from genui_core.application.own_tools.live_view import live_part
from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import page_needs, view_page
from genui_core.domain.pages.minimal_view import (
    minimal_page,
    page_data,
    provisional_notice,
    view_version,
)
from genui_core.domain.pages.page_frame import PagePolicy
from genui_core.domain.pages.tool_look import ServerLook
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import fragment_in

HOST = Path(__file__).parent / "host"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FAST_BROWSERS = ("chromium-headless-shell", *BROWSERS)
"""The first one is headless, and opens pages in less than half the time."""
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
WAIT_MS = 20_000
_CALLED = re.compile("(?:\\bcall\\(|\\bname:)\\s*[\"'`]([\\w-]+)")
_MOVED_POLICY = "outside the document's <head>"
"""The browser's complaint if a host puts the head of a page into a body."""


class NotSetUpError(Exception):
    """A program that shows views is not installed; the text names it and says how to get it."""


def chromium_path(*, whole: bool = False) -> str:
    """Return the path of this machine's Chromium: the quicker headless one, unless ``whole`` is true.

    Raises:
        NotSetUpError: there is none.
    """
    executable = next(filter(None, map(shutil.which, BROWSERS if whole else FAST_BROWSERS)), None)
    if executable is None:
        raise NotSetUpError("Chromium is not installed; on Debian: apt-get install chromium")
    return executable


@contextlib.contextmanager
def open_browser(*, whole: bool = False) -> Iterator[Browser]:
    """Run the Chromium of this machine, the whole one or the quicker headless one.

    Raises:
        NotSetUpError: there is none.
    """
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=chromium_path(whole=whole), args=CHROMIUM_ARGUMENTS
        )
        yield chromium
        chromium.close()


@contextlib.contextmanager
def serve_host() -> Iterator[dict]:
    """Run the host's two servers; yield their addresses and what they offer.

    Raises:
        NotSetUpError: Node.js is missing, or what the host is built from.
    """
    node = shutil.which("node")
    if node is None or not (HOST / "node_modules").is_dir():
        raise NotSetUpError("the test host is not set up; run: npm ci --prefix tests/browser/host")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([node, "server.mjs"], cwd=HOST, **pipes) as server:
        yield json.loads(server.stdout.readline())
        server.stdin.close()


def adaptive_page(definition: dict, made_for: str = "system", server: str = "") -> str:
    """Build the page of a tool as the wrapper serves it; the server's name decides its hue."""
    tool = Tool(definition)
    data = page_data(tool, Settings(default_theme=made_for), server=ServerLook(server))
    return minimal_page(tool, data, kit_parts(BuiltViewKit(), page_needs(tool)))


def live_page(definition: dict, source: str = "", *, pending: bool = True) -> str:
    """Build a live page of a tool; without a source it begins with the minimal view."""
    tool, live = Tool(definition), {"tool": "_ui_view", "version": view_version(source), "pending": pending}
    data = page_data(
        tool, Settings(default_theme="system"), provisional_notice() if pending else None, live=live
    )
    needs = page_needs(tool, source)
    parts = kit_parts(BuiltViewKit(), evolve(needs, written=True, live=True))
    policy = PagePolicy(nonce="0123456789abcdef0123456789abcdef")
    return view_page(tool, data, parts, source, "fragment", policy=policy)


def chat_page(definition: dict, source: str = "", *, live: bool = False) -> str:
    """Build the page of a tool as a host reads it, with its features for the chat."""
    tool = Tool(definition)
    stated = {"tool": "_ui_view", "version": view_version(source), "pending": live}
    data = page_data(tool, Settings(default_theme="system"), live=stated)
    needs = page_needs(tool, source)
    needs = evolve(needs, written=bool(source) or live, live=live, chat=True)
    parts = kit_parts(BuiltViewKit(), needs)
    policy = PagePolicy(nonce="0123456789abcdef0123456789abcdef") if live else PagePolicy()
    return view_page(tool, data, parts, source, "fragment", policy=policy)


def part_answer(
    definition: dict, source: str = "", *, state: str = "written", related: Sequence[str] = (), **more: object
) -> dict:
    """Return an answer of `_ui_view`: a fragment as a part, or "" for the minimal view."""
    tool, fragment = Tool(definition), fragment_in(source) if source else None
    part = {} if fragment is None else {**live_part(tool, fragment, BuiltViewKit()), "related": related}
    answer = {"tool": tool.name, "version": view_version(source), "state": state, **part, **more}
    return {"content": [{"type": "text", "text": json.dumps(answer)}], "structuredContent": answer}


def written_page(
    definition: dict, source: str, mode: str, *, notice: object = None, related: Sequence[str] | None = None
) -> str:
    """Build the page of a tool with a written view, which may call the tools that it names."""
    tool = Tool(definition)
    named = _CALLED.findall(source) if related is None else related
    data = page_data(tool, Settings(default_theme="system"), notice, related=named)
    return view_page(tool, data, kit_parts(BuiltViewKit(), page_needs(tool, source, mode)), source, mode)


@define(eq=False, slots=False)
class MountedView:
    """A view in a host, with access to both. Values cross to the host page as JSON text."""

    page: Page
    tool_call: object
    complaints: list = field(factory=list)
    requests: list = field(factory=list)
    expected: tuple = ()
    """The beginnings of browser complaints that do not fail a test."""

    @property
    def unexpected(self):
        """The complaints and requests that fail a test."""
        return [one for one in self.complaints if not one.startswith(self.expected)] + self.requests

    @property
    def frame(self) -> Frame:
        """The frame of the view itself."""
        return self.page.main_frame.child_frames[0].child_frames[0]

    @property
    def messages(self):
        """All messages in order, as ``{"from": "view" or "host", "message": …}``."""
        return self.ask_host("host.messages")

    @property
    def links(self):
        """The addresses that the view asked the host to open."""
        return self.ask_host("host.links")

    @property
    def sizes(self):
        """The sizes that the view reported, in order."""
        return self.ask_host("host.sizes")

    @property
    def calls(self):
        """The parameters of the tool calls that the view made, as they came over the wire."""
        return self.said("tools/call")

    def said(self, method):
        """The parameters of the requests and notifications of one method, as the view sent them."""
        return self.ask_host("host.said(given)", method)

    @property
    def violations(self):
        """The browser's reports of policy violations."""
        return [one for one in self.complaints if "Content Security Policy" in one]

    def ask_host(self, expression, value=None):
        """Evaluate an expression in the host page, in which ``given`` is ``value``."""
        text = f"async text => {{ const given = JSON.parse(text); return JSON.stringify(await ({expression}) ?? null) }}"
        return json.loads(self.page.evaluate(text, json.dumps(value)))

    def send_input(self, arguments, *, partial=False):
        """Send the view the arguments of a call that the host made."""
        method = "sendToolInputPartial" if partial else "sendToolInput"
        self.ask_host(f"host.bridge().{method}(given)", {"arguments": arguments})

    def send_result(self, result):
        """Send the view the result of a call that the host made."""
        self.ask_host("host.bridge().sendToolResult(given)", result)

    def cancel(self, reason=None):
        """Notify the view that a call of the host was cancelled."""
        self.ask_host("host.bridge().sendToolCancelled(given)", {"reason": reason} if reason else {})

    def context(self, **changed):
        """Notify the view of changes in its host context."""
        self.ask_host("host.bridge().sendHostContextChange(given)", changed)

    def answer(self, result, number=0):
        """Wait for a call that has no answer yet, and answer it."""
        self.wait_for_calls(number + 1)
        self.ask_host(f"host.answer({number}, given)", result)

    def wait_for_calls(self, count=1):
        """Wait until the view has made that many calls, and return them all."""
        self.page.wait_for_function("count => host.calls.length >= count", arg=count)
        return self.calls

    def until(self, holds):
        """Wait until `holds()` is true, however busy the machine is."""
        deadline = time.monotonic() + WAIT_MS / 1000
        while not holds():
            assert time.monotonic() < deadline, "it did not come to hold"
            self.page.wait_for_timeout(50)

    def ask(self, method, params=None):
        """Send a request of any method to the view and return its whole answer."""
        return self.ask_host("host.ask(given[0], given[1])", [method, params or {}])

    def post(self, message):
        """Send anything at all from the host's window."""
        self.ask_host("host.post(given)", message)

    def resize(self, width):
        """Give the view another width."""
        self.ask_host("host.resize(given)", width)

    def teardown(self):
        """Ask the view to end."""
        return self.ask_host("host.bridge().teardownResource({})")

    def told_by_tool(self, params):
        """Return the host's answer to a call: a result, ``{"error": {code, message}}``, or None to wait."""
        given = json.loads(params)
        return json.dumps(self.tool_call and self.tool_call(given["name"], given.get("arguments")))


class ViewHost:
    """A browser page that is a host. It shows one view at a time; the next view replaces it."""

    def __init__(self, browser: Browser, origins: dict, *, bridge: str = "v2", **options: object) -> None:
        """Open the page; options go to the browser's context."""
        self._origins = origins
        self.context: BrowserContext = browser.new_context(
            **{"viewport": {"width": 1000, "height": 900}, "timezone_id": "UTC", "reduced_motion": "reduce"}
            | options
        )
        self.context.set_default_timeout(WAIT_MS)
        self.page = self.context.new_page()
        self.view = MountedView(self.page, None)
        self._watch()
        self.page.expose_function("hostCalled", self._told_by_tool)
        self.page.goto(f"{origins['host']}/{bridge}")

    def mount(
        self,
        page_html,
        *,
        profile="spec",
        theme="light",
        width=720,
        tool=None,
        tool_input=None,
        call=None,
        **more,
    ) -> MountedView:
        """Show a page and wait until it is ready; more options go to the host page."""
        self.view = MountedView(self.page, call)
        options = {
            "html": page_html,
            "sandboxUrl": f"{self._origins['sandbox']}/sandbox/{profile}",
            "width": width,
            "eager": profile == "vscode",
            "theme": theme,
            "tool": tool or {"name": "tool", "inputSchema": {"type": "object"}},
            "input": tool_input,
            **more,
        }
        self.view.ask_host("host.mount(given)", options)
        self.page.wait_for_function("host.initialized()")
        if tool_input is not None and profile != "vscode" and "result" not in more:
            self.view.send_input(tool_input)
        return self.view

    def clear(self) -> list:
        """Remove the view before the next test; return the complaints and requests that fail this test."""
        self.page.mouse.move(990, 890)  # out of the view: the browser remembers the frame of the pointer
        self.view.ask_host("host.clear()")
        self.page.emulate_media(forced_colors="none")
        return self.view.unexpected

    def close(self) -> None:
        """Close the page and its browser context."""
        self.context.close()

    def _watch(self) -> None:
        """Record what no view may cause: errors, dialogs, windows, requests."""
        page = self.page
        page.on("console", lambda line: self._complain(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: self._complain(f"uncaught: {error}"))
        page.on("dialog", lambda dialog: (self._complain(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("popup", lambda popup: self._complain(f"window: {popup.url}"))
        own = "|".join(map(re.escape, own_addresses(self._origins)))
        self.context.route(
            re.compile(f"^(?!{own})"), self._refuse
        )  # the driver matches it: no way through here

    def _told_by_tool(self, params: str) -> str:
        return self.view.told_by_tool(params)

    def _complain(self, words: str) -> None:
        if _MOVED_POLICY in words:
            return  # the page puts it where it counts
        self.view.complaints.append(words)

    def _refuse(self, route) -> None:
        self.view.requests.append(route.request.url)
        route.abort()


def own_addresses(origins):
    """Return the prefixes of the addresses that the host itself requests; a view may request none."""
    pages = (f"{origins['host']}/v", f"{origins['sandbox']}/sandbox/", f"{origins['sandbox']}/documents")
    return (*pages, "data:", "blob:", "about:")
