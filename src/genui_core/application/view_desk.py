"""Serves views: their addresses, their list entries, their pages as ready-made JSON."""

from collections import OrderedDict

from attrs import define, field

from genui_core.domain.apps_extension import MIME_TYPE
from genui_core.domain.cache_key import ViewConfiguration, cache_key
from genui_core.domain.jsonrpc import json_text
from genui_core.domain.minimal_view import body_version, minimal_page, page_data
from genui_core.domain.settings import Settings
from genui_core.domain.tool import Tool
from genui_core.domain.ui_address import ui_address
from genui_core.errors import ResourceNotFound
from genui_core.ports.view_kit import ViewKit

_NO_DOMAINS: dict[str, list[str]] = {
    "connectDomains": [],
    "resourceDomains": [],
    "frameDomains": [],
    "baseUriDomains": [],
}
_RESOURCE_META = {
    "ui": {"csp": _NO_DOMAINS, "prefersBorder": True},
    "openai/widgetCSP": {"connect_domains": [], "resource_domains": []},
}
"""No network for any view (SPEC U3), said where each kind of host looks for it."""

_MAX_READY_PAGES = 64


@define(kw_only=True)
class ViewDesk:
    """Serves the minimal UI of every tool.

    Pages are kept as encoded JSON, the newest 64 of them, so that a second read costs a copy.
    """

    settings: Settings
    kit: ViewKit
    configuration: ViewConfiguration
    _versions: dict[str, tuple[Tool, str]] = field(factory=dict)
    _pages: OrderedDict[tuple[str, str], str] = field(factory=OrderedDict)

    def cache_key(self, tool: Tool) -> str:
        """Return the key of the tool's view."""
        return cache_key(tool, self.configuration.hash_for(tool.name))

    def address(self, tool: Tool) -> str:
        """Return the address of the view as it is now."""
        return ui_address(tool.name, self._version(tool))

    def entry(self, tool: Tool) -> dict[str, object]:
        """Return the ``resources/list`` entry of the tool's view, at its bare address."""
        return {
            "uri": ui_address(tool.name),
            "name": tool.name,
            "title": tool.title,
            "description": f"Interactive UI of the tool {tool.name}",
            "mimeType": MIME_TYPE,
            "_meta": _RESOURCE_META,
        }

    def contents(self, uri: str, tool_name: str, tool: Tool | None) -> str:
        """Return the JSON text of one ``contents`` entry, which echoes the address that was read.

        Raises:
            ResourceNotFound: The tool is gone.
        """
        if tool is None:
            raise ResourceNotFound(ui_address(tool_name), tool_name)
        head = json_text({"uri": uri, "mimeType": MIME_TYPE, "_meta": _RESOURCE_META})
        return f'{head[:-1]},"text":{self._page(tool)}}}'

    def forget(self, tool_name: str) -> None:
        """Drop what is kept of a tool that is gone (SPEC W11)."""
        self._versions.pop(tool_name, None)
        for key in [key for key in self._pages if key[0] == tool_name]:
            del self._pages[key]

    def _page(self, tool: Tool) -> str:
        key = (tool.name, self._version(tool))
        ready = self._pages.get(key)
        if ready is None:
            ready = self._pages[key] = json_text(minimal_page(tool, self._data(tool), self.kit))
            if len(self._pages) > _MAX_READY_PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(key)
        return ready

    def _version(self, tool: Tool) -> str:
        known = self._versions.get(tool.name)
        if known is not None and known[0] is tool:
            return known[1]
        version = body_version(self.cache_key(tool), self._data(tool), self.kit.build)
        self._versions[tool.name] = (tool, version)
        return version

    def _data(self, tool: Tool) -> str:
        return page_data(tool, self.settings.limits, self.settings.default_theme)
