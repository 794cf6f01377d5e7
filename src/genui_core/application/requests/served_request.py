"""A request of a host's that is ours to answer, as the log has it from its arrival to its answer."""

from typing import TYPE_CHECKING

from attrs import frozen

from genui_core.ports.event_log import Level

if TYPE_CHECKING:
    from genui_core.application.tool_views import ToolViews


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
