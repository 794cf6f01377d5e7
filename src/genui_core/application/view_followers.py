"""Who is told when views change, and when they are finished."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from genui_core.domain.tool import Tool
from genui_core.ports.change_notifier import ChangeNotifier

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView

ViewWatcher = Callable[[Tool, "PresentView | None"], None]
"""Is called with a tool and its finished view; None is the minimal UI of a wrapper that makes no views."""


class ViewFollowers:
    """Those who are told.

    Attributes:
        notifiers: Doors, which tell hosts to read again.
        watchers: Whoever wants each finished view itself.
    """

    def __init__(self) -> None:
        self.notifiers: list[ChangeNotifier] = []
        self.watchers: list[ViewWatcher] = []

    def changed(self, tool_names: tuple[str, ...]) -> None:
        """Tell doors that the views of these tools are others now, or gone."""
        for notifier in self.notifiers:
            notifier.views_changed(tool_names)

    def shown(self, tool: Tool, view: "PresentView | None") -> None:
        """Tell watchers of a finished view."""
        for watcher in self.watchers:
            watcher(tool, view)
