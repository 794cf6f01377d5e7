"""The page cache: the addresses, list entries and pages of views, as ready-made JSON."""

from collections import OrderedDict
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from genui_core.application.services import Services
from genui_core.application.upstream_tools import UpstreamTools
from genui_core.domain.mcp.envelope import MIME_TYPE
from genui_core.domain.mcp.jsonrpc import json_text
from genui_core.domain.pages.minimal_view import body_version, error_page, page_data, view_version
from genui_core.domain.pages.page_frame import TEMPLATE_VERSION, PageNeeds, PageParts, PagePolicy
from genui_core.domain.settings.settings import HostRuntime, Settings
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool, told_name, ui_address
from genui_core.ports.event_log import Level

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView
    from genui_core.ports.view_kit import ViewKit

_MOST_DATA_BESIDE_CHAT: Final = 54_000
"""With more characters of data, a page omits its script for the chat, to stay within 256 KB."""


def kit_parts(kit: "ViewKit", needs: PageNeeds) -> PageParts:
    """Return the parts of a kit that a page with these needs carries."""
    return PageParts(kit.style_for(needs), kit.script_for(needs), kit.document_script)


def _page_json(page: str, script: str) -> bytes:
    """Return a page as JSON text. The kit's script, which is most of the page, is encoded only once."""
    at = page.find(script[:_ENOUGH_TO_FIND])
    if not page.startswith(script, at):
        return json_text(page).encode()
    before, after = json_text(page[:at]), json_text(page[at + len(script) :])
    return f"{before[:-1]}{_within_json(script)}{after[1:]}".encode()


@lru_cache(maxsize=4)
def _within_json(script: str) -> str:
    return json_text(script)[1:-1]


_ENOUGH_TO_FIND = 200
_MAX_READY_PAGES = 64
_FINISHED = (ViewState.GENERATED, ViewState.MINIMAL)


@frozen(eq=False, repr=False, slots=False)
class ViewPages:
    """Serves the view that the generation worker published for each tool, and until then the minimal view.

    It caches the 64 pages that were read last as encoded JSON, so that a second read builds no page. Building
    a page and computing its version never fail, even for a broken definition.

    Args:
        services: The wrapper's collaborators.
        tools: The upstream's tools: which a page may call, and how it looks.
    """

    services: Services
    tools: UpstreamTools
    _shown: "dict[str, tuple[Tool, PresentView]]" = field(factory=dict, init=False)
    _versions: "dict[str, tuple[tuple[object, ...], str]]" = field(factory=dict, init=False)
    _pages: OrderedDict[tuple[str, str], bytes] = field(factory=OrderedDict, init=False)

    @property
    def settings(self) -> Settings:
        """The settings."""
        return self.services.settings

    def key(self, tool: Tool, view: "PresentView | None") -> str:
        """Return the cache key of the view; without a view, the key of the view that the tool should have.

        Raises:
            GenUiError, RecursionError, ValueError: The tool's definition has no canonical form.
        """
        if view is not None:
            return view.key
        return self.services.configuration.cache_key(tool)

    def version(self, tool: Tool, view: "PresentView | None") -> str:
        """Return the eight hex digits that distinguish this page from other pages of the tool."""
        try:
            source = view.source if view is not None else ""
            policy = "" if self._policy == PagePolicy() else f"\n{self._policy}"
            runtime = "" if self.settings.host_runtime == "inline" else f"\n{self.settings.host_runtime}"
            build = f"{self.services.kit.build}{policy}{runtime}{'live' if self._is_live(view) else ''}"
            # Only views that may be written depend on prompts: a start without a model reads no prompt.
            is_written = view is not None or self.services.makes_views
            made_of = self.key(tool, view) if is_written else f"{TEMPLATE_VERSION}\n{tool.hash}"
            return body_version(made_of, self._data(tool, view), build, source)
        except Exception as error:  # noqa: BLE001 -- a tool's definition or another package's kit may fail
            return view_version(f"{tool.name}\n{error!r}")

    def page(self, tool: Tool, view: "PresentView | None", *, standalone: bool = False) -> str:
        """Return the page as one HTML file; a standalone page works without this wrapper."""
        return self._build(tool, view, standalone=standalone)[0]

    def _build(self, tool: Tool, view: "PresentView | None", *, standalone: bool = False) -> tuple[str, str]:
        """Return the page, and the kit's script in it."""
        from genui_core.domain.pages.generated_page import view_page  # noqa: PLC0415 -- no list of tools needs it

        runtime: HostRuntime = "inline" if standalone else self.settings.host_runtime
        try:
            source, mode, plan = (
                ("", "fragment", None) if view is None else (view.source, view.mode, view.plan)
            )
            data = self._data(tool, view, standalone=standalone)
            parts = self._parts(tool, view, data, standalone=standalone)
            is_live = self._is_live(view) and self._policy.is_on and not standalone
            policy = evolve(self._policy, nonce=self.services.identity.nonce()) if is_live else self._policy
            page = view_page(tool, data, parts, source, mode, runtime=runtime, plan=plan, policy=policy)
        except Exception as error:  # noqa: BLE001 -- a tool's definition or another package's kit may fail
            reason = f"{type(error).__name__}: {error}"
            self.services.event_log.record(
                Level.WARN,
                "ui_generator",
                "fallback_used",
                tool_name=tool.name,
                request_id=self.services.identity.request_id(),
                reason=reason,
                errors=[],
                fallbackType="emergency",
            )
            return error_page(tool.name, reason, tool.definition), ""
        return page, parts.script

    def _parts(self, tool: Tool, view: "PresentView | None", data: str, *, standalone: bool) -> PageParts:
        from genui_core.domain.pages.generated_page import page_needs  # noqa: PLC0415 -- no list of tools needs it

        kit = self.services.kit
        needs = page_needs(tool) if view is None else page_needs(tool, view.source, view.mode)
        if standalone:
            return kit_parts(kit, needs).with_script(kit.standalone_script)
        is_live, chat = self._is_live(view), self._may_change(view) and len(data) <= _MOST_DATA_BESIDE_CHAT
        return kit_parts(kit, evolve(needs, written=needs.written or is_live, live=is_live, chat=chat))

    def _is_live(self, view: "PresentView | None") -> bool:
        """Whether the page shows its tool's next view itself; a minimal or frozen view only offers it."""
        lasts = view is None or view.state is ViewState.MINIMAL or self.services.frozen is not None
        return not lasts and self._may_change(view) and self.settings.generation.mode == "fragment"

    def _may_change(self, view: "PresentView | None") -> bool:
        """Whether the page asks for its next view and uses the chat; a document talks to the host itself."""
        return self.settings.live == "auto" and not (view is not None and view.is_document)

    @property
    def _policy(self) -> PagePolicy:
        return PagePolicy(self.settings.granted, self.settings.page_policy)

    def _data(self, tool: Tool, view: "PresentView | None", *, standalone: bool = False) -> str:
        live = {
            "tool": self.tools.view_tool,
            "version": view_version("" if view is None else view.source),
            "pending": view is not None and not view.is_finished and self._is_live(view),
        }
        return page_data(
            tool,
            self.settings,
            None if view is None else view.notice,
            related=self.related(tool, view),
            server=self.tools.look,
            live=live if self._may_change(view) and not standalone else None,
        )

    def related(self, tool: Tool, view: "PresentView | None") -> tuple[str, ...]:
        """Return the names of the tools that a view may call: the read-only tools that it names."""
        if view is None or not view.source:
            return ()
        source = view.source

        def is_named(name: str) -> bool:
            return name in source or (name != tool.name and told_name(name) in source)

        return tuple(sorted(filter(is_named, self.tools.readers)))

    def show(self, tool: Tool, view: "PresentView") -> None:
        """Serve this view from now on, until the tool changes."""
        self._shown[tool.name] = (tool, view)

    def wants_making(self, tool: Tool) -> bool:
        """Whether the generation worker must make the tool's view before it is served."""
        view = self._present(tool)
        return (view is None or view.state not in _FINISHED) and tool.has_hash

    def is_minimal(self, tool: Tool) -> bool:
        """Whether the generation worker has decided that the tool gets the minimal view."""
        view = self._present(tool) if tool.has_hash else None
        return view is not None and view.state is ViewState.MINIMAL

    def _present(self, tool: Tool) -> "PresentView | None":
        shown, view = self._shown.get(tool.name, (None, None))
        return view if shown is not None and (shown is tool or not shown.differs_from(tool)) else None

    def present_key(self, tool: Tool) -> str:
        """Return the cache key of the tool's present view."""
        return self.key(tool, self._present(tool))

    def address(self, tool: Tool) -> str:
        """Return the address of the tool's present view."""
        return ui_address(tool.name, self._present_version(tool))

    @cached_property
    def resource_meta(self) -> dict[str, object]:
        """The ``_meta`` of every view: its permissions, under the keys of each kind of host (requirement U3)."""
        granted = self.services.settings.granted
        csp = {
            "connectDomains": list(granted.connect),
            "resourceDomains": list(granted.resource),
            "frameDomains": list(granted.frame),
            "baseUriDomains": list(granted.base_uri),
        }
        widget = {"connect_domains": list(granted.connect), "resource_domains": list(granted.resource)}
        ui: dict[str, object] = {"csp": csp, "prefersBorder": True}
        if granted.permissions:
            ui["permissions"] = {name: {} for name in granted.permissions}
        if not granted.domain:
            return {"ui": ui, "openai/widgetCSP": widget}
        ui["domain"] = granted.domain
        return {"ui": ui, "openai/widgetCSP": widget, "openai/widgetDomain": granted.domain}

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

    def contents(self, uri: str, tool: Tool) -> tuple[bytes, ...]:
        """Return the JSON text of one ``contents`` entry, which echoes the address that was read.

        It comes in pieces, to join or to write: copying a page takes longer than the rest of a read.
        """
        head = json_text({"uri": uri, "mimeType": MIME_TYPE, "_meta": self.resource_meta})
        return f'{head[:-1]},"text":'.encode(), self._present_page(tool), b"}"

    def embedded(self, tool: Tool) -> str:
        """Return the standalone page of the present view, for embedding in a result."""
        return self.page(tool, self._present(tool), standalone=True)

    def forget(self, tool_name: str) -> None:
        """Drop the view and the cached pages of a tool (requirement W11)."""
        self._shown.pop(tool_name, None)
        self._versions.pop(tool_name, None)
        for key in [key for key in self._pages if key[0] == tool_name]:
            del self._pages[key]

    def _present_page(self, tool: Tool) -> bytes:
        key = (tool.name, self._present_version(tool))
        ready = self._pages.get(key)
        if ready is None:
            ready = self._pages[key] = _page_json(*self._build(tool, self._present(tool)))
            if len(self._pages) > _MAX_READY_PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(key)
        return ready

    def _present_version(self, tool: Tool) -> str:
        view = self._present(tool)
        made_of = (tool, view, view and self.tools.readers, self.tools.look, self.tools.view_tool)
        known = self._versions.get(tool.name)
        if known is not None and all(old is new for old, new in zip(known[0], made_of, strict=True)):
            return known[1]
        version = self.version(tool, view)
        self._versions[tool.name] = (made_of, version)
        return version
