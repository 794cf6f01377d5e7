"""The port to a host's own model, which some hosts offer through MCP sampling."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Protocol

from genui_core.domain.mcp.jsonrpc import Params, Result
from genui_core.errors import GenUiError

SAMPLING = "sampling/createMessage"


def offers_sampling(capabilities: object) -> bool:
    """Whether a host with these capabilities offers its model through sampling."""
    return isinstance(capabilities, Mapping) and isinstance(capabilities.get("sampling"), Mapping)


class HostModel(Protocol):
    """The model of one host. Called in the transport's thread; never blocks."""

    @abstractmethod
    def ask(self, params: Params, then: Callable[[Result | GenUiError], None]) -> Callable[[], None]:
        """Send ``sampling/createMessage`` to the host.

        Args:
            params: The parameters of the request.
            then: Called once in the transport's thread: with the result, with `HostRefused` for the host's
                error, or with another `GenUiError` if the host cannot be asked.

        Returns:
            A function that withdraws the request, so that ``then`` is not called any more.
        """
