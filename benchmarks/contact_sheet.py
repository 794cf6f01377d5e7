"""Show recorded results and forms as people see them: a screenshot of each, and sheets to look through.

Every recorded call is shown with its arguments and its result, and a spread of tools with their
forms, in light and dark, on a wide and a narrow page. OUT gets an index.html, the sheets as
sheet-*.png and the single pictures in shots/.
"""

import argparse
import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import frozen
from recorded_views import (
    CORPUS,
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

WIDTHS = (760, 320)
THEMES = ("light", "dark")
TALLEST = 1400
SHEET_HEIGHT = 1480
COLUMNS = {760: (3, 490), 320: (5, 290)}  # how many there are, and how wide a picture is in them
CAPTION_HEIGHT = 40
STYLE = """
body { margin: 8px; font: 13px system-ui; display: flex; flex-wrap: wrap; gap: 8px; align-items: start; background: #888; color: #000 }
figure { margin: 0; background: #ddd } figcaption { padding: 2px 4px; overflow-wrap: anywhere }
figure + figure { margin-block-start: 8px } img { display: block; inline-size: 100% }
"""


@frozen
class Scene:
    """A subject of pictures: a tool's form, or its form and a result."""

    kind: str
    tool: RecordedTool
    number: int = 0
    arguments: dict[str, Any] | None = None
    result: dict[str, Any] | None = None

    @property
    def title(self) -> str:
        """The caption of the picture."""
        return f"{self.tool.server} / {self.tool.name}" + (f" #{self.number}" if self.result else "")

    @property
    def file_name(self) -> str:
        """The unique name of the scene's files."""
        words = re.sub(r"[^\w.-]+", "_", f"{self.kind}-{self.tool.server}-{self.number}-{self.tool.name}")
        return words[:120]


@frozen
class Shot:
    """One picture of a scene."""

    scene: Scene
    theme: str
    width: int
    height: int
    path: Path


def scenes(given: argparse.Namespace) -> Iterator[Scene]:
    """Yield the requested scenes, results first."""
    if "results" in given.what:
        for folder in folders(given.recordings):
            for call in calls_of(folder):
                yield Scene("result", call.tool, call.number, call.arguments, call.result)
    if "forms" in given.what:
        for folder in folders(given.recordings):
            tools = tools_of(folder)
            for place in sorted({0, len(tools) // 2, len(tools) - 1}):
                yield Scene("form", tools[place])


def photograph(host: ViewHost, scene: Scene, folder: Path, given: argparse.Namespace) -> Iterator[Shot]:
    """Show a scene and take its pictures."""
    definition = scene.tool.definition
    page = adaptive_page(definition, server=scene.tool.server)
    view = host.mount(page, tool=definition, width=WIDTHS[0], tool_input=scene.arguments)
    if scene.result is not None:
        view.send_result(scene.result)
    for width in given.widths:
        view.resize(width)
        for theme in given.themes:
            view.context(theme=theme)
            settle(view)
            path = folder / f"{scene.file_name}.{theme}.{width}.png"
            drawn, height = picture(view, theme, width, TALLEST)
            path.write_bytes(drawn)
            yield Shot(scene, theme, width, height, path)
    for words in view.complaints:
        print(f"{scene.title}: {words}", file=sys.stderr)


def figure(shot: Shot, base: Path) -> str:
    """Return a picture with its name, for a page in the folder ``base``."""
    source = html.escape(shot.path.relative_to(base).as_posix())
    return f'<figure><a href="{source}"><img src="{source}"></a><figcaption>{html.escape(shot.scene.title)}</figcaption></figure>'


def page_of(columns: list[list[Shot]], base: Path, width: int) -> str:
    """Return a page with columns of pictures."""
    drawn = "".join(
        f'<div style="inline-size: {width}px">{"".join(figure(shot, base) for shot in column)}</div>'
        for column in columns
    )
    return f'<!DOCTYPE html><meta charset="utf-8"><title>Contact sheet</title><style>{STYLE}</style>{drawn}'


def lay_out(shots: list[Shot], count: int, width: int) -> Iterator[list[list[Shot]]]:
    """Yield sheets as columns of pictures; each picture goes to the shortest column of a sheet with room."""
    columns: list[list[Shot]] = [[] for _ in range(count)]
    heights = [0] * count
    for shot in shots:
        height = shot.height * width // shot.width + CAPTION_HEIGHT
        if heights and min(heights) + height > SHEET_HEIGHT and any(columns):
            yield columns
            columns, heights = [[] for _ in range(count)], [0] * count
        shortest = heights.index(min(heights))
        columns[shortest].append(shot)
        heights[shortest] += height
    yield columns


def write_sheets(host: ViewHost, shots: list[Shot], out: Path) -> Iterator[Path]:
    """Lay pictures of one kind out on sheets."""
    page = host.context.browser.new_page()
    for (kind, theme, width), group in group_shots(shots).items():
        count, column_width = COLUMNS[width]
        page.set_viewport_size({"width": count * (column_width + 8) + 8, "height": 600})
        for number, columns in enumerate(lay_out(group, count, column_width), 1):
            path = out / f"sheet-{kind}-{theme}-{width}-{number:02}.png"
            sheet = path.with_suffix(".html")
            sheet.write_text(page_of(columns, out, column_width), "utf-8")
            page.goto(sheet.as_uri())
            page.screenshot(path=path, full_page=True)
            sheet.unlink()
            yield path
    page.close()


def group_shots(shots: list[Shot]) -> dict[tuple[str, str, int], list[Shot]]:
    """Group the pictures that belong on the same sheets."""
    groups: dict[tuple[str, str, int], list[Shot]] = {}
    for shot in shots:
        groups.setdefault((shot.scene.kind, shot.theme, shot.width), []).append(shot)
    return groups


def options() -> argparse.Namespace:
    """Read the command line."""
    said = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    said.add_argument("--out", type=Path, required=True, help="a folder for all that is made")
    said.add_argument("--recordings", type=Path, default=CORPUS, help="a folder of recorded servers")
    said.add_argument("--what", nargs="+", choices=("results", "forms"), default=["results", "forms"])
    said.add_argument("--only", type=re.compile, default=re.compile(""), help="a pattern for 'server / tool'")
    said.add_argument("--limit", type=int, help="at most so many scenes")
    said.add_argument("--themes", nargs="+", choices=THEMES, default=THEMES)
    said.add_argument("--widths", nargs="+", type=int, choices=WIDTHS, default=WIDTHS)
    return said.parse_args()


def main() -> None:
    """Take the pictures, lay them out, and print where they are."""
    given = options()
    chosen = [scene for scene in scenes(given) if given.only.search(scene.title)][: given.limit]
    pictures = given.out / "shots"
    pictures.mkdir(parents=True, exist_ok=True)
    with open_host() as host:
        shots = [shot for scene in chosen for shot in photograph(host, scene, pictures, given)]
        sheets = list(write_sheets(host, shots, given.out))
    index = given.out / "index.html"
    index.write_text(page_of([[shot] for shot in shots], given.out, 360), "utf-8")
    print(f"{len(chosen)} scenes, {len(shots)} pictures, {len(sheets)} sheets: {index}")


if __name__ == "__main__":
    main()
