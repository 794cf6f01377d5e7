"""The rows of `live.py` for pages that the wrapper serves to a browser: companion page and preview."""

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import faults
from live_bars import Bars
from live_hosts import ARGUMENTS, CLICKS, FIRST, FRAGMENT, OTHER_TOOL, PROBE, SPARE_S, TOOL, Bench, now_ms
from playwright.sync_api import Error as PlaywrightError

LIMIT_MS = 60_000
SETTLED_MS = 600
PREVIEW_PROFILES = ("spec", "strict", "claude", "vscode", "chatgpt")
"""The kinds of hosts that the preview has (src/genui_cli/preview/assets/profiles.js)."""
OPENER = """#!/bin/sh
echo "$1" >> "$0.opened"
"""
"""A stand-in for the person's browser, which records the addresses; the row then opens them itself."""


class Agent(faults.Host):
    """A terminal agent over stdio, whose host shows no views."""

    def __init__(self, argv: list[str]) -> None:
        """Complete the handshake without the capability for MCP Apps, and list the tools."""
        super().__init__(argv)
        info = {"name": "terminal", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
        self.request("tools/list")

    def told(self, name: str, /, **arguments: object) -> dict[str, Any]:
        """Return the structured result of a tool."""
        answer = self.request("tools/call", {"name": name, "arguments": arguments})
        told: dict[str, Any] = answer["result"]["structuredContent"]
        return told


def frame_of(page: Any) -> Any:
    """Return the frame with the view of a call, once it shows the result."""
    page.wait_for_selector("#view-state[data-state=live]")
    page.frame_locator("#card iframe").frame_locator("iframe").get_by_text("Oslo").first.wait_for()
    return page.frames[-1]


def companion(bench: Bench, bars: Bars) -> None:
    """Row 4: an agent in a terminal opens the page, and a person uses it."""
    opener = bench.folder / "opener"
    opener.write_text(OPENER)
    opener.chmod(0o700)
    opened = Path(f"{opener}.opened")
    opened.unlink(missing_ok=True)
    os.environ["BROWSER"] = f"{opener} %s"
    agent = Agent(bench.words("--llm", "none"))
    context = bench.browser.new_context()
    context.set_default_timeout(LIMIT_MS)
    context.add_init_script(PROBE)
    try:
        agent.told(TOOL, **ARGUMENTS)
        agent.told("_ui_open")
        page = context.new_page()
        while not opened.exists():
            page.wait_for_timeout(20)
        page.goto(opened.read_text().strip())
        frame_of(page)

        begun = now_ms()
        agent.told(TOOL, **ARGUMENTS)
        page.wait_for_url("**/#call=2")
        frame = frame_of(page)
        bars.add(
            "4 call of the agent until the page shows it", frame.evaluate("liveProbe.picture") - begun, 1000
        )

        answered: list[float] = []

        def wait_for_events() -> None:
            agent.told("_ui_wait", timeoutSeconds=30)
            answered.append(now_ms())

        wait = threading.Thread(target=wait_for_events)
        wait.start()
        page.wait_for_timeout(300)
        frame.evaluate(CLICKS)
        frame.get_by_role("button", name="Run again").first.click()
        while wait.is_alive():
            page.wait_for_timeout(20)
        bars.add(
            "4 click in the page until _ui_wait returns",
            answered[0] - frame.evaluate("liveProbe.clicked"),
            1000,
        )

        second = agent.told("_ui_open")["tab"]
        page.wait_for_timeout(1000)
        is_one = second == "open" and len(opened.read_text().splitlines()) == 1
        bars.holds("4 a second _ui_open opens no second tab", fact=is_one)
    finally:
        context.close()
        agent.close()


@contextlib.contextmanager
def preview(bench: Bench) -> Iterator[Any]:
    """Run the preview with an empty store; yield its page and a function for the link to a tool in a host profile."""
    words = bench.words("preview", "--no-open")
    context = bench.browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(LIMIT_MS)
    context.add_init_script(PROBE)
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=bench.environment, text=True
    ) as child:
        try:
            address = next(iter(child.stdout or ())).strip()
            yield context.new_page(), lambda tool, profile: f"{address}&tool={tool}&profile={profile}"
        finally:
            child.terminate()
            context.close()


def shown_in_frame(page: Any, words: str, within_s: float) -> Any:
    """Return the frame of the view once it shows a written view with these words."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        frame = page.frames[-1]
        with contextlib.suppress(PlaywrightError):
            if any(words in each for each in frame.evaluate("globalThis.liveProbe?.said ?? {}")):
                return frame
        page.wait_for_timeout(20)
    raise SystemExit(f"the preview never showed {words!r}")


def swaps_in_the_preview(bench: Bench, bars: Bars) -> None:
    """Row 1, in each kind of host of the preview, from the click that calls to the written view.

    The strict host refuses all calls of views, so a read there waits for the model up to the limit.
    """
    for profile in PREVIEW_PROFILES:
        with preview(bench) as (page, link):
            bench.model.answers(0.1, FRAGMENT)
            page.goto(link(OTHER_TOOL, profile))
            page.locator("#call").click()
            shown_in_frame(page, FIRST, bench.model_s + SPARE_S)

            bench.model.answers(bench.model_s, FRAGMENT)
            with page.expect_response(lambda one: f"ui://{TOOL}" in (one.request.post_data or "")) as read:
                page.locator(f"#tools a[data-tool={TOOL}]").click()
            page.locator("#card[data-state=live]").wait_for()
            read.value.finished()
            timing = read.value.request.timing
            read_ms = timing["responseEnd"] - timing["requestStart"]
            begun = page.evaluate("performance.timeOrigin + performance.now()")
            page.locator("#call").click()
            page.locator("#result .facts").wait_for()
            page.wait_for_timeout(SETTLED_MS)
            frame = page.frames[-1]
            bars.add(
                f"1 first picture after the click, preview {profile}",
                frame.evaluate("liveProbe.picture") - begun,
                300,
            )
            if profile == "strict":
                bars.add("1 read answered, preview strict", read_ms, 8_500)
                continue
            bars.add("1 read answered, preview", read_ms, 50)
            is_same = shown_in_frame(page, FIRST, bench.model_s + SPARE_S) == frame
            said = frame.evaluate("liveProbe.said")
            bars.add(
                f"1 swap after the model's last word, preview {profile}",
                min(said.values()) - bench.model.landed_ms,
                500,
            )
            bars.holds("1 picture and swap in one frame, preview", fact=is_same)
            bars.add("1 calls of the model, preview", bench.model.calls, 1, "calls")
