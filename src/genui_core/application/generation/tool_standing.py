"""Which tools are still what they were when a view was begun for them (SPEC W11)."""

from collections import Counter
from collections.abc import Callable

from attrs import Factory, define

from genui_core.domain.tool import Tool
from genui_core.errors import ToolChanged


@define(kw_only=True)
class ToolStanding:
    """Knows whether a tool changed or went while a view was made for it. Used from one event loop.

    Args:
        is_replaced: Whether the upstream offers a tool by another definition now.
    """

    is_replaced: Callable[[Tool], bool] = lambda _tool: False
    _removals: Counter[str] = Factory(Counter)

    def removals(self, tool: Tool) -> int:
        """Return how often a tool of that name has been removed so far."""
        return self._removals[tool.name]

    def remove(self, tool: Tool) -> None:
        """Record that a tool was removed; a later tool of the same name is a different tool."""
        self._removals[tool.name] += 1

    def require(self, tool: Tool, removals: int) -> None:
        """Make sure that a tool is still what it was when something was begun for it.

        Args:
            tool: The tool, as it was then.
            removals: What `removals` said then.

        Raises:
            ToolChanged: It is not.
        """
        if self._removals[tool.name] != removals or self.is_replaced(tool):
            raise ToolChanged(tool.name)
