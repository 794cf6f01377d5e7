"""The wrapper: one object that knows the upstream's tools and serves their UIs.

Every door (stdio relay, HTTP, in process) asks this object the same few questions and is
answered with plain values; it owns no connection and imports no SDK.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property
from json import loads

from genui_core.application.built_kit import BuiltViewKit, built_configuration
from genui_core.application.view_desk import ViewDesk
from genui_core.application.wrapper_tools import WrapperTools
from genui_core.domain.decoration import tool_meta
from genui_core.domain.registry import Registry, ToolDiff
from genui_core.domain.settings import Settings
from genui_core.domain.tool import Tool, is_tool
from genui_core.domain.ui_address import tool_name_of
from genui_core.errors import InvalidAddress, UnknownTool
from genui_core.ports.identity import Identity, RandomIdentity
from genui_core.ports.journal import Journal, Level, SilentJournal
from genui_core.ports.view_kit import ViewKit


class Wrapper:
    """Gives the tools of one upstream their UIs.

    Not safe for use from two threads at once. ``Wrapper()`` with nothing given works.

    Attributes:
        listing_number: How often the upstream's tools were listed to the end.

    Args:
        settings: What it is told; the defaults of SPEC §11 where nothing is given.
        journal: Where its events go.
        identity: Where request ids and nonces come from.
        kit: What pages are made of; the built-in kit where none is given.
    """

    def __init__(
        self,
        *,
        settings: Settings | None = None,
        journal: Journal | None = None,
        identity: Identity | None = None,
        kit: ViewKit | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.journal = journal or SilentJournal()
        self.identity = identity or RandomIdentity()
        self._kit = kit
        self._registry = Registry()
        self._listing: list[Tool] = []
        self._before: Mapping[str, Tool] = {}
        self.listing_number = 0

    @cached_property
    def views(self) -> ViewDesk:
        """What serves views. Made at the first question, so that starting costs nothing."""
        kit = self._kit or BuiltViewKit()
        configuration = built_configuration(kit, self.settings.default_theme)
        return ViewDesk(settings=self.settings, kit=kit, configuration=configuration)

    @cached_property
    def tools(self) -> WrapperTools:
        """The tools of the wrapper's own."""
        return WrapperTools(self)

    @property
    def knows_all_tools(self) -> bool:
        """Whether the upstream's tools were ever listed to the end."""
        return self._registry.is_complete

    @property
    def active_tools(self) -> Mapping[str, Tool]:
        """The tools the upstream offers, by name, in its order."""
        return self._registry.active

    def learn_page(self, definitions: Iterable[object], *, is_first: bool, is_last: bool) -> ToolDiff | None:
        """Take in one page of the upstream's ``tools/list``.

        Returns:
            What the listing changed, once its last page is in.
        """
        if is_first:
            self._listing, self._before = [], dict(self._registry.active)
        self._listing += self._registry.add_page(definitions)
        if not is_last:
            return None
        was_complete = self.knows_all_tools
        diff = self._registry.replace(self._listing, self._before)
        self.listing_number += 1
        self._record_listing(diff, was_complete=was_complete)
        return diff

    def tool(self, name: str) -> Tool:
        """Return the active tool of that name.

        Raises:
            UnknownTool: There is none; the error names the nearest.
        """
        found = self._registry.find(name)
        if found is None:
            raise UnknownTool(name, tuple(get_close_matches(name, self._registry.active, n=3)))
        return found

    def gives_ui(self, tool: Tool) -> bool:
        """Whether a tool's UI is ours to serve: it is allowed one and brings none of its own."""
        return self.settings.gives_ui(tool.name) and not tool.brings_own_ui

    def address_of(self, definition: Mapping[str, object]) -> str | None:
        """Return the address to advertise for a listed tool, or None for one to be left as it is."""
        if not is_tool(definition) or Tool(definition).brings_own_ui:
            return None
        tool = self._registry.find(Tool(definition).name)
        if tool is None or not self.gives_ui(tool):
            return None
        return self.views.address(tool)

    def tool_meta(self, definition: Mapping[str, object]) -> dict[str, object] | None:
        """Return what a listed tool gains in its ``_meta``, or None for one to be left as it is."""
        address = self.address_of(definition)
        return None if address is None else tool_meta(address)

    def resource_entries(self) -> list[dict[str, object]]:
        """Return the ``resources/list`` entries of all views, at their bare addresses."""
        return [self.views.entry(tool) for tool in self._registry.active.values() if self.gives_ui(tool)]

    def owns(self, uri: object) -> bool:
        """Whether a resource address is in the wrapper's own table; others are the upstream's."""
        name = _tool_name(uri)
        if name is None:
            return False
        tool = self._registry.find(name)
        return self.gives_ui(tool) if tool is not None else self._registry.was_removed(name)

    def view_contents(self, uri: str) -> dict[str, object]:
        """Return the ``contents`` entry that answers a read of one of our addresses.

        Raises:
            ResourceNotFound: The tool was removed.
        """
        contents: dict[str, object] = loads(self.read_view(uri))
        return contents

    def read_view(self, uri: str) -> str:
        """Return the JSON text of the ``contents`` entry that answers a read of one of our addresses.

        Raises:
            ResourceNotFound: The tool was removed.
        """
        name = tool_name_of(uri)
        return self.views.contents(uri, name, self._registry.find(name))

    def _record_listing(self, diff: ToolDiff, *, was_complete: bool) -> None:
        if not was_complete:
            self.journal.record(Level.INFO, "wrapper", "tools_listed", tools=len(diff.added))
            return
        for name in diff.changed:
            self.journal.record(Level.WARN, "wrapper", "tool_changed", tool_name=name)
        if diff.added or diff.removed:
            self.journal.record(
                Level.INFO, "wrapper", "tools_refreshed", added=diff.added, removed=diff.removed
            )


def _tool_name(uri: object) -> str | None:
    try:
        return tool_name_of(uri) if isinstance(uri, str) else None
    except InvalidAddress:
        return None
