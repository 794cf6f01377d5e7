"""The tools that one upstream offers: the last listing, its changes, and which tools get views."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import NamedTuple

from attrs import Factory, frozen

from genui_core.domain.pages.tool_look import ServerLook
from genui_core.domain.settings.brand import Brand
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool, is_tool, tool_name_of
from genui_core.domain.tools.wrapper_tools import DOCUMENTS, VIEW, published_name, yielded_names
from genui_core.errors import InvalidAddress, UnknownTool, UpstreamFailed
from genui_core.ports.event_log import EventLog, Level

_MOST_PAGES = 1000


class ToolDiff(NamedTuple):
    """The changes between two listings, as tool names in the order of the listing."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the tools are the same as before."""
        return not (self.added or self.removed or self.changed)


@frozen(eq=False, repr=False)
class Listing:
    """One listing of the tools, page by page (``tools/list``); several may be under way at once.

    Attributes:
        changes: How many changes of its tools the upstream had announced when the listing began.
        is_whole: Whether it began at the first page; only then does it show which tools were removed.
        tools: The tools so far, by name.
    """

    audience: str = ""
    changes: int = 0
    is_whole: bool = True
    tools: dict[str, Tool] = Factory(dict)


class UpstreamTools:
    """The tools of one upstream, its name and look, and which tools get views by these settings.

    Removed tools are remembered, so that the wrapper itself answers a read of their addresses. If a listing
    has a name twice, the first definition counts.

    An upstream may offer different tools to different kinds of hosts. Each such audience has its own
    listings, and a tool is removed when it is in the listing of no audience.

    Attributes:
        listing_number: How many listings were completed.
        changes: How often a tool, a view or the look changed, so that a list of the tools may be another one.
        look: The look of pages; it has the upstream's name, accent and icon once the upstream has sent them.
            The same object until it changes: the versions of pages are computed again for another one.
        reading: The read-only tools that views may call.
        readers: The names of these tools: the same set object until they change.
        view_tool: The name of the tool that a page calls for its next view.
    """

    def __init__(self, settings: Settings, brand: Brand) -> None:
        self._settings = settings
        self.look = ServerLook(brand=brand)
        self.reading: tuple[Tool, ...] = ()
        self.readers: frozenset[str] = frozenset()
        self.view_tool = VIEW
        self.active_tools: dict[str, Tool] = {}
        self._listed: dict[str, Mapping[str, Tool]] = {}
        self._removed: dict[str, Tool] = {}
        self._brought: dict[str, str] = {}
        self.listing_number = self.changes = 0

    @property
    def knows_all_tools(self) -> bool:
        """Whether the tools were ever listed completely."""
        return self.listing_number > 0

    def find(self, name: str) -> Tool | None:
        """Return the active tool of that name."""
        return self.active_tools.get(name)

    def find_removed(self, name: str) -> Tool | None:
        """Return the removed tool of that name, which the upstream once offered."""
        return self._removed.get(name)

    def brings(self, address: str) -> bool:
        """Whether an active tool of the upstream brings its own UI at that address."""
        return address in self._brought.values()

    def knows_tools_for(self, audience: str) -> bool:
        """Whether the tools that the upstream offers to an audience were ever listed completely."""
        return audience in self._listed

    def add_page(self, listing: Listing, page: Mapping[str, object]) -> None:
        """Add a page to a listing and make its tools active; skip entries that are not tool definitions.

        Raises:
            UpstreamFailed: The page has no list of tools.
        """
        definitions = page.get("tools")
        if not isinstance(definitions, list):
            raise UpstreamFailed({"message": "no list of tools"})
        for tool in map(Tool, filter(is_tool, definitions)):
            if tool.name not in listing.tools:
                listing.tools[tool.name] = self._add(tool)

    def _add(self, tool: Tool) -> Tool:
        """Add a listed tool and return it, or an equal known tool, whose hash may be computed already."""
        known = self.active_tools.get(tool.name)
        kept = known if known is not None and known.is_same_as(tool) else tool
        self.changes += kept is not known
        self.active_tools[tool.name] = kept
        if kept.own_ui is None:
            self._brought.pop(kept.name, None)
        else:  # few tools bring a UI: with a table of them, a read of a view need not look at all tools
            self._brought[kept.name] = kept.own_ui
        return kept

    def forget_audience(self, audience: str) -> None:
        """Drop an audience that is gone; its tools are removed unless another audience has them."""
        self._offer(self._listed.pop(audience, {}))

    def finish(self, listing: Listing) -> ToolDiff:
        """Make this the present listing, and return how it differs from the previous one."""
        before, now = self._listed.pop(listing.audience, {}), listing.tools
        self._listed[listing.audience] = now
        self._offer(before, now)
        self.listing_number += 1
        return _diff(before, now)

    def _offer(self, before: Mapping[str, Tool], now: Mapping[str, Tool] | None = None) -> None:
        """Make the tools of all audiences active; those of the latest listing come first."""
        offered = dict(now or {})
        for listed in self._listed.values():
            offered.update((name, self.active_tools[name]) for name in listed if name not in offered)
        gone = self._removed | dict(before)
        self.changes += [*offered.items()] != [*self.active_tools.items()]
        self.active_tools = offered
        self._removed = {name: tool for name, tool in gone.items() if name not in offered}
        self._brought = {name: own for name, own in self._brought.items() if name in offered}
        self.reading = tuple(each for each in offered.values() if each.reads_for_views)
        readers = frozenset(each.name for each in self.reading)
        self.readers = self.readers if readers == self.readers else readers
        self.view_tool = published_name(VIEW, offered)

    @property
    def upstream_name(self) -> str:
        """The upstream's own name, or "" while it is unknown. Histories are stored under it."""
        return self.look.name

    def know_upstream(self, info: object) -> None:
        """Store the upstream's name and icon from its ``serverInfo``."""
        told = self.look.told(info)
        if told != self.look:
            self.look = told
            self.changes += 1

    def tool(self, name: str) -> Tool:
        """Return the active tool of that name; `UnknownTool` suggests similar names."""
        found = self.find(name)
        if found is None:
            from difflib import get_close_matches  # noqa: PLC0415 -- rarely needed

            raise UnknownTool(name, tuple(get_close_matches(name, self.active_tools, n=3)))
        return found

    def gives_ui(self, tool: Tool) -> bool:
        """Whether the wrapper serves a tool's UI: the settings allow one and the tool brings none."""
        return is_enabled(tool.name, self._settings) and tool.own_ui is None

    def makeable(self, name: str) -> Tool | None:
        """Return the active tool of that name, if a view can be made and stored for it."""
        tool = self.find(name)
        return tool if tool is not None and tool.has_hash else None

    def served_name(self, uri: str) -> str | None:
        """Return the name in a resource address that the wrapper serves; None if the upstream serves it."""
        try:
            name = tool_name_of(uri)
        except InvalidAddress:
            return None
        tool = self.find(name) or self.find_removed(name)
        is_ours = uri in DOCUMENTS or (tool is not None and self.gives_ui(tool))
        return name if is_ours and not self.brings(uri) else None

    def is_replaced(self, tool: Tool) -> bool:
        """Whether the upstream now offers a tool with another definition. Callable from the worker's thread.

        A tool that is not offered at the moment is not replaced: it may come back unchanged.
        """
        present = self.find(tool.name)
        return present is not None and present.differs_from(tool)

    def log_listing(self, event_log: EventLog, diff: ToolDiff, *, is_first: bool) -> None:
        """Log the number of tools in the first listing, or the tools that a later listing changed."""
        if is_first:
            event_log.record(Level.INFO, "wrapper", "tools_listed", tools=len(diff.added))
            for name, published in yielded_names(self.active_tools).items():
                event_log.record(Level.WARN, "wrapper", "name_taken", tool_name=name, published_as=published)
            return
        for name in diff.changed:
            event_log.record(Level.WARN, "wrapper", "tool_changed", tool_name=name)
        if diff.added or diff.removed:
            added, removed = list(diff.added), list(diff.removed)
            event_log.record(Level.INFO, "wrapper", "tools_refreshed", added=added, removed=removed)


def _diff(before: Mapping[str, Tool], now: Mapping[str, Tool]) -> ToolDiff:
    shared = [name for name in now if name in before]
    changed = [name for name in shared if before[name].differs_from(now[name])]
    return ToolDiff(
        added=tuple(name for name in now if name not in before),
        removed=tuple(name for name in before if name not in now),
        changed=tuple(changed),
        unchanged=tuple(name for name in shared if name not in changed),
    )


async def tool_pages(
    ask: Callable[[dict[str, object]], Awaitable[Mapping[str, object]]], params: Mapping[str, object]
) -> AsyncIterator[Mapping[str, object]]:
    """Yield the pages of ``tools/list``; ``ask`` gets the params and, after the first page, the cursor.

    Stops after the last page, before a cursor that was already used, and after a thousand pages.
    """
    seen, page = {""}, await ask({**params})
    yield page
    while isinstance(cursor := page.get("nextCursor"), str) and cursor not in seen:
        if len(seen) > _MOST_PAGES:
            return
        seen.add(cursor)
        page = await ask({**params, "cursor": cursor})
        yield page


def is_enabled(tool_name: str, settings: Settings) -> bool:
    """Whether the allow-list lets a tool have a UI (requirement W13)."""
    return settings.enabled_tools is None or tool_name in settings.enabled_tools
