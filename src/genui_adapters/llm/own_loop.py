"""A provider on an event loop of its own, in a thread of its own.

A provider that blocks its loop, for instance with ``time.sleep`` in ``async def``, then blocks nothing but
itself: readers are served and deadlines hold.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
from anyio import to_thread

from genui_adapters.llm.provider_shell import AroundProvider
from genui_core.domain.generation.completion import Completion, CompletionRequest
from genui_core.domain.settings.llm_settings import HOST
from genui_core.ports.llm_provider import LLMProvider, OnDelta

_END_WITHIN_S = 1.0


def on_own_loop(provider: LLMProvider) -> LLMProvider:
    """Return a provider that runs on a loop of its own; the host's model stays on the loop that asks the host."""
    return provider if provider.name == HOST else OwnLoopProvider(provider)


class OwnLoopProvider(AroundProvider):
    """Has another provider answer on its own loop. The thread starts with the first completion."""

    def __init__(self, inner: LLMProvider) -> None:
        self.inner = inner
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread
        self._ended: asyncio.Event

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Have the other provider answer. Cancelling ends its connection, and never waits for it."""
        completion: Completion = await self._on_loop(lambda: self.inner.complete(request, on_delta))
        return completion

    async def close(self) -> None:
        """Close the other provider, and end the thread; completions that were given up take their leave first.

        Waits no more than a second for them: one that blocks its loop is left behind.
        """
        if self._loop is None:
            await self.inner.close()
            return
        try:
            await self._on_loop(self.inner.close)
        finally:
            self._loop.call_soon_threadsafe(self._ended.set)
        await to_thread.run_sync(self._thread.join, _END_WITHIN_S)

    async def _on_loop(self, step: Callable[[], Awaitable[Any]]) -> Any:
        scope, loop = anyio.CancelScope(), self._loop or self._started()
        outcome = asyncio.run_coroutine_threadsafe(_outcome(step, scope), loop)
        try:
            value, error = await asyncio.shield(asyncio.wrap_future(outcome))
        except asyncio.CancelledError:
            # By the scope, not by the task: what AnyIO does in a thread is then done before its clean-up starts.
            loop.call_soon_threadsafe(scope.cancel)
            raise
        if error is not None:
            raise error
        return value

    def _started(self) -> asyncio.AbstractEventLoop:
        self._loop, self._ended = asyncio.new_event_loop(), asyncio.Event()
        on_loop = partial(anyio.run, self._live, backend_options={"loop_factory": lambda: self._loop})
        self._thread = threading.Thread(target=on_loop, daemon=True, name="provider")
        self._thread.start()
        return self._loop

    async def _live(self) -> None:
        await self._ended.wait()
        # The loop's own ending would cancel once more, in the midst of what a cancelled completion puts away.
        if given_up := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(given_up, timeout=_END_WITHIN_S)


async def _outcome(
    step: Callable[[], Awaitable[Any]], scope: anyio.CancelScope
) -> tuple[Any, BaseException | None]:
    """Return what a step gives or raises; an error that would end the loop must not reach it."""
    with scope:
        try:
            return await step(), None
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if scope.cancel_called or (task is not None and task.cancelling()):
                raise
            return None, error  # the provider's own
        except BaseException as error:  # noqa: BLE001 -- raised again where it is waited for
            return None, error
    return None, None  # cancelled: no caller waits
