"""Notifies listeners when views change and when they are finished."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from genui_core.application.pages.view_pages import ViewPages
from genui_core.domain.tools.tool import Tool
from genui_core.ports.change_notifier import ChangeNotifier

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView

ViewWatcher = Callable[[ViewPages, Tool, "PresentView | None"], None]
"""Called with the pages, a tool and its finished view; None is the minimal view of a wrapper that makes no others."""


class ViewFollowers:
    """The listeners.

    Attributes:
        notifiers: Transports, which notify hosts to read again.
        watchers: Callbacks that get each finished view.
    """

    def __init__(self) -> None:
        self.notifiers: list[ChangeNotifier] = []
        self.watchers: list[ViewWatcher] = []

    def changed(self, tool_names: tuple[str, ...]) -> None:
        """Notify the transports that the views of these tools have changed or are gone."""
        for notifier in self.notifiers:
            notifier.views_changed(tool_names)

    def shown(self, pages: ViewPages, tool: Tool, view: "PresentView | None") -> None:
        """Pass a finished view to the watchers."""
        for watcher in self.watchers:
            watcher(pages, tool, view)
