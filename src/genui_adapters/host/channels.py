"""Channels to a host and to its model, and waits in the host's event loop."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from math import inf
from typing import Any, Protocol

import anyio
from attrs import Factory, define, frozen

from genui_adapters.upstream.message import Message
from genui_core.application.requests.host_request import Begin, HostRequest, Listings, Take, Waits
from genui_core.application.requests.request_router import RequestRouter
from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Params,
    Result,
    notification_message,
    outbound,
    outcome_of,
    request_message,
)
from genui_core.domain.mcp.methods import CANCELLED
from genui_core.errors import GenUiError, HostRefused, InvalidArguments
from genui_core.ports.host_model import SAMPLING, HostModel
from genui_core.ports.tool_source import HostChannel

Say = Callable[[bytes], Coroutine[Any, Any, None]]
"""Sends a host a message other than an answer: a notification, or a request of the upstream."""


class AskableChannel(HostChannel, Protocol):
    """A channel to a host that says whether it takes requests."""

    @property
    def can_ask(self) -> bool:
        """Whether the channel takes requests now; a request's own channel closes with its answer."""


class NoHost(HostChannel):
    """The channel to no host: it refuses requests and drops notifications."""

    async def ask(self, method: str, params: Params) -> Result:  # noqa: ARG002 -- there is no host
        """Raise HostRefused."""
        raise HostRefused({"code": METHOD_NOT_FOUND, "message": f"No host can answer {method} now."})

    async def tell(self, method: str, params: Params) -> None:
        """Drop the notification."""


NO_HOST = NoHost()


@frozen(eq=False, repr=False)
class TellOnly(NoHost):
    """The channel to a host that cannot be asked: it carries only the notifications that the host wants."""

    channel: HostChannel
    wants: Callable[[str, Params], bool] = lambda _method, _params: True

    async def tell(self, method: str, params: Params) -> None:
        """Send a notification if the host wants it."""
        if self.wants(method, params):
            await self.channel.tell(method, params)


@frozen(eq=False, repr=False)
class SessionOwner(HostChannel):
    """The channel to a host outside of its requests; it waits until the handshake is over."""

    until_initialized: Callable[[], Awaitable[None]]
    channel: HostChannel

    async def ask(self, method: str, params: Params) -> Result:
        """Send a request once the handshake is over."""
        await self.until_initialized()
        return await self.channel.ask(method, params)

    async def tell(self, method: str, params: Params) -> None:
        """Send a notification once the handshake is over."""
        await self.until_initialized()
        await self.channel.tell(method, params)


# --- messages to a host besides answers ------------------------------------------------


class HostQuestions:
    """The wrapper's requests to a host that have no answer yet."""

    def __init__(self) -> None:
        self._pending: dict[int, asyncio.Future[Result | HostRefused]] = {}
        self._last_id = 0

    async def ask(self, method: str, params: Params, say: Say) -> Result:
        """Send the host a request and return its result.

        Raises HostRefused if the host answered with an error, or the request cannot be sent.
        """
        self._last_id += 1
        request_id = self._last_id
        try:
            message = outbound(request_message(request_id, method, params or None))
        except InvalidArguments as reason:
            raise HostRefused({"code": INVALID_PARAMS, "message": str(reason)}) from reason
        question: asyncio.Future[Result | HostRefused] = asyncio.get_running_loop().create_future()
        self._pending[request_id] = question
        try:
            await say(message)
            outcome = await question
        except anyio.get_cancelled_exc_class():
            with anyio.move_on_after(1, shield=True):
                await say(outbound(notification_message(CANCELLED, {"requestId": request_id})))
            raise
        finally:
            del self._pending[request_id]
        if isinstance(outcome, HostRefused):
            raise outcome
        return outcome

    def take_answer(self, message: Message) -> None:
        """Settle the request that the host's message answers; drop an answer to no pending request."""
        request_id = message.get("id")
        if isinstance(request_id, int):
            self._settle(request_id, outcome_of(message, HostRefused))

    def end(self) -> None:
        """Refuse all pending requests, because the host is gone."""
        for request_id in self._pending:
            self._settle(request_id, HostRefused({"code": INTERNAL_ERROR, "message": "The host has left."}))

    def _settle(self, request_id: int, outcome: Result | HostRefused) -> None:
        question = self._pending.get(request_id)
        if question is not None and not question.done():
            question.set_result(outcome)


@define(eq=False, repr=False)
class OneWayChannel(NoHost):
    """The channel of one request, on which the host cannot be asked."""

    say: Say

    async def tell(self, method: str, params: Params) -> None:
        """Send a notification; drop it if JSON cannot hold it."""
        try:
            message = outbound(notification_message(method, params or None))
        except InvalidArguments:
            return  # it cannot be sent, and no request waits for it
        await self.say(message)


@define(eq=False, repr=False)
class SessionChannel(OneWayChannel, AskableChannel):
    """A channel to a host with a session: that of one request, or that of the session itself."""

    questions: HostQuestions
    can_ask: bool = True

    async def ask(self, method: str, params: Params) -> Result:
        """Send the host a request and return its result."""
        return await self.questions.ask(method, params, self.say)


@frozen(eq=False, repr=False)
class SessionModel(HostModel):
    """A host's model, asked on the request's channel; once that is closed, on the session's."""

    request: AskableChannel
    session: AskableChannel
    _tasks: set[object] = Factory(set)

    def ask(self, params: Params, then: Callable[[Result | GenUiError], None]) -> Callable[[], None]:
        """Ask the host in a new task of the running event loop; return a function that cancels it."""
        scope = anyio.CancelScope()

        async def task() -> None:
            with scope:
                then(await self._answer(params))

        self._begin(task)
        return scope.cancel

    async def _answer(self, params: Params) -> Result | GenUiError:
        channel = self.request if self.request.can_ask else self.session
        try:
            return await channel.ask(SAMPLING, params)
        except GenUiError as error:
            return error
        except Exception as error:  # noqa: BLE001 -- a generation waits, so no error may be lost
            return GenUiError(f"The host cannot be asked: {error!r}")

    def _begin(self, task: Callable[[], Coroutine[None, None, None]]) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no asyncio loop runs, so it is Trio's
            import trio  # type: ignore[import-not-found] # noqa: PLC0415 -- installed where Trio runs

            trio.lowlevel.spawn_system_task(task)
            return
        running = loop.create_task(task())
        self._tasks.add(running)  # the loop holds only a weak reference
        running.add_done_callback(self._tasks.discard)


@frozen(eq=False, repr=False)
class LoopWaits(Waits):
    """Waits in the event loop; a cancelled wait cancels the work."""

    async def outcome(self, begin: Begin, request: HostRequest, within_s: float | None, late: Take) -> object:
        """Return the work's outcome, or None after ``within_s``, and notify the host of its progress."""
        results = list[object]()
        deadline = anyio.CancelScope(deadline=inf if within_s is None else anyio.current_time() + within_s)
        say, said = anyio.create_memory_object_stream[tuple[str, Params]](inf)

        def take(made: object) -> None:
            if deadline.cancelled_caught:
                late(made)
            else:
                results.append(made)
                say.close()

        def tell(method: str, params: Params) -> None:
            if not deadline.cancelled_caught:
                say.send_nowait((method, params))

        give_up = begin(take, tell)
        try:
            with deadline:
                async for method, news in said:
                    await request.tell(method, news)
        finally:
            if not deadline.cancelled_caught:
                give_up()
            say.close()
            said.close()
        return results[0] if results else None

    def soon(self, step: Callable[[], None]) -> None:
        """Take the step at once: the waiting coroutine sends its request next in the loop."""
        step()


def router_in_event_loop(views: ToolViews, audience: str = "") -> RequestRouter:
    """Return the request router of a group of hosts to which the server offers the same tools.

    Args:
        views: The tools and their views.
        audience: The group's name, if the server offers other tools to other hosts.
    """
    return RequestRouter(views, Listings(views, audience), LoopWaits())
