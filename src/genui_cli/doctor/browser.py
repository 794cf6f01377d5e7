"""A browser of this machine, run once without a window, to show a view in the strictest sandbox there is.

No driver and no package is needed for it. A view that is blank here is our fault, not a host's.
"""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import anyio

from genui_core.application.defaults.built_in import BuiltViewKit
from genui_core.domain.pages.generated_page import view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.pages.page_needs import parts_for
from genui_core.domain.settings.settings import GenerationMode, Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import fragment_in
from genui_core.domain.views.stored_view import StoredView

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
_HOST = Path(__file__).with_name("strict_host.html")
_PLACE = '<script type="application/json" id="views">[]'
_REPORT = re.compile(r'<html[^>]* data-report="([^"]*)"')
_PAGE_TIME_MS_PER_VIEW = 6000
_SECONDS_PER_VIEW, _SECONDS_TO_START = 3, 60


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


def pages_of(tools: Sequence[Tool], kept: Sequence[StoredView], settings: Settings) -> list[tuple[str, str]]:
    """Return the pages that are served for tools, with their names: the minimal UI of each, and what is kept."""
    by_name = {tool.name: tool for tool in tools}
    pages = [(tool.name, _page(tool, settings)) for tool in tools]
    for view in kept:
        if view.html and view.tool_name in by_name:
            page = _page(by_name[view.tool_name], settings, view)
            pages.append((f"{view.tool_name}, as {view.llm_model} wrote it", page))
    return pages


def _page(tool: Tool, settings: Settings, view: StoredView | None = None) -> str:
    data = page_data(tool, settings.limits, settings.default_theme)
    source = "" if view is None else view.html
    mode: GenerationMode = "fragment"
    if view is not None and view.context.get("mode") == "document":
        mode = "document"
    is_document, fragment = mode == "document", None
    if source and not is_document:
        fragment = fragment_in(source)
    parts = parts_for(tool, BuiltViewKit(), source, is_written=fragment is not None, is_document=is_document)
    return view_page(tool, data, parts, source, mode, fragment=fragment)


async def faults_in_sandbox(browser: str, pages: Sequence[tuple[str, str]]) -> list[str]:
    """Show pages one after the other, and return what is wrong with each that is not shown.

    Raises:
        TimeoutError: The browser took too long.
        OSError: It cannot be started, or made nothing of the page.
    """
    views = json.dumps([{"name": name, "html": html} for name, html in pages]).replace("<", "\\u003c")
    host = _HOST.read_text(encoding="utf-8").replace(_PLACE, f"{_PLACE[:-2]}{views}")
    dom = await dom_of(
        browser,
        host,
        page_time_ms=_PAGE_TIME_MS_PER_VIEW * len(pages),
        within_s=_SECONDS_TO_START + _SECONDS_PER_VIEW * len(pages),
    )
    report = _REPORT.search(dom)
    if report is None:
        raise OSError(f"{browser} made nothing of a page with views")
    return [fault for each in json.loads(unquote(report[1])) for fault in _faults(each)]


def _faults(seen: Mapping[str, object]) -> list[str]:
    name = seen["name"]
    told = seen["faults"] if isinstance(seen["faults"], list) else []
    if not seen["connected"]:
        return [f"{name} does not speak to its host: {'; '.join(map(str, told)) or 'no reason is known'}"]
    if not seen["height"]:
        return [f"{name} stays blank: {'; '.join(map(str, told)) or 'no reason is known'}"]
    return [f"{name}: {each}" for each in told]
