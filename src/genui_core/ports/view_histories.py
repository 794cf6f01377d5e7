"""The port for view histories that outlive the process (``generation.refinements: "persist"``)."""

from abc import abstractmethod
from typing import ClassVar, Protocol

from genui_core.domain.views.stored_view import ViewHistory


class ViewHistories(Protocol):
    """Stores one history for each tool of an upstream.

    Several wrappers may use one place. Tools of the same name are different tools if the names of their
    upstreams differ; the name of an upstream without one is empty.

    Operations may run at the same time, in one event loop; if two write the history of one tool, the later
    one wins. A history that is unreadable, foreign or damaged counts as missing, and is logged.

    Attributes:
        is_shared: Whether other wrappers may write to the same place. If so, each read of a view also reads
            its tool's mark. Stored views are always validated again before they are served.
    """

    is_shared: ClassVar[bool] = False

    async def mark(self, tool_name: str, upstream_name: str = "") -> str | None:  # noqa: ARG002
        """Return a text that differs after every change of the history by any wrapper, or None.

        None means that the text is unknown. A place without other writers needs none.
        """
        return None

    @abstractmethod
    async def load(self, tool_name: str, upstream_name: str = "") -> ViewHistory | None:
        """Return the history of a tool, or None."""

    @abstractmethod
    async def save(self, history: ViewHistory) -> bool:
        """Store a history in place of the tool's older one; return whether it survives a restart."""

    @abstractmethod
    async def drop(self, tool_name: str, upstream_name: str = "") -> None:
        """Delete the history of a tool, if there is one."""

    async def clear(self, tool_name: str | None = None) -> int:  # noqa: ARG002
        """Delete all histories, or those of a tool name at every upstream; return how many there were.

        A place that cannot list its histories deletes none.
        """
        return 0
