"""Tells a host that tools or views are others than they were (SPEC U6)."""

from attrs import define, field

from genui_core.application.listen_streams import ListenStreams
from genui_core.domain.jsonrpc import notification_line
from genui_core.domain.registry import ToolDiff
from genui_core.domain.ui_address import ui_address

_MOST_FOLLOWED = 1000


@define
class ChangeNotices:
    """What one host is told, and of which addresses.

    Attributes:
        streams: Where a stateless host is told.
        is_stateful: Whether the host has shaken hands, and so is told outright.
    """

    streams: ListenStreams
    is_stateful: bool = False
    _followed: dict[str, None] = field(factory=dict)

    def follow(self, uri: str) -> None:
        """Remember an address whose reader is to be told when its view changes; the newest thousand."""
        self._followed[uri] = None
        if len(self._followed) > _MOST_FOLLOWED:
            del self._followed[next(iter(self._followed))]

    def lines(self, diff: ToolDiff, *, knows_tools: bool) -> list[bytes]:
        """Return the messages that tell of a change.

        Args:
            diff: What has changed.
            knows_tools: Whether the host has just been told that the tools are others.
        """
        if diff.is_empty:
            return []
        kinds = ["resourcesListChanged"] if knows_tools else ["toolsListChanged", "resourcesListChanged"]
        stale = [ui_address(name) for name in (*diff.changed, *diff.removed)]
        plain = self._plain(stale, knows_tools=knows_tools) if self.is_stateful else []
        return plain + self.streams.changes(kinds, stale)

    def _plain(self, stale: list[str], *, knows_tools: bool) -> list[bytes]:
        lines = [] if knows_tools else [notification_line("notifications/tools/list_changed")]
        lines.append(notification_line("notifications/resources/list_changed"))
        return lines + [
            notification_line("notifications/resources/updated", {"uri": address})
            for address in self._followed
            if address.partition("?")[0] in stale
        ]
