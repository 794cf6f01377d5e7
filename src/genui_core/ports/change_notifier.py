"""How hosts learn that views changed (requirement U6)."""

from abc import abstractmethod
from collections.abc import Collection
from typing import Protocol


class ChangeNotifier(Protocol):
    """Notifies the hosts of one transport. Called from the wrapper's own thread; never blocks or raises."""

    @abstractmethod
    def views_changed(self, tool_names: Collection[str]) -> None:
        """Tell that the tools or their views are no longer what they were.

        Args:
            tool_names: Whose views are other ones now, or gone. Empty where tools were only added.
        """
