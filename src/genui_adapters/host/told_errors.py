"""Errors as hosts are told them, and as the log has them."""

from mcp import MCPError

from genui_adapters.host.wire import sdk_error
from genui_core.application.host_request import HostRequest
from genui_core.application.wrapper import Wrapper
from genui_core.domain.logging.logged_error import logged_error
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.event_log import Level


def told_error(wrapper: Wrapper, request: HostRequest, error: GenUiError) -> MCPError:
    """Return an error as the host is told it, under the id that the log has."""
    request_id, name = wrapper.identity.request_id(), request.params.get("name")
    tool_name = name if request.method == "tools/call" and isinstance(name, str) else None
    if not isinstance(error, UpstreamFailed):
        wrapper.event_log.record(
            Level.WARN,
            "tool_proxy",
            "request_failed",
            request_id=request_id,
            tool_name=tool_name,
            method=request.method,
            error=logged_error(error),
        )
    return sdk_error(error, request_id=request_id, tool_name=tool_name, stateless=request.stateless)
