"""Measure how soon open pages show what is new, against the bars of live views.

The wrapper as it is installed, a real MCP server behind it, a model server that takes a set time, and pages in
Chromium whose host is the official bridge. Each run starts the wrapper again with an empty store.
"""

import argparse
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
    TOOL,
    Bench,
    now_ms,
    open_bench,
    open_page,
    probe,
    shown_at,
)
from live_tabs import companion

PROFILES = ("spec", "opaque", "noforms", "vscode", "url", "bare")
"""How the host delivers a view, and under which policy (tests/browser/host/profiles.mjs)."""
SPARE_S = 30.0
SETTLED_MS = 600
DRAFT = "Lisbon"


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


def touch(page: Any) -> list[str]:
    """Sort the table and edit an argument, as a person does; return the rows."""
    frame = page.view.frame
    frame.get_by_role("columnheader", name="Condition").get_by_role("button").click()
    frame.get_by_role("button", name="Arguments").or_(
        frame.get_by_role("button", name="Edit", exact=True)
    ).first.click()
    frame.get_by_label("City").fill(DRAFT)
    frame.get_by_label("City").blur()
    page.pump(SETTLED_MS)
    return rows(page)


def rows(page: Any) -> list[str]:
    """Return the rows of the table as they stand on the page."""
    texts: list[str] = page.view.frame.locator("section.result tbody tr").all_inner_texts()
    return texts


def is_kept(page: Any, before: list[str]) -> bool:
    """Whether the order of the rows and the draft in the form are as they were."""
    draft: str = page.view.frame.get_by_label("City").input_value()
    return rows(page) == before and draft == DRAFT


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
        before = [touch(page) for page in pages]

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
        for page, rows_before in zip(pages, before, strict=True):
            bars.holds("2 sort and draft kept", fact=is_kept(page, rows_before))


ROWS: dict[str, Callable[[Bench, Bars], None]] = {
    "1": swaps_in_official_hosts,
    "2": refinement,
    "4": companion,
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
    print(bars.as_json()) if given.json else bars.print()


if __name__ == "__main__":
    main()
