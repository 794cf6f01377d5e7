"""The model of a host as a generation worker sees it that lives in a thread of its own."""

import asyncio
import contextlib
from collections.abc import Callable

from attrs import define, field

from genui_core.errors import GenUiError
from genui_core.ports.host_model import HostModel, LentModel, Params, Result

Step = Callable[[], None]


@define(eq=False)
class _Question:
    """A pending question, shared by the transport's thread and the generation worker."""

    take_back: Step | None = None
    is_taken_back: bool = False


@define(eq=False)
class PostedModel(LentModel):
    """Asks in the transport's thread, and waits in the generation worker's event loop.

    Args:
        model: The transport's interface to the host's model.
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
