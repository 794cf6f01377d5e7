"""Make the pictures of the preview in docs/images, from the real command with recorded answers of a model."""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen
from playwright.sync_api import Page, sync_playwright
from small_png import small_png

HERE = Path(__file__).parent
PICTURES = HERE.parent / "docs" / "images"
ANSWERS = HERE / "screenshot_answers"
REFINEMENT = "show the chance of rain as a line"
CHROMIUM = "/usr/bin/chromium"
HEIGHTS = {1400: 900, 600: 1300}


@contextmanager
def demo(folder: Path) -> Iterator[str]:
    """Run the preview of the weather server, and yield its address."""
    answers = (("refinement.txt", [REFINEMENT]), ("first.txt", []))
    for number, (name, when) in enumerate(answers):
        told = {"when": when, "text": (ANSWERS / name).read_text(encoding="utf-8"), "model": "a model"}
        (folder / f"{number}.json").write_text(json.dumps(told), encoding="utf-8")
    argv = (sys.executable, "-P", "-m", "genui_cli", "demo", "--no-open", "--llm", f"replay:{folder}")
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    try:
        yield next(iter(process.stdout or ())).strip()
    finally:
        process.terminate()
        process.wait()


@frozen
class Shot:
    """A picture: its link, the actions before it, and whether the docs show it."""

    name: str
    link: str = ""
    presses: tuple[str, ...] = ()
    is_called: bool = True
    themes: tuple[str, ...] = ("light", "dark")
    widths: tuple[int, ...] = (1400, 600)


FIRST = Shot("first", is_called=False)
TABLE = Shot("table")
COMPARED = Shot("compared", link="&compare=1,2", presses=("#tab-view",))
FINDINGS = Shot("findings", presses=("#tab-view",))
DOCUMENTED = {
    "preview": Shot("preview", themes=("light",), widths=(1400,)),
    "preview-compared": Shot(
        "preview-compared",
        link="&compare=1,2",
        presses=("#tab-view",),
        themes=("light",),
        widths=(1400,),
    ),
    "preview-dark": Shot("preview-dark", presses=("#tab-messages",), themes=("dark",), widths=(1400,)),
}


def refine(page: Page) -> None:
    """Refine the view of the forecast."""
    page.locator("#feedback").fill(REFINEMENT)
    page.locator("#refine-button").click()
    page.locator("#refine-compare").wait_for()


def open_pane(page: Page, name: str) -> None:
    """Show a part of the page, if the window is too narrow for all parts."""
    tab = page.locator(f"#pane-{name}")
    if tab.is_visible():
        tab.click()


def shoot(page: Page, address: str, shot: Shot) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of a shot with their names."""
    for theme in shot.themes:
        for width in shot.widths:
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            page.goto("about:blank")
            page.goto(f"{address}&tool=get_forecast&locale=en-GB&zone=UTC&theme={theme}{shot.link}")
            page.locator("#card[data-state=live]").wait_for(state="attached")
            open_pane(page, "call")
            if shot.is_called:
                page.locator("#call").click()
                page.locator("#result .facts").wait_for(state="attached")
            open_pane(page, "call" if shot.presses else "view")
            for press in shot.presses:
                page.locator(press).click()
            page.wait_for_timeout(1_500)
            single = len(shot.themes) == len(shot.widths) == 1
            yield shot.name if single else f"{shot.name}-{theme}-{width}", page.screenshot()


def main() -> None:
    """Make the pictures of the docs, or with --review all pictures for the review of a changed page."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--review", type=Path, metavar="FOLDER", help="more pictures, into this folder")
    given = said.parse_args()
    folder = given.review or PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    shots = (TABLE, COMPARED, FINDINGS) if given.review else DOCUMENTED.values()
    with (
        tempfile.TemporaryDirectory() as recordings,
        demo(Path(recordings)) as address,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(device_scale_factor=1)
        taken = dict(shoot(page, address, FIRST)) if given.review else {}
        page.goto(f"{address}&tool=get_forecast")
        page.locator("#card[data-state=live]").wait_for()
        refine(page)
        for shot in shots:
            taken.update(shoot(page, address, shot))
        page.goto("about:blank")
        for name, picture in taken.items():
            (folder / f"{name}.png").write_bytes(small_png(page, picture, 128))
        browser.close()
    print(f"{folder}: {', '.join(taken)}")


if __name__ == "__main__":
    main()
