"""Measure how soon open pages show a new view, against the limits for live views.

The wrapper as it is installed, a real MCP server behind it, a model server that takes a set time, and pages in
Chromium whose host is the official bridge. Each run starts the wrapper again with an empty store.
"""

import argparse
import contextlib
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from live_bars import Bars
from live_hosts import (
    ARGUMENTS,
    FIRST,
    FRAGMENT,
    MINUTE_LATER,
    REFINED,
    SECOND,
    SPARE_S,
    TOOL,
    Bench,
    Host,
    now_ms,
    open_bench,
    open_page,
    probe,
    shown_at,
)
from live_tabs import companion, swaps_in_the_preview

PROFILES = ("spec", "opaque", "noforms", "vscode", "url", "bare")
"""How the host delivers a view, and under which policy (tests/browser/host/profiles.mjs)."""
SETTLED_MS = 600
DRAFT = "Lisbon"
RELOADS, RESTORED_S = 100, 5.0
FILTERS = ("rain", "2026-06-0", "cloud")
SHOWN_BY_TESTS = {
    "1 swap in the same frame, in the official Inspector": "tests/system/test_inspector.py",
    "3 swap with a broken part: the old view stands": "tests/browser/views/test_live.py -k 'broken or draws_nothing'",
    "3 the finding is in the log": "tests/contract/transports/test_live_views.py -k gets_it_as_a_part",
    "5 polls while nothing is pending": "tests/browser/views/test_live.py -k settled_page",
    "7 an agent sorts an open table, official bridge": "tests/browser/views/test_chat.py -k agent_sorts",
    "7 the same in the preview": "tests/browser/preview/test_demo.py -k agent_sorts",
    "8 bytes of upstream results": "tests/system/test_fidelity.py",
}
"""Rows, or parts of rows, that a test covers."""


def first_view(bench: Bench, bars: Bars, profile: str) -> None:
    """Read a view that no one has written yet, and wait until the open page shows the written one."""
    with bench.wrapper() as wrapper, bench.windows() as window:
        host = bench.live_host(wrapper, "host")
        bench.model.answers(bench.model_s, FRAGMENT)
        result = host.call(TOOL, **ARGUMENTS)
        view_host = window()
        begun = now_ms()
        text = host.read()
        read = now_ms()
        begun_page = now_ms()
        page = open_page(view_host, host, text, result, profile=profile)
        page.until(lambda: probe(page, "picture"))
        picture = probe(page, "picture")
        page.until(page.shows(FIRST), bench.model_s + SPARE_S)
        shown = probe(page, "said")
        bars.add("1 read answered", read - begun, 50)
        bars.add(f"1 first picture, {profile}", picture - begun_page, 300)
        bars.add(
            f"1 swap after the model's last word, {profile}", min(shown.values()) - bench.model.landed_ms, 500
        )
        bars.holds("1 picture and swap in one frame", fact=probe(page, "picture") == picture)
        bars.add("1 calls of the model", bench.model.calls, 1, "calls")


def swaps_in_official_hosts(bench: Bench, bars: Bars) -> None:
    """Row 1, in each profile of the host on the official bridge."""
    for profile in PROFILES:
        first_view(bench, bars, profile)


def touch(page: Any, *, draft: str = DRAFT, words: str = "") -> None:
    """Sort the table by another column than before, filter it, and edit an argument, as a person does."""
    frame = page.view.frame
    frame.get_by_role("columnheader", name="Condition").get_by_role("button").click()
    if words:
        frame.get_by_role("searchbox").fill(words)
    form = frame.get_by_label("City")
    if not form.is_visible():
        frame.get_by_role("button", name="Arguments").or_(
            frame.get_by_role("button", name="Edit", exact=True)
        ).first.click()
    form.fill(draft)
    form.blur()
    page.pump(SETTLED_MS)


def left(page: Any) -> tuple[object, ...]:
    """Return the state of a page: the order of the rows, the text of the filter and the draft."""
    frame = page.view.frame
    rows = tuple(frame.locator("section.result tbody tr").all_inner_texts())
    searched = tuple(each.input_value() for each in frame.get_by_role("searchbox").all())
    return rows, searched, frame.get_by_label("City").input_value()


def end(page: Any, number: int) -> None:
    """End the view as the host, after the view has stored its state."""
    page.view.ask_host(
        "void host.bridge().teardownResource({}).then(() => { globalThis.isEnded = given; })", number
    )
    page.until(lambda: page.view.ask_host(f"globalThis.isEnded === {number}"))


def refinement(bench: Bench, bars: Bars) -> None:
    """Row 2: a view is changed that two hosts show.

    Both pages began with the minimal view: a page that was finished when the host read it stays as it is.
    """
    with bench.wrapper() as wrapper, bench.windows() as window:
        hosts = [bench.live_host(wrapper, name) for name in ("focused", "other")]
        windows = [window() for _ in hosts]
        bench.model.answers(bench.model_s, FRAGMENT)
        result = hosts[0].call(TOOL, **ARGUMENTS)
        texts = [host.read() for host in hosts]
        pages = focused, other = [
            open_page(*each, result) for each in zip(windows, hosts, texts, strict=True)
        ]
        for page in pages:
            page.until(page.shows(FIRST), bench.model_s + SPARE_S)
            touch(page)
        before = [left(page) for page in pages]

        bench.model.answers(bench.model_s, REFINED)
        change = threading.Thread(
            target=hosts[0].call, args=("_ui_refine",), kwargs={"toolName": TOOL, "feedback": "other words"}
        )
        change.start()
        while not bench.model.calls:
            focused.pump()
        focused.view.frame.evaluate(MINUTE_LATER)
        focused.until(focused.shows(SECOND), bench.model_s + SPARE_S)
        change.join()
        bars.add(
            "2 focused page, after the model's last word",
            shown_at(focused, SECOND) - bench.model.landed_ms,
            500,
        )
        other.pump(1000)
        bars.holds("2 the other page waits for its focus", fact=not other.shows(SECOND)())
        begun = other.view.frame.evaluate(MINUTE_LATER)
        other.until(other.shows(SECOND))
        bars.add("2 the other page, after its focus", shown_at(other, SECOND) - begun, 500)
        bars.holds("2 sort and draft kept", fact=[left(page) for page in pages] == before)


def reloads(bench: Bench, bars: Bars) -> None:
    """Row 6: a host that names its view loads the page again and again, and a person goes on each time."""
    with bench.wrapper() as wrapper, bench.windows() as window:
        host = Host(wrapper.port, "host")
        result = bench.written(host, TOOL, **ARGUMENTS)
        view_host, text = window(), host.read()
        before: tuple[object, ...] | None = None
        for number in range(RELOADS + 1):
            page = open_page(view_host, host, text, result, viewId="one")
            page.until(page.shows(FIRST))
            if before is not None:
                with contextlib.suppress(AssertionError):
                    page.until(lambda: left(page) == before, RESTORED_S)  # noqa: B023 -- runs at once
                bars.holds("6 sort, filter and draft as they were left", fact=left(page) == before)
            touch(page, draft=f"Town {number}", words=FILTERS[number % len(FILTERS)])
            before = left(page)
            end(page, number)


ROWS: dict[str, Callable[[Bench, Bars], None]] = {
    "1": swaps_in_official_hosts,
    "1p": swaps_in_the_preview,
    "2": refinement,
    "4": companion,
    "6": reloads,
}


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3, help="how often each row is measured (default: 3)")
    parser.add_argument("--model-s", type=float, default=20, help="seconds the model takes (default: 20)")
    parser.add_argument("--rows", nargs="+", choices=[*ROWS], default=[*ROWS], help="only these rows")
    parser.add_argument("--json", action="store_true", help="print all values as JSON instead of the table")
    parser.add_argument("--shielded", action="store_true", help="go before other programs; takes root")
    given = parser.parse_args()
    bars = Bars()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_bench(given.model_s, Path(folder), is_shielded=given.shielded) as bench,
    ):
        for _ in range(given.runs):
            for row in given.rows:
                ROWS[row](bench, bars)
    if given.json:
        print(bars.as_json())
        return
    bars.print()
    print("\nShown by tests, with .venv/bin/python -m pytest:")
    for what, test in SHOWN_BY_TESTS.items():
        print(f"{what:<66}{test}")


if __name__ == "__main__":
    main()
