"""Progress of a request, for hosts that sent a progress token (MCP, notifications/progress)."""

from collections.abc import Callable, Mapping

from attrs import define, field

from genui_core.domain.mcp.apps_extension import request_meta

PROGRESS = "notifications/progress"


@define
class ProgressReport:
    """Tells of each step of a request in words; of nothing where the host gave no token.

    Args:
        params: Of the request.
        tell: Takes the method and the params of each notification.
    """

    _params: Mapping[str, object]
    _tell: Callable[[str, Mapping[str, object]], None]
    _steps: int = field(default=0, init=False)

    def __call__(self, words: str) -> None:
        """Tell of a step."""
        token = request_meta(self._params).get("progressToken")
        if isinstance(token, str | int):
            self._steps += 1
            self._tell(PROGRESS, {"progressToken": token, "progress": self._steps, "message": words})
