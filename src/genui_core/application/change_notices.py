"""Tells a host at the relay that tools or views are others than they were (SPEC U6)."""

from collections.abc import Collection

from attrs import define, field

from genui_core.application.listen_streams import ListenStreams
from genui_core.domain.jsonrpc import notification_line
from genui_core.domain.registry import ToolDiff
from genui_core.domain.view_news import FollowedAddresses, view_news


@define
class ChangeNotices:
    """What one host is told, and of which addresses.

    Attributes:
        streams: Where a stateless host is told.
        is_stateful: Whether the host has shaken hands, and so is told outright.
        followed: The addresses of which it is then told.
    """

    streams: ListenStreams
    is_stateful: bool = False
    followed: FollowedAddresses = field(factory=FollowedAddresses)

    def lines(self, diff: ToolDiff, *, knows_tools: bool) -> list[bytes]:
        """Return the messages that tell of a change.

        Args:
            diff: What has changed.
            knows_tools: Whether the host has just been told that the tools are others.
        """
        if diff.is_empty:
            return []
        return self.views_changed((*diff.changed, *diff.removed), knows_tools=knows_tools)

    def views_changed(self, tool_names: Collection[str], *, knows_tools: bool = False) -> list[bytes]:
        """Return the messages that tell of other views of these tools."""
        plain = view_news(tool_names, self.followed, knows_tools=knows_tools) if self.is_stateful else []
        streamed = self.streams.views_changed(tool_names, knows_tools=knows_tools)
        return [*(notification_line(method, params or None) for method, params in plain), *streamed]
