"""Door (c): UIs for a Python MCP server's own tools, in its own process.

This is the one module that knows the SDK's middleware, which the SDK calls provisional.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mcp import MCPError
from mcp.server import MCPServer, Server
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from pydantic import BaseModel

from genui_core.application.conversation import Conversation, HostRequest, Result
from genui_core.application.wrapper import Wrapper
from genui_core.domain.apps_extension import CLIENT_CAPABILITIES_KEY, is_stateless, request_meta
from genui_core.domain.rpc_errors import rpc_error
from genui_core.errors import GenUiError, UpstreamFailed


def attach(wrapper: Wrapper, server: MCPServer[Any] | Server[Any]) -> None:
    """Give the tools of a server their UIs.

    Call it once, before the server runs. Tools that are added later get theirs too.

    Args:
        wrapper: Serves the UIs; one wrapper serves one server.
        server: An ``MCPServer`` or a low-level ``Server``.
    """
    conversation = Conversation(wrapper)

    async def middleware(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        return await call_next(ctx) if ctx.request_id is None else await _answer(conversation, ctx, call_next)

    server.middleware.append(middleware)


async def _answer(
    conversation: Conversation, context: ServerRequestContext[Any, Any], call_next: CallNext
) -> HandlerResult:
    request = _request(context)

    async def hand_on(asked: HostRequest) -> Result:
        try:
            return _plain(await call_next(context if asked is request else _rewritten(context, asked)))
        except MCPError as error:
            raise UpstreamFailed(_error_object(error)) from error

    try:
        return dict(await conversation.answer(request, hand_on))
    except UpstreamFailed as failed:
        if isinstance(failed.__cause__, MCPError):
            raise failed.__cause__ from None
        raise
    except GenUiError as error:
        request_id = conversation.wrapper.identity.request_id()
        shown = rpc_error(error, request_id=request_id, stateless=request.stateless)
        raise MCPError(int(str(shown["code"])), str(shown["message"]), shown.get("data")) from error


def _request(context: ServerRequestContext[Any, Any]) -> HostRequest:
    params = context.params if isinstance(context.params, Mapping) else {}
    return HostRequest(context.method, params, _capabilities(context, params), is_stateless(params))


def _capabilities(context: ServerRequestContext[Any, Any], params: Mapping[str, object]) -> object:
    """A host shows its capabilities with each request, in its handshake, or before it in the session."""
    if is_stateless(params):
        return request_meta(params).get(CLIENT_CAPABILITIES_KEY)
    if context.method == "initialize":
        return params.get("capabilities")
    return _plain(context.session.client_capabilities)


def _rewritten(context: ServerRequestContext[Any, Any], asked: HostRequest) -> ServerRequestContext[Any, Any]:
    return replace(context, method=asked.method, params=dict(asked.params))


def _plain(value: object) -> Result:
    if isinstance(value, BaseModel):
        dumped: Result = value.model_dump(mode="json", by_alias=True, exclude_none=True)
        return dumped
    return value if isinstance(value, Mapping) else {}


def _error_object(error: MCPError) -> dict[str, object]:
    return {"code": error.code, "message": error.message, "data": error.data}
