"""Requests of an upstream's, put to the host whose request they belong to."""

from collections.abc import Awaitable, Callable, Collection, Mapping

import anyio
from anyio.abc import TaskGroup
from attrs import define, field

from genui_adapters.upstream.message import Message, error_message, result_message
from genui_adapters.upstream.pending import PendingRequest
from genui_core.errors import GenUiError, HostRefused, InvalidArguments
from genui_core.ports.tool_source import HostLine

_INVALID_REQUEST = -32600
_INTERNAL_ERROR = -32603

Send = Callable[[Message], Awaitable[None]]


@define(eq=False)
class Questions:
    """Answers what an upstream asks, each in a task of its own.

    Attributes:
        tasks: Where these tasks run.
        send: Takes the answers.
        owner: The host that is asked what belongs to no request.
    """

    tasks: TaskGroup
    send: Send
    owner: HostLine | None = None
    _asked: dict[object, anyio.CancelScope] = field(factory=dict)

    def take(self, message: Message, of: PendingRequest | None, pending: Collection[PendingRequest]) -> None:
        """Take a request.

        Args:
            message: The request.
            of: The request of ours that it certainly belongs to, where that is known.
            pending: All that are unanswered now.
        """
        line = of.line if of is not None else self._line_for(pending)
        self.tasks.start_soon(self._answer, message, line)

    def cancel(self, params: object) -> None:
        """Stop asking: the upstream has withdrawn its request."""
        request_id = params.get("requestId") if isinstance(params, Mapping) else None
        scope = self._asked.get(_key(request_id))
        if scope is not None:
            scope.cancel()

    def _line_for(self, pending: Collection[PendingRequest]) -> HostLine | None:
        """A stream does not tell what belongs together, but where one request is open, it is that one."""
        lines = [each.line for each in pending if each.line is not None]
        return lines[0] if len(lines) == 1 else self.owner

    async def _answer(self, message: Message, line: HostLine | None) -> None:
        key = _key(message["id"])
        with anyio.CancelScope() as scope:
            self._asked[key] = scope
            try:
                answer = await _answered(message, line)
                try:
                    await self.send(answer)
                except InvalidArguments as error:
                    await self.send(error_message(message["id"], _error(_INTERNAL_ERROR, str(error))))
            except GenUiError:
                pass  # the connection is lost, and with it who asked
            finally:
                if self._asked.get(key) is scope:
                    del self._asked[key]


async def _answered(message: Message, line: HostLine | None) -> Message:
    request_id, method, params = message["id"], str(message["method"]), message.get("params")
    if method == "ping":
        return result_message(request_id, {})
    if line is None:
        text = f"{method} belongs to no request of a host that could be asked."
        return error_message(request_id, _error(_INVALID_REQUEST, text))
    try:
        return result_message(
            request_id, await line.ask(method, params if isinstance(params, Mapping) else {})
        )
    except HostRefused as refused:
        return error_message(request_id, refused.error)


def _error(code: int, message: str) -> Mapping[str, object]:
    return {"code": code, "message": message}


def _key(request_id: object) -> object:
    """An id as it is compared: ``1`` is not ``"1"``, and anything can be a key."""
    return type(request_id), str(request_id)
