"""The tools that one upstream offers, and which of them get views."""

from collections.abc import Mapping

from genui_core.domain.pages.tool_look import ServerLook
from genui_core.domain.settings.brand import Brand
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.registry import Listing, Registry, ToolDiff
from genui_core.domain.tools.tool import Tool, only_reads
from genui_core.domain.tools.ui_address import tool_name_of
from genui_core.domain.tools.wrapper_tools import yielded_names
from genui_core.errors import GenUiError, InvalidAddress, UnknownTool
from genui_core.ports.event_log import EventLog, Level


class UpstreamTools:
    """What the upstream has said of itself and of its tools.

    Attributes:
        registry: The listed tools.
        look: The colour and the icon of its pages.

    Args:
        settings: The settings.
        brand: A team's own look.
    """

    def __init__(self, settings: Settings, brand: Brand) -> None:
        self.registry = Registry()
        self.look = ServerLook(brand=brand)
        self._settings = settings
        self._read_only: tuple[int, frozenset[str]] = (-1, frozenset())

    @property
    def upstream_name(self) -> str:
        """What the upstream calls itself; "" until it has said so. Histories are kept by it."""
        return self.look.name

    @property
    def knows_all_tools(self) -> bool:
        """Whether the upstream's tools were ever listed to the end."""
        return self.registry.is_complete

    @property
    def listing_number(self) -> int:
        """How often the upstream's tools were listed to the end."""
        return self.registry.completed

    @property
    def active_tools(self) -> Mapping[str, Tool]:
        """The tools the upstream offers, by name, in its order."""
        return self.registry.active

    def knows_tools_for(self, audience: str) -> bool:
        """Whether the tools that the upstream offers to an audience were ever listed to the end."""
        return self.registry.is_complete_for(audience)

    def forget_audience(self, audience: str) -> None:
        """Forget the tools of an audience that has no host any more."""
        self.registry.forget(audience)

    def know_upstream(self, info: object) -> None:
        """Keep the name and icon that the upstream gives itself in its ``serverInfo``."""
        self.look = self.look.told(info)

    def begin_listing(self, audience: str = "") -> Listing:
        """Return an empty listing for the tools from the upstream; the caller adds the pages.

        Args:
            audience: To whom the upstream offers them, where it offers others to other hosts.
        """
        return self.registry.begin_listing(audience)

    def tool(self, name: str) -> Tool:
        """Return the active tool of that name.

        Raises:
            UnknownTool: There is none; the error names the nearest.
        """
        found = self.registry.find(name)
        if found is None:
            from difflib import get_close_matches  # noqa: PLC0415 -- for this alone

            raise UnknownTool(name, tuple(get_close_matches(name, self.registry.active, n=3)))
        return found

    def gives_ui(self, tool: Tool) -> bool:
        """Whether a tool's UI is ours to serve: it is allowed one and brings none of its own."""
        return self._settings.gives_ui(tool.name) and not tool.brings_own_ui

    def at(self, uri: str) -> Tool | None:
        """Return the active tool whose view has this address."""
        return self.registry.find(tool_name_of(uri))

    def owns(self, uri: str) -> bool:
        """Whether a resource address is in the wrapper's own table; others are the upstream's."""
        try:
            name = tool_name_of(uri)
        except InvalidAddress:
            return False
        if self.registry.brings(uri):
            return False
        tool = self.registry.find(name) or self.registry.find_removed(name)
        return tool is not None and self.gives_ui(tool)

    def is_replaced(self, tool: Tool) -> bool:
        """Whether the upstream offers a tool by another definition now; the generation worker asks it in its thread.

        A tool that no host sees at the moment may come back unchanged.
        """
        present = self.registry.find(tool.name)
        if present is None or present is tool:
            return False
        return not has_hash(present) or present.hash != tool.hash

    def readers(self) -> frozenset[str]:
        """Return the names of the tools that only read and that views may call: the same set until they change."""
        listed, known = self._read_only
        if listed != self.registry.completed:
            tools = self.active_tools.values()
            names = frozenset(each.name for each in tools if only_reads(each) and each.is_callable_by_views)
            known = known if names == known else names
            self._read_only = (self.registry.completed, known)
        return known

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


def has_hash(tool: Tool) -> bool:
    """Whether a view can be made and stored for a tool: its definition distinguishes it from others."""
    try:
        return bool(tool.hash)
    except (RecursionError, ValueError, GenUiError):
        return False
