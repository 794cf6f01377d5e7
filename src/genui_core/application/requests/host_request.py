"""A host's request, and what is logged of one that the wrapper answers."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from attrs import field, frozen

from genui_core.ports.event_log import Level
from genui_core.ports.host_model import HostModel

if TYPE_CHECKING:
    from genui_core.application.tool_views import ToolViews


Result = Mapping[str, object]


async def _tell_nobody(_method: str, _params: Mapping[str, object]) -> None:
    """There is no way to the host."""


@frozen
class HostRequest:
    """A request of a host's.

    Attributes:
        method: Its method.
        params: Its params, empty where it has none.
        capabilities: What the host says of itself, as far as it is known.
        stateless: Whether it is of the 2026-07-28 generation.
        tell: Tells the host something that belongs to the request.
        model: The way to the host's model, for the generations with a handshake.
    """

    method: str
    params: Mapping[str, object]
    capabilities: object
    stateless: bool
    tell: Callable[[str, Mapping[str, object]], Awaitable[None]] = field(
        default=_tell_nobody, eq=False, repr=False
    )
    model: HostModel | None = field(default=None, eq=False, repr=False)


Forward = Callable[[HostRequest], Awaitable[Result]]
"""Has the server answer a request. Raises `UpstreamFailed` with the error that it answers with."""


@frozen
class ServedRequest:
    """One request under its id, which all that happens for it carries.

    Attributes:
        id: Its id.
    """

    _views: "ToolViews"
    id: str
    _method: str
    _tool_name: str | None
    _began_ms: int

    def ended(self) -> None:
        """Have the log say that it was answered, well or not."""
        self._views.event_log.record(
            Level.DEBUG,
            "wrapper",
            "request_served",
            request_id=self.id,
            tool_name=self._tool_name,
            method=self._method,
            duration_ms=self._views.services.clock.monotonic_ms() - self._began_ms,
        )


def arrived(views: "ToolViews", method: str, tool_name: str | None) -> ServedRequest:
    """Give a request its id, and have the log say that it is here.

    Args:
        views: Answers it.
        method: Its method.
        tool_name: The tool that it is about, where that is known.
    """
    request_id = views.identity.request_id()
    views.event_log.record(
        Level.DEBUG, "wrapper", "request_started", request_id=request_id, tool_name=tool_name, method=method
    )
    return ServedRequest(views, request_id, method, tool_name, views.services.clock.monotonic_ms())
