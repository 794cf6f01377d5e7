"""Where the histories of views outlive the process (``generation.refinements: "persist"``)."""

from abc import abstractmethod
from typing import Protocol

from genui_core.domain.view_history import ViewHistory


class ViewHistories(Protocol):
    """Keeps one history a tool.

    Operations may run at the same time, in one event loop; of two that write one tool's, the
    later one stays. What cannot be read, is foreign or was damaged is as if it had never been,
    and is told to the journal.
    """

    @abstractmethod
    async def load(self, tool_name: str) -> ViewHistory | None:
        """Return what is remembered of a tool, or None."""
        ...

    @abstractmethod
    async def save(self, history: ViewHistory) -> bool:
        """Remember this of a tool from now on, also after a restart; say whether it is."""
        ...

    @abstractmethod
    async def drop(self, tool_name: str) -> None:
        """Remember nothing of a tool any more."""
        ...
