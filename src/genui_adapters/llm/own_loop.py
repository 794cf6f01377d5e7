"""Runs a provider in a separate event loop, in a separate thread.

A provider that blocks its loop, for instance with ``time.sleep`` in ``async def``, then blocks only its own
completions: the wrapper still serves views and keeps its deadlines.
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
    """Return the provider in a separate event loop; the host's model stays in the loop that asks the host."""
    return provider if provider.name == HOST else OwnLoopProvider(provider)


class OwnLoopProvider(AroundProvider):
    """Runs another provider in a separate event loop. The thread starts with the first completion."""

    def __init__(self, inner: LLMProvider) -> None:
        self.inner = inner
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread
        self._ended: asyncio.Event

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Return the other provider's answer. Cancelling ends its connection, and does not wait for that."""
        completion: Completion = await self._on_loop(lambda: self.inner.complete(request, on_delta))
        return completion

    async def close(self) -> None:
        """Close the other provider, let cancelled completions finish, and end the thread.

        Waits for them no more than a second: a completion that blocks the loop keeps running.
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
        scope, loop = anyio.CancelScope(), self._loop or self._start_loop()
        outcome = asyncio.run_coroutine_threadsafe(_outcome(step, scope), loop)
        try:
            value, error = await asyncio.shield(asyncio.wrap_future(outcome))
        except asyncio.CancelledError:
            # Cancel the scope, not the task: AnyIO's work in threads then ends before the clean-up starts.
            loop.call_soon_threadsafe(scope.cancel)
            raise
        if error is not None:
            raise error
        return value

    def _start_loop(self) -> asyncio.AbstractEventLoop:
        self._loop, self._ended = asyncio.new_event_loop(), asyncio.Event()
        on_loop = partial(anyio.run, self._run_loop, backend_options={"loop_factory": lambda: self._loop})
        self._thread = threading.Thread(target=on_loop, daemon=True, name="provider")
        self._thread.start()
        return self._loop

    async def _run_loop(self) -> None:
        await self._ended.wait()
        # Closing the loop would cancel the tasks again, in the middle of their clean-up.
        if unfinished := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(unfinished, timeout=_END_WITHIN_S)


async def _outcome(
    step: Callable[[], Awaitable[Any]], scope: anyio.CancelScope
) -> tuple[Any, BaseException | None]:
    """Return the result or the error of a step, so that no error ends the loop."""
    with scope:
        try:
            return await step(), None
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if scope.cancel_called or (task is not None and task.cancelling()):
                raise
            return None, error  # the provider raised it
        except BaseException as error:  # noqa: BLE001 -- the caller raises it again
            return None, error
    return None, None  # cancelled: no caller waits
