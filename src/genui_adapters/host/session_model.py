"""The model of a host with a session."""

import asyncio
from collections.abc import Callable, Coroutine

import anyio
from attrs import Factory, define

from genui_adapters.host.channels import AskableChannel
from genui_core.errors import GenUiError
from genui_core.ports.host_model import SAMPLING, HostModel, Params, Result


@define(eq=False)
class SessionModel(HostModel):
    """Asks along the way of the request that wants a view; once that is answered, along the session's.

    Attributes:
        request: The way of the request.
        session: The way of the session.
    """

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
