"""What the wrapper's own tools ask of the wrapper."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from genui_core.application.view_pages import ViewPages
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.ports.event_log import EventLog

if TYPE_CHECKING:  # loaded with the first generation
    from genui_core.domain.prompting.facts import Facts


class WrappedTools(Protocol):
    """The tools that a wrapper knows, and their views."""

    @property
    def event_log(self) -> EventLog:
        """Takes the events of the log."""
        ...

    @property
    def settings(self) -> Settings:
        """What the wrapper is told."""
        ...

    @property
    def active_tools(self) -> Mapping[str, Tool]:
        """The upstream's tools, by name."""
        ...

    @property
    def views(self) -> ViewPages:
        """What serves views."""
        ...

    @property
    def has_model(self) -> bool:
        """Whether there is a model to ask."""
        ...

    def tool(self, name: str) -> Tool:
        """Return the tool of that name.

        Raises:
            UnknownTool: There is none; the error names the nearest.
        """
        ...

    def gives_ui(self, tool: Tool) -> bool:
        """Whether a tool's UI is ours to serve."""
        ...

    def facts(self, tool: Tool) -> "Facts":
        """Return what a model may know of a tool."""
        ...
