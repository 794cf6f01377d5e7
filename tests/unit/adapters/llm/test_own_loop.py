"""A provider on its own event loop: if it blocks that loop, it delays nothing else."""

import asyncio
import queue
import threading
import time
from contextlib import closing

import anyio
import pytest
from attrs import define, field

from genui_adapters.host.worker_thread import WorkerThread
from genui_adapters.llm.own_loop import OwnLoopProvider, on_own_loop
from genui_core.application.upstream_tools import Listing
from genui_core.application.wrapper import Wrapper
from genui_core.domain.generation.completion import Completion, CompletionRequest, FinishReason
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Settings
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.llm_provider import LLMProvider

PATIENCE_S = 60
ASKED = CompletionRequest(system="", prompt="Hello", max_tokens=1, request_id="r")
ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}


@pytest.fixture
def anyio_backend():
    """Run on asyncio, as the generation worker does."""
    return "asyncio"


@define
class Acting(LLMProvider):
    """A provider that runs a function of the test, and records its threads.

    Attributes:
        act: The function of a completion; it returns the text of the answer.
        threads: The threads that called the provider.
    """

    act: object
    name: str = "acting"
    model: str = "m"
    threads: list = field(factory=list)
    closed: bool = False

    async def complete(self, request, on_delta=None):
        self.threads.append(threading.current_thread())
        text = await self.act(on_delta)
        return Completion(text=text, model="m", finish=FinishReason.STOP, request_id=request.request_id)

    async def close(self):
        self.threads.append(threading.current_thread())
        self.closed = True


@pytest.mark.anyio
async def test_a_provider_answers_and_closes_in_its_own_thread():
    async def act(on_delta):
        on_delta("a piece")
        return "an answer"

    inner, heard = Acting(act), []
    provider = OwnLoopProvider(inner)
    assert (provider.name, provider.model) == ("acting", "m")
    assert (await provider.complete(ASKED, heard.append)).text == "an answer"
    await provider.complete(ASKED, heard.append)
    await provider.close()
    assert heard == ["a piece"] * 2
    assert inner.closed
    assert len(set(inner.threads)) == 1
    assert inner.threads[0] is not threading.current_thread()
    with anyio.fail_after(PATIENCE_S):
        await anyio.to_thread.run_sync(inner.threads[0].join)


@pytest.mark.anyio
async def test_closing_an_unused_provider_starts_no_thread():
    inner = Acting(None)
    await OwnLoopProvider(inner).close()
    assert inner.threads == [threading.current_thread()]


class AbortError(BaseException):
    pass


@pytest.mark.anyio
@pytest.mark.parametrize(
    "error",
    [ProviderFailed(ProviderErrorCode.RATE_LIMIT, "busy"), KeyError("x"), AbortError(), SystemExit(1),
     KeyboardInterrupt(), asyncio.CancelledError()],
    ids=repr,
)  # fmt: skip
async def test_an_error_of_the_provider_reaches_the_caller_and_the_next_completion_works(error):
    errors = [error]

    async def act(_on_delta):
        if errors:
            raise errors.pop()
        return "an answer"

    provider = OwnLoopProvider(Acting(act))
    with pytest.raises(type(error)) as raised:
        await provider.complete(ASKED)
    assert raised.value is error
    assert (await provider.complete(ASKED)).text == "an answer"
    await provider.close()


async def cancel_once_begun(provider, began):
    """Start a completion, and cancel it as soon as it sets an event."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(provider.complete, ASKED)
        await anyio.to_thread.run_sync(began.wait, PATIENCE_S)
        tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_cancelling_cancels_the_completion_in_its_thread():
    began, ended = threading.Event(), threading.Event()

    async def act(_on_delta):
        began.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    provider = OwnLoopProvider(Acting(act))
    await cancel_once_begun(provider, began)
    assert await anyio.to_thread.run_sync(ended.wait, PATIENCE_S)
    await provider.close()


@pytest.mark.anyio
async def test_closing_lets_a_cancelled_completion_clean_up():
    began, put_away = threading.Event(), threading.Event()

    def put_things_away():
        time.sleep(0.1)
        put_away.set()

    async def act(_on_delta):
        began.set()
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(put_things_away)

    provider = OwnLoopProvider(Acting(act))
    await cancel_once_begun(provider, began)
    await provider.close()
    assert put_away.is_set()


@pytest.mark.anyio
async def test_closing_does_not_wait_long_for_a_provider_that_blocks_its_loop():
    began, released = threading.Event(), threading.Event()

    async def act(_on_delta):
        began.set()
        released.wait(PATIENCE_S)
        return "too late"

    provider = OwnLoopProvider(Acting(act))
    await cancel_once_begun(provider, began)
    with anyio.move_on_after(0.1):
        await provider.close()
    assert not released.is_set()
    released.set()


@pytest.mark.anyio
async def test_cancelling_does_not_wait_for_a_provider_that_blocks_its_loop():
    began, released = threading.Event(), threading.Event()

    async def act(_on_delta):
        began.set()
        released.wait(PATIENCE_S)
        return "too late"

    provider = OwnLoopProvider(Acting(act))
    await cancel_once_begun(provider, began)
    assert not released.is_set()
    released.set()
    await provider.close()


def test_the_model_of_the_host_stays_on_the_loop_that_asks_the_host():
    inner = Acting(None, name="host")
    assert on_own_loop(inner) is inner


def test_a_provider_that_blocks_its_loop_delays_no_reader():
    released = threading.Event()

    async def act(_on_delta):
        released.wait(PATIENCE_S)
        return "too late"

    settings = Settings(generation=GenerationSettings(serve_within_ms=20))
    wrapper, steps = Wrapper(settings=settings, llm=Acting(act)), queue.Queue()
    views = wrapper.open(lambda views: WorkerThread(views, steps.put))
    listing = Listing()
    names = ("rows", "more_rows")
    tools = [{"name": name, "inputSchema": {}, "outputSchema": ROWS} for name in names]
    views.tools.add_page(listing, {"tools": tools})
    views.finish_listing(listing)
    with closing(views.worker):
        for name in (*names, *names):
            came = []
            views.worker.run(views.view_work(name, "r"), came.append, lambda _words: None)
            while not came:
                steps.get(timeout=PATIENCE_S / 2)()
            assert str(came[0].state) == "provisional"
        assert not released.is_set()
        released.set()


def test_the_budget_of_a_generation_holds_for_a_provider_that_blocks_its_loop():
    released = threading.Event()

    async def act(_on_delta):
        released.wait(PATIENCE_S)
        return "too late"

    async def outcome():
        provider = OwnLoopProvider(Acting(act))
        with anyio.move_on_after(0.05) as scope:
            await provider.complete(ASKED)
        assert not released.is_set()
        return scope.cancelled_caught

    assert anyio.run(outcome)
    released.set()
