"""A browser of this machine, run once without a window: no driver and no package is needed for it."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import anyio

_NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
_PLACES: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_QUIET: Final = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-features=IsolateSandboxedIframes",  # a frame in another process lives on another clock
)


def find_browser(environment: Mapping[str, str]) -> str | None:
    """Return the path of a browser of the Chromium family, or None."""
    found = (shutil.which(name, path=environment.get("PATH")) for name in _NAMES)
    return next(filter(None, found), None) or next(filter(os.path.exists, _PLACES), None)


async def dom_of(browser: str, page: str, *, page_time_ms: int, within_s: float) -> str:
    """Load a page from a file and return its DOM after its scripts have run.

    Args:
        browser: Its path.
        page: HTML.
        page_time_ms: How far the page's own clock goes; waiting takes no real time.
        within_s: How long it may really take.

    Raises:
        TimeoutError: It took longer.
        OSError: The browser cannot be started.
    """
    # Where root runs a browser, as in a container, its own sandbox refuses to start.
    as_root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder, "page.html")
        file.write_text(page, encoding="utf-8")  # noqa: ASYNC240 -- nothing else waits in a doctor
        flags = (f"--user-data-dir={folder}/profile", f"--virtual-time-budget={page_time_ms}", "--dump-dom")
        with anyio.fail_after(within_s):
            done = await anyio.run_process([browser, *_QUIET, *as_root, *flags, file.as_uri()], check=False)
    return done.stdout.decode(errors="replace")
