"""The model of a host with a session, also for a generation worker in a thread of its own."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine

import anyio
from attrs import Factory, define, field, frozen

from genui_adapters.host.channels import AskableChannel
from genui_core.errors import GenUiError
from genui_core.ports.host_model import SAMPLING, HostModel, LentModel, Params, Result

Step = Callable[[], None]


@define(eq=False)
class _Question:
    """A pending question, shared by the transport's thread and the generation worker."""

    take_back: Step | None = None
    is_taken_back: bool = False


@frozen(eq=False)
class PostedModel(LentModel):
    """Asks in the transport's thread, and waits in the generation worker's event loop.

    Args:
        post: Schedules a call in the transport's thread; may be called from any thread.
    """

    _model: HostModel = field()
    _post: Callable[[Step], None]

    async def answer(self, params: Params) -> Result:
        """Have the host's model answer."""
        loop = asyncio.get_running_loop()
        came: asyncio.Future[Result | GenUiError] = loop.create_future()
        question = _Question()

        def settle(answer: Result | GenUiError) -> None:
            if not came.done():
                came.set_result(answer)

        def take(answer: Result | GenUiError) -> None:
            with contextlib.suppress(RuntimeError):  # the generation worker may have ended
                loop.call_soon_threadsafe(settle, answer)

        def ask() -> None:
            if not question.is_taken_back:
                question.take_back = self._model.ask(params, take)

        def take_back() -> None:
            question.is_taken_back = True
            if question.take_back is not None:
                question.take_back()

        self._post(ask)
        try:
            answer = await came
        except asyncio.CancelledError:
            self._post(take_back)
            raise
        if isinstance(answer, GenUiError):
            raise answer
        return answer


@frozen(eq=False)
class SessionModel(HostModel):
    """Asks along the way of the request that wants a view; once that is answered, along the session's."""

    request: AskableChannel
    session: AskableChannel
    _tasks: set[object] = Factory(set)

    def ask(self, params: Params, then: Callable[[Result | GenUiError], None]) -> Callable[[], None]:
        """Ask the host, in a task of its own on the event loop that runs now."""
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
        except Exception as error:  # noqa: BLE001 -- whatever ails the connection, a generation waits for it
            return GenUiError(f"The host cannot be asked: {error!r}")

    def _begin(self, task: Callable[[], Coroutine[None, None, None]]) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # then it is Trio's
            import trio  # type: ignore[import-not-found] # noqa: PLC0415 -- who brings the loop brings it

            trio.lowlevel.spawn_system_task(task)
            return
        running = loop.create_task(task())
        self._tasks.add(running)  # the loop itself holds it weakly
        running.add_done_callback(self._tasks.discard)
