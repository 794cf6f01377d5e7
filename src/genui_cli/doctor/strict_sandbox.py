"""Views in the strictest sandbox there is, on this machine: one that is blank here is our fault, not a host's."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from genui_cli.doctor.browser import dom_of
from genui_core.application.defaults.built_kit import BuiltViewKit
from genui_core.domain.pages.generated_page import view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.pages.page_needs import parts_for
from genui_core.domain.settings.settings import GenerationMode, Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import fragment_in
from genui_core.domain.views.stored_view import StoredView

_HOST = Path(__file__).with_name("strict_host.html")
_PLACE = '<script type="application/json" id="views">[]'
_REPORT = re.compile(r'<html[^>]* data-report="([^"]*)"')
_PAGE_TIME_MS_PER_VIEW = 6000
_SECONDS_PER_VIEW, _SECONDS_TO_START = 3, 60


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
    parts = parts_for(tool, BuiltViewKit(), is_written=fragment is not None, is_document=is_document)
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
