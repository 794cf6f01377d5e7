"""Notifies the host of a stdio relay that tools or views have changed (SPEC U6)."""

from collections.abc import Collection

from attrs import define, field

from genui_core.application.stdio.listen_streams import ListenStreams
from genui_core.domain.mcp.jsonrpc import notification_line
from genui_core.domain.tools.registry import ToolDiff
from genui_core.domain.views.view_news import FollowedAddresses, view_news


@define
class ChangeNotices:
    """The change notifications for one host.

    Attributes:
        streams: The open streams of a stateless host.
        is_stateful: Whether the host sent `initialize`, and so gets notifications outside of streams.
        followed: The addresses that a stateful host gets notifications for.
    """

    streams: ListenStreams
    is_stateful: bool = False
    followed: FollowedAddresses = field(factory=FollowedAddresses)

    def lines(self, diff: ToolDiff, *, knows_tools: bool) -> list[bytes]:
        """Return the messages that notify the host of a change.

        Args:
            diff: What has changed.
            knows_tools: Whether the host already got a notification that the tools have changed.
        """
        if diff.is_empty:
            return []
        return self.views_changed((*diff.changed, *diff.removed), knows_tools=knows_tools)

    def views_changed(self, tool_names: Collection[str], *, knows_tools: bool = False) -> list[bytes]:
        """Return the messages that notify the host of changed views of these tools."""
        plain = view_news(tool_names, self.followed, knows_tools=knows_tools) if self.is_stateful else []
        streamed = self.streams.views_changed(tool_names, knows_tools=knows_tools)
        return [*(notification_line(method, params or None) for method, params in plain), *streamed]
