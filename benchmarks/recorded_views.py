"""Recorded tools, and a browser that shows their views, for the other benchmarks."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "corpus"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "browser"))

from accessibility import barriers
from features import spread
from recordings import CORPUS, RecordedCall, RecordedTool, calls_of, folders, tools_of
from samples import complaints, sample_arguments
from view_host import MountedView, NotSetUpError, ViewHost, adaptive_page, open_browser, serve_host

__all__ = [
    "CORPUS",
    "REPOSITORY",
    "MountedView",
    "NotSetUpError",
    "RecordedCall",
    "RecordedTool",
    "ViewHost",
    "adaptive_page",
    "barriers",
    "calls_of",
    "complaints",
    "folders",
    "open_browser",
    "open_host",
    "picture",
    "sample_arguments",
    "settle",
    "spread",
    "tools_of",
]

REPOSITORY = Path(__file__).resolve().parent.parent
BACKDROPS = {"light": "#ffffff", "dark": "#1a1a1a"}
WAITS_FOR_LAYOUT = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


@contextlib.contextmanager
def open_host(**options: object) -> Iterator[ViewHost]:
    """Run a browser with a host in it; options go to the browser's context."""
    with serve_host() as origins, open_browser() as browser:
        host = ViewHost(browser, origins, **options)
        yield host
        host.close()


def settle(view: MountedView, *, quiet_ms: int = 120) -> None:
    """Wait until the view has drawn its data, and has not reported a new size for a while."""
    view.ask("ping")
    seen = -1
    while len(view.sizes) != seen:
        seen = len(view.sizes)
        view.frame.evaluate(WAITS_FOR_LAYOUT)
        view.page.wait_for_timeout(quiet_ms)


def picture(view: MountedView, theme: str, width: int, tallest: int) -> tuple[bytes, int]:
    """Return a screenshot of a view on a page of the theme's colour, as PNG, and how high it is."""
    view.page.evaluate("colour => { document.body.style.background = colour }", BACKDROPS[theme])
    height = view.page.evaluate("document.querySelector('iframe').getBoundingClientRect().height")
    shown = max(1, min(int(height), tallest))
    clip = {"x": 0, "y": 0, "width": width, "height": shown}
    return view.page.screenshot(clip=clip, full_page=True, animations="disabled"), shown
