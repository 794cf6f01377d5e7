"""The rows of `live.py` for pages that the program itself serves to a browser: the companion page, and the preview."""

import os
import threading
from pathlib import Path
from typing import Any

import faults
from live_bars import Bars
from live_hosts import ARGUMENTS, CLICKS, PROBE, TOOL, Bench, now_ms

LIMIT_MS = 60_000
OPENER = """#!/bin/sh
echo "$1" >> "$0.opened"
"""
"""The browser of a person, as the system starts it: it keeps the addresses, which the row then opens itself."""


class Agent(faults.Host):
    """A terminal agent over stdio, whose host shows no views."""

    def __init__(self, argv: list[str]) -> None:
        """Shake hands without the capability for MCP Apps, and list the tools."""
        super().__init__(argv)
        info = {"name": "terminal", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
        self.request("tools/list")

    def told(self, name: str, /, **arguments: object) -> dict[str, Any]:
        """Return what a tool answers, as data."""
        answer = self.request("tools/call", {"name": name, "arguments": arguments})
        told: dict[str, Any] = answer["result"]["structuredContent"]
        return told


def frame_of(page: Any) -> Any:
    """Return the frame with the view of a call, once it shows the result."""
    page.wait_for_selector("#view-state[data-state=live]")
    page.frame_locator("#card iframe").frame_locator("iframe").get_by_text("Oslo").first.wait_for()
    return page.frames[-1]


def companion(bench: Bench, bars: Bars) -> None:
    """Row 4: an agent in a terminal, and a person at the page that it opens."""
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
