"""The port through which hosts learn that views changed (requirement U6)."""

from abc import abstractmethod
from collections.abc import Collection
from typing import Protocol


class ChangeNotifier(Protocol):
    """Notifies the hosts of one transport. Called in the transport's thread; never blocks or raises."""

    @abstractmethod
    def views_changed(self, tool_names: Collection[str]) -> None:
        """Notify the hosts that the list of tools, or views of tools, changed.

        Args:
            tool_names: The tools whose views changed or were removed; empty if tools were only added.
        """
