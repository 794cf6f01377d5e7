"""Where the histories of views outlive the process (``generation.refinements: "persist"``)."""

from abc import abstractmethod
from typing import ClassVar, Protocol

from genui_core.domain.views.stored_view import ViewHistory


class ViewHistories(Protocol):
    """Keeps one history a tool of an upstream.

    Several wrappers may keep theirs in one place; tools of one name, of upstreams of different
    names, have nothing to do with each other. The name of an upstream is empty where it has none.

    Operations may run at the same time, in one event loop; of two that write one tool's, the
    later one stays. A history that is unreadable, foreign or damaged
    counts as missing, and is logged.

    Attributes:
        is_shared: Whether other wrappers may write there. If so, each read of a view also reads its
            tool's mark. Stored views are always validated again before they are served.
    """

    is_shared: ClassVar[bool] = False

    async def mark(self, tool_name: str, upstream_name: str = "") -> str | None:  # noqa: ARG002
        """Return what is another after every change by anybody; None where that is not known.

        Without other writers there is no mark.
        """
        return None

    @abstractmethod
    async def load(self, tool_name: str, upstream_name: str = "") -> ViewHistory | None:
        """Return what is remembered of a tool, or None."""

    @abstractmethod
    async def save(self, history: ViewHistory) -> bool:
        """Remember this of a tool from now on, also after a restart; say whether it is."""

    @abstractmethod
    async def drop(self, tool_name: str, upstream_name: str = "") -> None:
        """Remember nothing of a tool any more."""

    async def clear(self, tool_name: str | None = None) -> int:  # noqa: ARG002
        """Forget the histories of all tools, or of every tool of that name; return how many there were.

        A place that cannot list what it keeps forgets nothing.
        """
        return 0
