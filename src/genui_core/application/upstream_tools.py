"""The tools that one upstream offers: as last listed, what changed between two listings, and which get views."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
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
    """What a listing changed, as tool names in the order of the listing."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the tools are the same as before."""
        return not (self.added or self.removed or self.changed)


class UpstreamTools:
    """The tools of one upstream, what it says of itself, and which tools get views by these settings.

    A removed tool stays known as removed, so that its old address can be answered for
    what it is. A name listed twice keeps its first definition.

    An upstream may offer other tools to another kind of host. Each such audience has listings
    of its own, and a tool is removed when none of them holds it any more.

    Attributes:
        listing_number: How often the tools were listed to the end.
        look: How pages look: the upstream's name, accent and icon are known when it has named itself.
        reading: The tools that only read and that views may call.
        readers: Their names: the same set until they change.
        view_tool: The name of the tool that a page asks for its next view.
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
        self.listing_number = 0

    @property
    def knows_all_tools(self) -> bool:
        """Whether the tools were ever listed to the end."""
        return self.listing_number > 0

    def find(self, name: str) -> Tool | None:
        """Return the active tool of that name."""
        return self.active_tools.get(name)

    def find_removed(self, name: str) -> Tool | None:
        """Return the tool of that name that the upstream once offered and no longer does."""
        return self._removed.get(name)

    def brings(self, address: str) -> bool:
        """Whether the upstream ties an active tool of its own to that address."""
        return address in self._brought.values()

    def knows_tools_for(self, audience: str) -> bool:
        """Whether the tools that the upstream offers to an audience were ever listed to the end."""
        return audience in self._listed

    def begin_listing(self, audience: str = "", changes: int = 0) -> "Listing":
        """Return a listing to be filled page by page; several may be under way at once."""
        return Listing(self, audience, changes)

    def _seen(self, tool: Tool) -> Tool:
        """Add a tool of a page; if an equal tool is known, return that one, whose hash may be computed."""
        known = self.active_tools.get(tool.name)
        kept = known if known is not None and known.is_same_as(tool) else tool
        self.active_tools[tool.name] = kept
        if kept.own_ui is None:
            self._brought.pop(kept.name, None)
        else:  # few tools bring a UI: they are kept apart, so that a read of a view need not look at all tools
            self._brought[kept.name] = kept.own_ui
        return kept

    def forget_audience(self, audience: str) -> None:
        """Take an audience's tools for removed where no other is offered them: it is there no more."""
        self._offer(self._listed.pop(audience, {}))

    def _replace(self, audience: str, now: dict[str, Tool]) -> ToolDiff:
        before = self._listed.pop(audience, {})
        self._listed[audience] = now
        self._offer(before, now)
        self.listing_number += 1
        return _diff(before, now)

    def _offer(self, before: Mapping[str, Tool], now: Mapping[str, Tool] | None = None) -> None:
        """Make active what is listed for anybody, what was listed last first."""
        offered = dict(now or {})
        for listed in self._listed.values():
            offered.update((name, self.active_tools[name]) for name in listed if name not in offered)
        gone = self._removed | dict(before)
        self.active_tools = offered
        self._removed = {name: tool for name, tool in gone.items() if name not in offered}
        self._brought = {name: own for name, own in self._brought.items() if name in offered}
        self.reading = tuple(each for each in offered.values() if each.reads_for_views)
        readers = frozenset(each.name for each in self.reading)
        self.readers = self.readers if readers == self.readers else readers
        self.view_tool = published_name(VIEW, offered)

    @property
    def upstream_name(self) -> str:
        """What the upstream calls itself; "" until it has said so. Histories are kept by it."""
        return self.look.name

    def know_upstream(self, info: object) -> None:
        """Keep the name and icon that the upstream gives itself in its ``serverInfo``."""
        self.look = self.look.told(info)

    def tool(self, name: str) -> Tool:
        """Return the active tool of that name; `UnknownTool` names the nearest."""
        found = self.find(name)
        if found is None:
            from difflib import get_close_matches  # noqa: PLC0415 -- for this alone

            raise UnknownTool(name, tuple(get_close_matches(name, self.active_tools, n=3)))
        return found

    def gives_ui(self, tool: Tool) -> bool:
        """Whether a tool's UI is ours to serve: it is allowed one and brings none of its own."""
        return is_enabled(tool.name, self._settings) and tool.own_ui is None

    def at(self, uri: str) -> Tool | None:
        """Return the active tool whose view has this address."""
        return self.find(tool_name_of(uri))

    def makeable(self, uri: str) -> Tool | None:
        """Return that tool if a view can be made and stored for it."""
        tool = self.at(uri)
        return tool if tool is not None and tool.has_hash else None

    def owns(self, uri: str) -> bool:
        """Whether a resource address is in the wrapper's own table; others are the upstream's."""
        try:
            name = tool_name_of(uri)
        except InvalidAddress:
            return False
        if self.brings(uri):
            return False
        if uri in DOCUMENTS:
            return True
        tool = self.find(name) or self.find_removed(name)
        return tool is not None and self.gives_ui(tool)

    def is_replaced(self, tool: Tool) -> bool:
        """Whether the upstream offers a tool by another definition now; the generation worker asks it in its thread.

        A tool that no host sees at the moment may come back unchanged.
        """
        present = self.find(tool.name)
        return present is not None and present.differs_from(tool)

    def log_listing(self, event_log: EventLog, diff: ToolDiff, *, is_first: bool) -> None:
        """Log which tools there are at first, and which came, went or changed since."""
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


@frozen
class Listing:
    """One walk through the pages of ``tools/list``.

    Attributes:
        changes: How many changes of its tools the upstream had announced when it began.
        is_whole: Whether it began at the first page; only then does its end tell what was removed.
    """

    _known: UpstreamTools
    audience: str = ""
    changes: int = 0
    is_whole: bool = True
    _tools: dict[str, Tool] = Factory(dict)

    def add_page(self, definitions: Iterable[object]) -> None:
        """Take in a page; its tools are known from now on. What is no tool definition is passed over."""
        for definition in definitions:
            if is_tool(definition):
                tool = Tool(definition)
                if tool.name not in self._tools:
                    self._tools[tool.name] = self._known._seen(tool)  # noqa: SLF001 -- two parts of one thing

    def take(self, page: Mapping[str, object]) -> None:
        """Take in a page as the upstream gave it.

        Raises:
            UpstreamFailed: It has no list of tools.
        """
        tools = page.get("tools")
        if not isinstance(tools, list):
            raise UpstreamFailed({"message": "no list of tools"})
        self.add_page(tools)

    def finish(self) -> ToolDiff:
        """Make this the present listing, and say how it differs from the one before."""
        return self._known._replace(self.audience, self._tools)


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
    """Yield the pages of ``tools/list``; ``ask`` gets the params of each, which begin with these.

    The list ends at its last page, before a page that was seen, and after a thousand pages.
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
