"""Requests of an upstream's, put to a host, and the host's answers."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import anyio
from anyio.abc import TaskGroup
from attrs import define, field

from genui_adapters.upstream.link import NotTaken
from genui_adapters.upstream.message import Message, error_message, result_message
from genui_core.domain.logging.logged_error import logged_error
from genui_core.errors import HostRefused, InvalidArguments
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import HostChannel

_INVALID_REQUEST = -32600
_INTERNAL_ERROR = -32603


@define(eq=False)
class Questions:
    """Answers what an upstream asks, each question in a task of its own.

    Attributes:
        tasks: Where these tasks run.
        send: Takes the answers.
        event_log: Where faults go.
        owner: The host that is asked what belongs to no request, or None.
    """

    tasks: TaskGroup
    send: Callable[[Message], Awaitable[None]]
    event_log: EventLog
    owner: HostChannel | None = None
    _asked: dict[object, anyio.CancelScope] = field(factory=dict)

    def take(self, message: Message, line: HostChannel | None) -> None:
        """Take a request, and put it to this host, or to the owner; with neither it is refused."""
        scope = self._asked[_key(message["id"])] = anyio.CancelScope()
        self.tasks.start_soon(self._answer, message, line or self.owner, scope)

    def withdrawn(self, request_id: object) -> None:
        """Stop asking: the upstream no longer wants to know."""
        scope = self._asked.get(_key(request_id))
        if scope is not None:
            scope.cancel()

    async def _answer(self, message: Message, line: HostChannel | None, scope: anyio.CancelScope) -> None:
        key = _key(message["id"])
        try:
            with scope, suppress(NotTaken):  # where the connection is lost, so is who asked
                await self._send(message["id"], await self._answered(message, line))
        finally:
            if self._asked.get(key) is scope:
                del self._asked[key]

    async def _answered(self, message: Message, line: HostChannel | None) -> Message:
        request_id, method, params = message["id"], str(message["method"]), message.get("params")
        if method == "ping":
            return result_message(request_id, {})
        if line is None:
            return _failed(request_id, _INVALID_REQUEST, f"{method} belongs to no host that can be asked.")
        try:
            answer = await line.ask(method, params if isinstance(params, Mapping) else {})
        except HostRefused as refused:
            return error_message(request_id, refused.error)
        except Exception as fault:  # noqa: BLE001 -- one host's fault is not all hosts' connection
            self.event_log.record(
                Level.ERROR, "tool_proxy", "fault", method=method, error=logged_error(fault)
            )
            return _failed(request_id, _INTERNAL_ERROR, "The host could not be asked.")
        return result_message(request_id, answer)

    async def _send(self, request_id: object, answer: Message) -> None:
        try:
            await self.send(answer)
        except InvalidArguments as error:
            await self.send(_failed(request_id, _INTERNAL_ERROR, str(error)))


def _failed(request_id: object, code: int, text: str) -> Message:
    return error_message(request_id, {"code": code, "message": text})


def _key(request_id: object) -> object:
    """An id as it is compared: ``1`` is not ``"1"``, and anything can be one."""
    return type(request_id), str(request_id)
