"""The model of the host that a view is made for, where the host lends it (MCP, sampling)."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Protocol

from genui_core.errors import GenUiError

Params = Mapping[str, object]
Result = Mapping[str, object]

SAMPLING = "sampling/createMessage"


def lends_model(capabilities: object) -> bool:
    """Whether a host with these capabilities lets others ask its model."""
    return isinstance(capabilities, Mapping) and isinstance(capabilities.get("sampling"), Mapping)


class HostModel(Protocol):
    """The transport's interface to one host's model. The transport's thread calls it; it never blocks."""

    @abstractmethod
    def ask(self, params: Params, then: Callable[[Result | GenUiError], None]) -> Callable[[], None]:
        """Have the host's model answer ``sampling/createMessage``.

        Args:
            params: The parameters of the request.
            then: Called in the transport's thread with the result, or with `HostRefused`, which holds the
                host's error.

        Returns:
            What takes the question back. The host is told, and ``then`` is not called after it.
        """
