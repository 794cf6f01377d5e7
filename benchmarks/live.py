"""Measure how soon open pages show what is new, against the bars of live views.

The wrapper as it is installed, a real MCP server behind it, a model server that takes a set time, and pages in
Chromium whose host is the official bridge. Each run starts the wrapper again with an empty store.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from live_bars import Bars
from live_hosts import (
    ARGUMENTS,
    FIRST,
    FRAGMENT,
    TOOL,
    Bench,
    now_ms,
    open_bench,
    open_page,
    probe,
)
from live_tabs import companion

PROFILES = ("spec", "opaque", "noforms", "vscode", "url", "bare")
"""How the host delivers a view, and under which policy (tests/browser/host/profiles.mjs)."""
SPARE_S = 30.0


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


ROWS: dict[str, Callable[[Bench, Bars], None]] = {"1": swaps_in_official_hosts, "4": companion}


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
