"""Serves views: their addresses, their list entries, their pages as ready-made JSON."""

from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define, field

from genui_core.application.generation.view_state import ViewState
from genui_core.domain.apps_extension import MIME_TYPE
from genui_core.domain.cache_key import ViewConfiguration, cache_key
from genui_core.domain.jsonrpc import json_text
from genui_core.domain.minimal_view import body_version, minimal_page, page_data
from genui_core.domain.page_notice import Notice, fallback_notice, provisional_notice
from genui_core.domain.settings import Settings
from genui_core.domain.tool import Tool
from genui_core.domain.ui_address import ui_address
from genui_core.errors import ResourceNotFound
from genui_core.ports.view_kit import ViewKit

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView

_MAX_READY_PAGES = 64
_FINISHED = (ViewState.GENERATED, ViewState.MINIMAL)


@define(kw_only=True, slots=False)
class ViewDesk:
    """Serves every tool's view as the studio has shown it, and the minimal UI until it has.

    Pages are kept as encoded JSON, the newest 64 of them, so that a second read costs a copy.
    """

    settings: Settings
    kit: ViewKit
    configuration: ViewConfiguration
    _shown: "dict[str, tuple[Tool, PresentView]]" = field(factory=dict)
    _versions: "dict[str, tuple[Tool, PresentView | None, str]]" = field(factory=dict)
    _pages: OrderedDict[tuple[str, str], str] = field(factory=OrderedDict)

    def show(self, tool: Tool, view: "PresentView") -> None:
        """Serve this view from now on, as long as the tool stays what it is."""
        self._shown[tool.name] = (tool, view)

    def has_finished(self, tool: Tool) -> bool:
        """Whether the tool's view can be served without asking the studio."""
        view = self._present(tool)
        return view is not None and view.state in _FINISHED

    def _present(self, tool: Tool) -> "PresentView | None":
        shown, view = self._shown.get(tool.name, (None, None))
        return view if shown is not None and (shown is tool or shown.hash == tool.hash) else None

    def key(self, tool: Tool) -> str:
        """Return the cache key of the view as it is now."""
        return self._cache_key(tool, self._present(tool))

    def _cache_key(self, tool: Tool, view: "PresentView | None") -> str:
        return view.key if view is not None else cache_key(tool, self.configuration.hash_for(tool.name))

    def address(self, tool: Tool) -> str:
        """Return the address of the view as it is now."""
        return ui_address(tool.name, self._version(tool))

    @cached_property
    def resource_meta(self) -> dict[str, object]:
        """What is said of every view: which network it may use, where each kind of host looks for it (SPEC U3)."""
        granted = self.settings.granted
        csp = {
            "connectDomains": list(granted.connect),
            "resourceDomains": list(granted.resource),
            "frameDomains": list(granted.frame),
            "baseUriDomains": list(granted.base_uri),
        }
        widget = {"connect_domains": list(granted.connect), "resource_domains": list(granted.resource)}
        return {"ui": {"csp": csp, "prefersBorder": True}, "openai/widgetCSP": widget}

    def entry(self, tool: Tool) -> dict[str, object]:
        """Return the ``resources/list`` entry of the tool's view, at its bare address."""
        return {
            "uri": ui_address(tool.name),
            "name": tool.name,
            "title": tool.title,
            "description": f"Interactive UI of the tool {tool.name}",
            "mimeType": MIME_TYPE,
            "_meta": self.resource_meta,
        }

    def contents(self, uri: str, tool_name: str, tool: Tool | None) -> str:
        """Return the JSON text of one ``contents`` entry, which echoes the address that was read.

        Raises:
            ResourceNotFound: The tool is gone.
        """
        if tool is None:
            raise ResourceNotFound(ui_address(tool_name), tool_name)
        head = json_text({"uri": uri, "mimeType": MIME_TYPE, "_meta": self.resource_meta})
        return f'{head[:-1]},"text":{self._page(tool)}}}'

    def forget(self, tool_name: str) -> None:
        """Drop what is kept of a tool that is gone (SPEC W11)."""
        self._shown.pop(tool_name, None)
        self._versions.pop(tool_name, None)
        for key in [key for key in self._pages if key[0] == tool_name]:
            del self._pages[key]

    def _page(self, tool: Tool) -> str:
        key = (tool.name, self._version(tool))
        ready = self._pages.get(key)
        if ready is None:
            ready = self._pages[key] = json_text(self._built_page(tool))
            if len(self._pages) > _MAX_READY_PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(key)
        return ready

    def _built_page(self, tool: Tool) -> str:
        view = self._present(tool)
        data = self._data(tool, view)
        if view is None or not view.source:
            return minimal_page(tool, data, self.kit)
        from genui_core.domain.generated_page import view_page  # noqa: PLC0415 -- not before there is such a view

        runtime = self.settings.host_runtime
        return view_page(tool, data, self.kit, view.source, view.mode, runtime=runtime)

    def _version(self, tool: Tool) -> str:
        view = self._present(tool)
        known = self._versions.get(tool.name)
        if known is not None and known[0] is tool and known[1] is view:
            return known[2]
        source = view.source if view is not None else ""
        version = body_version(self._cache_key(tool, view), self._data(tool, view), self.kit.build, source)
        self._versions[tool.name] = (tool, view, version)
        return version

    def _data(self, tool: Tool, view: "PresentView | None") -> str:
        return page_data(tool, self.settings.limits, self.settings.default_theme, _notice(view))


def _notice(view: "PresentView | None") -> Notice | None:
    if view is None:
        return None
    if view.state is ViewState.PROVISIONAL:
        return provisional_notice()
    return fallback_notice(view.reason) if view.state is ViewState.FALLBACK else None
