"""Requests of an upstream's, put to a host, and the host's answers."""

from collections.abc import Awaitable, Callable, Mapping

import anyio
from anyio.abc import TaskGroup
from attrs import define, field

from genui_adapters.upstream.message import Message, error_message, result_message
from genui_core.errors import GenUiError, HostRefused, InvalidArguments
from genui_core.ports.tool_source import HostLine

_INVALID_REQUEST = -32600
_INTERNAL_ERROR = -32603


@define(eq=False)
class Questions:
    """Answers what an upstream asks, each question in a task of its own.

    Attributes:
        tasks: Where these tasks run.
        send: Takes the answers.
        owner: The host that is asked what belongs to no request, or None.
    """

    tasks: TaskGroup
    send: Callable[[Message], Awaitable[None]]
    owner: HostLine | None = None
    _asked: dict[object, anyio.CancelScope] = field(factory=dict)

    def take(self, message: Message, line: HostLine | None) -> None:
        """Take a request, and put it to this host, or to the owner; with neither it is refused."""
        scope = self._asked[_key(message["id"])] = anyio.CancelScope()
        self.tasks.start_soon(self._answer, message, line or self.owner, scope)

    def withdrawn(self, request_id: object) -> None:
        """Stop asking: the upstream no longer wants to know."""
        scope = self._asked.get(_key(request_id))
        if scope is not None:
            scope.cancel()

    async def _answer(self, message: Message, line: HostLine | None, scope: anyio.CancelScope) -> None:
        try:
            with scope:
                await self._send(message["id"], await _answered(message, line))
        except GenUiError:
            pass  # the connection is lost, and with it who asked
        finally:
            key = _key(message["id"])
            if self._asked.get(key) is scope:
                del self._asked[key]

    async def _send(self, request_id: object, answer: Message) -> None:
        try:
            await self.send(answer)
        except InvalidArguments as error:
            await self.send(error_message(request_id, _error(_INTERNAL_ERROR, str(error))))


async def _answered(message: Message, line: HostLine | None) -> Message:
    request_id, method, params = message["id"], str(message["method"]), message.get("params")
    if method == "ping":
        return result_message(request_id, {})
    if line is None:
        text = f"{method} belongs to no request of a host that can be asked."
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
    """An id as it is compared: ``1`` is not ``"1"``, and anything can be one."""
    return type(request_id), str(request_id)
