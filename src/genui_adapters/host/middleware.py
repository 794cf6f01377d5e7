"""The middleware of a server made with the SDK: each message, and the channels back to its host.

No other module uses the middleware, which the SDK calls provisional, and the two channels to a
host that the SDK keeps private for now.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from attrs import field, frozen
from mcp import MCPError
from mcp.server.connection import Connection
from mcp.server.context import CallNext, ServerRequestContext
from mcp.server.session import ServerSession
from mcp.shared.dispatcher import DispatchContext
from mcp_types import ErrorData
from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from genui_adapters.host.channels import AskableChannel, SessionModel
from genui_adapters.upstream.message import params_of
from genui_core.application.requests.host_request import HostRequest
from genui_core.domain.mcp.envelope import is_stateless_version
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import INTERNAL_ERROR, INVALID_PARAMS, Params, Result
from genui_core.errors import GenUiError, HostRefused, UpstreamFailed
from genui_core.ports.tool_source import HostChannel

_NOT_NUMBERS = (b"NaN", b"Infinity")


def unsendable(value: object) -> str | None:
    """Return why a value cannot be sent as JSON, or None where it can.

    A lone surrogate, an infinite number or too many levels would end the session, or arrive as
    something else.
    """
    try:
        text = to_json(value, inf_nan_mode="constants")
    except (ValueError, RecursionError) as error:
        return str(error)
    if any(each in text for each in _NOT_NUMBERS) and _holds_non_finite(value):
        return "a number is infinite or NaN"
    return None


def _holds_non_finite(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_non_finite, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_holds_non_finite, value))
    return isinstance(value, float) and not float("-inf") < value < float("inf")


def plain(value: object) -> Mapping[str, object]:
    """Return a value of a handler or of the SDK as a plain mapping, with wire names."""
    if isinstance(value, BaseModel):
        dumped: Mapping[str, object] = value.model_dump(mode="json", by_alias=True, exclude_none=True)
        return dumped
    return as_object(value)


def error_object(error: MCPError) -> dict[str, object]:
    """Return the JSON-RPC error object of an SDK error."""
    return error.error.model_dump(mode="json", exclude_unset=True)


def sdk_error(error: GenUiError, wire: Mapping[str, object]) -> MCPError:
    """Return the SDK error with this error object; an error that came through the SDK stays as it is."""
    if isinstance(error.__cause__, MCPError):
        return error.__cause__
    try:
        data = ErrorData.model_validate(wire)
    except ValidationError:
        data = ErrorData(code=INTERNAL_ERROR, message=str(wire.get("message")), data=wire.get("data"))
    if unsendable(data.data) is not None or unsendable(data.message) is not None:
        data = ErrorData(code=data.code, message=ascii(data.message))
    raised = MCPError(data.code, data.message, data.data)
    raised.error = data
    return raised


_HANDSHAKE = "genui.handshake"


@frozen(eq=False, repr=False)
class SdkChannel(AskableChannel):
    """A channel to a host through the SDK: that of one request, or that of its session."""

    channel: DispatchContext[Any] | Connection

    @property
    def can_ask(self) -> bool:
        """Whether the channel takes requests now; a request's own channel closes with its answer."""
        return bool(getattr(self.channel, "can_send_request", True))

    async def ask(self, method: str, params: Params) -> Result:
        """Send the host a request unchanged."""
        reason = unsendable(params)
        if reason is not None:
            raise HostRefused({"code": INVALID_PARAMS, "message": f"This cannot be sent as JSON: {reason}"})
        try:
            return await self.channel.send_raw_request(method, params)
        except MCPError as error:
            raise HostRefused(error_object(error)) from error

    async def tell(self, method: str, params: Params) -> None:
        """Send a notification unchanged; drop it if JSON cannot hold it."""
        if unsendable(params) is None:
            await self.channel.notify(method, params or None)


Observer = Callable[[str], None]
"""Gets the method of a notification on its way to the host."""


@frozen(eq=False, repr=False)
class HostMessage:
    """One message of a host, with the channels back to the host and the server's handler."""

    context: ServerRequestContext[Any, Any]
    call_next: CallNext
    request: HostRequest = field(init=False)

    @request.default
    def _(self) -> HostRequest:
        params = self.context.params if isinstance(self.context.params, Mapping) else {}
        stateless = is_stateless_version(self.context.protocol_version)
        handshake = None if stateless else self._handshake(params)
        channel, session = self.channel, self.session_channel
        model = None if stateless else SessionModel(channel, session)
        return HostRequest(self.context.method, params, channel.tell, model, handshake, stateless=stateless)

    def _handshake(self, params: Params) -> Params:
        """Return the params of a host's ``initialize``, which hold for its whole session."""
        state = self.connection.state
        if self.context.method == "initialize":
            state[_HANDSHAKE] = params
        handshake: Params = state.get(_HANDSHAKE, {})
        return handshake

    @property
    def is_notification(self) -> bool:
        """Whether the message gets no answer."""
        return self.context.request_id is None

    @property
    def connection(self) -> Connection:
        """The SDK's record of this host, for its session or for this message alone."""
        return self.context.session._connection  # noqa: SLF001 -- see the module

    @property
    def channel(self) -> SdkChannel:
        """The channel on which this message came."""
        return SdkChannel(self.context.session._request_outbound)  # noqa: SLF001 -- see the module

    @property
    def session_channel(self) -> SdkChannel:
        """The channel to the host outside of its requests."""
        return SdkChannel(self.connection)

    async def forward(
        self, asked: HostRequest, *, to: HostChannel | None = None, observe: Observer = lambda _method: None
    ) -> Result:
        """Return the server's answer to a request: this one, or another in its name.

        Args:
            asked: The request.
            to: Gets the server's notifications before the answer; by default, the host gets them.
            observe: Gets the method of each notification that the server sends before the answer.

        Raises:
            UpstreamFailed: The server answers with an error.
        """
        context = replace(self.context, session=_ObservedSession(self.context, observe, to))
        if asked is not self.request:
            context = replace(context, method=asked.method, params=dict(asked.params))
        try:
            return plain(await self.call_next(context))
        except MCPError as error:
            raise UpstreamFailed(error_object(error)) from error


class _ObservedSession(ServerSession):
    """A host's session as a handler sees it; it reports each notification that the handler sends."""

    def __init__(
        self, context: ServerRequestContext[Any, Any], observe: Observer, target: HostChannel | None
    ) -> None:
        session = context.session
        super().__init__(session._request_outbound, session._connection, request_meta=context.meta)  # noqa: SLF001 -- see the module
        self._observe, self._target = observe, target

    async def _notify(self, notification: BaseModel, *, request_scoped: bool) -> None:
        said = plain(notification)
        method = str(said.get("method"))
        self._observe(method)
        if self._target is None:
            await super()._notify(notification, request_scoped=request_scoped)  # type: ignore[arg-type]
        else:
            await self._target.tell(method, params_of(said))
