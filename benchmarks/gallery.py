"""Write the gallery: docs/gallery.md and its pictures of the views of recorded tools."""

import argparse
import re
from collections.abc import Callable
from pathlib import Path

from attrs import frozen
from recorded_views import (
    CORPUS,
    REPOSITORY,
    MountedView,
    RecordedCall,
    RecordedTool,
    ViewHost,
    adaptive_page,
    calls_of,
    folders,
    open_host,
    picture,
    settle,
    tools_of,
)
from small_png import small_png

PAGE = REPOSITORY / "docs" / "gallery.md"
PICTURES = REPOSITORY / "docs" / "images" / "gallery"
TALLEST = 760
LARGEST_BYTES = 60_000
COLOURS = (256, 128, 64, 32)
INTRODUCTION = """\
# Gallery

What people get for tools of real servers, which know nothing of UIs: the form is made from the input schema, the result is drawn by
the shape of what came back. No model, no configuration. `benchmarks/gallery.py` makes this page from recordings.
On the [site](site.md) of this documentation, views that run in your browser come first.

<!-- live -->
"""


def ask(view: MountedView) -> None:
    """Press the button of a tool that asks before it runs."""
    view.frame.get_by_role("button", name="Edit").click()
    view.frame.get_by_role("button", name=re.compile("\u2026$")).click()


@frozen
class Exhibit:
    """A picture of a recorded call with its result, of a pending call, or of a form."""

    name: str
    title: str
    words: str
    server: str
    tool: str
    number: int | None = None
    width: int = 800
    theme: str = "light"
    tallest: int = TALLEST
    answered: bool = True
    then: Callable[[MountedView], None] | None = None


EXHIBITS = (
    Exhibit(
        "table", "A table", "Rows anywhere in a result become a table that sorts, filters and turns pages; what stands beside them becomes names and values.",
        "powerpoint", "get_presentation_info", 2,
    ),
    Exhibit(
        "chart", "A chart", "Numbers over time are a line, numbers by category are bars, always with the table behind them.",
        "budget-allocator", "get-budget-data", 0, tallest=1000,
    ),
    Exhibit(
        "card", "A card", "An object is names and values, with a section for each larger part.",
        "calc", "url_parse", 10,
    ),
    Exhibit(
        "markdown", "Formatted text", "Text that is written in Markdown is read as Markdown; nothing in it becomes markup of the page.",
        "n8n", "tools_documentation", 2,
    ),
    Exhibit(
        "rows-as-text", "Rows that came as text", "A server that answers with Python's notation gets its table all the same.",
        "sqlite", "describe_table", 4,
    ),
    Exhibit(
        "code", "Code and differences", "Text that needs its columns keeps them.",
        "git", "git_show", 4,
    ),
    Exhibit(
        "picture", "A picture", "Pictures are drawn in a way that strict hosts allow as well.",
        "echarts", "generate_pie_chart", 0,
    ),
    Exhibit(
        "error", "An error", "The error in the tool's own words, with a button to try again; all the data that the tool sent is available.",
        "monday", "get_user_context", 0,
    ),
    Exhibit(
        "form", "A large form", "Choices, limits, defaults and descriptions come from the schema; “not set” is a state of its own.",
        "brave", "brave_place_search", tallest=900,
    ),
    Exhibit(
        "nested-form", "Lists and objects", "Lists have rows, objects have groups, alternatives have a picker. JSON is never needed, and always possible.",
        "antv-chart", "generate_network_graph",
    ),
    Exhibit(
        "asks-first", "A tool that makes changes", "What says that it can destroy something asks before it runs.",
        "playwright", "browser_click", 6, answered=False, then=ask,
    ),
    Exhibit(
        "dark", "Dark", "Views follow the host, also while they are open.",
        "system-monitor", "poll-system-stats", 1, theme="dark",
    ),
    Exhibit(
        "narrow", "Narrow", "320 pixels are enough.",
        "powerpoint", "get_slide_info", 4, width=320,
    ),
)  # fmt: skip


def recorded_call(exhibit: Exhibit, corpus: Path) -> tuple[RecordedTool, RecordedCall | None]:
    """Find the tool of an exhibit, and its call."""
    (folder,) = (each for each in folders(corpus) if each.name == exhibit.server)
    tool = next(each for each in tools_of(folder) if each.name == exhibit.tool)
    calls = (each for each in calls_of(folder) if each.number == exhibit.number)
    return tool, next(calls, None)


def show(host: ViewHost, exhibit: Exhibit, corpus: Path) -> bytes:
    """Return the picture of an exhibit, small enough for the repository."""
    tool, call = recorded_call(exhibit, corpus)
    view = host.mount(
        adaptive_page(tool.definition, server=tool.server),
        tool=tool.definition,
        width=exhibit.width,
        theme=exhibit.theme,
        tool_input=call and call.arguments,
    )
    if call and exhibit.answered:
        view.send_result(call.result)
    settle(view)
    if exhibit.then:
        exhibit.then(view)
        settle(view)
    drawn, _ = picture(view, exhibit.theme, exhibit.width, exhibit.tallest)
    tries = (small_png(view.page, drawn, colours) for colours in COLOURS)
    return next((each for each in tries if len(each) <= LARGEST_BYTES), None) or small_png(
        view.page, drawn, COLOURS[-1]
    )


def section(exhibit: Exhibit) -> str:
    """Return the part of the page that shows an exhibit."""
    source = (PICTURES / f"{exhibit.name}.png").relative_to(PAGE.parent).as_posix()
    return f"## {exhibit.title}\n\n{exhibit.words}\n\n![{exhibit.title}]({source})\n"


def main() -> None:
    """Make the pictures and write the page."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--recordings", type=Path, default=CORPUS, help="a folder of recorded servers")
    given = said.parse_args()
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.glob("*.png"):
        old.unlink()
    with open_host() as host:
        for exhibit in EXHIBITS:
            (PICTURES / f"{exhibit.name}.png").write_bytes(show(host, exhibit, given.recordings))
    PAGE.write_text("\n".join([INTRODUCTION, *map(section, EXHIBITS)]), encoding="utf-8")
    sizes = {each.name: each.stat().st_size for each in PICTURES.glob("*.png")}
    print(f"{PAGE}: {len(sizes)} pictures, {sum(sizes.values())} bytes, the largest {max(sizes.values())}")


if __name__ == "__main__":
    main()
