"""Errors as hosts get them, and as the log has them."""

from collections.abc import Mapping

from genui_core.application.requests.host_request import HostRequest
from genui_core.application.tool_views import ToolViews
from genui_core.domain.logging.logged_error import logged_error
from genui_core.domain.mcp.jsonrpc import rpc_error
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.event_log import Level


def host_error(views: ToolViews, request: HostRequest, error: GenUiError) -> Mapping[str, object]:
    """Log an error of a request and return the JSON-RPC error of the host, under the same request id.

    An error that the upstream answered with is returned as it came.
    """
    if isinstance(error, UpstreamFailed):
        return error.error
    request_id, name = views.identity.request_id(), request.params.get("name")
    tool_name = name if request.method == "tools/call" and isinstance(name, str) else None
    views.event_log.record(
        Level.WARN,
        "tool_proxy",
        "request_failed",
        request_id=request_id,
        tool_name=tool_name,
        method=request.method,
        error=logged_error(error),
    )
    return rpc_error(error, request_id=request_id, tool_name=tool_name, stateless=request.stateless)
